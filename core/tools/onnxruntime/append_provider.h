// SPDX-License-Identifier: Apache-2.0
// Execution providers of a loaded ONNX Runtime.
#pragma once

#include <string>
#include <vector>

#include <lapidary/engines/onnxruntime_engine.h>

#include "bench/onnxruntime/onnxruntime_library.h"
#include "onnxruntime/environment.h"

namespace lapidary {

/// That it was built with: "CUDAExecutionProvider".
std::vector<std::string> available_providers(const OnnxRuntimeLibrary& library);
/// That it lists: of the CPU and of libraries of providers that were registered.
std::vector<OnnxRuntimeDevice> available_devices(const OnnxRuntimeLibrary& library,
                                                 const OrtEnvironment& environment);

/// Throws not_supported where it was built without, or in its own words; a session is never made
/// without a provider that was asked for.
void append_provider(const OnnxRuntimeLibrary& library, const OrtEnvironment& environment,
                     ort::SessionOptions* options, const OnnxRuntimeProvider& provider);

}  // namespace lapidary
