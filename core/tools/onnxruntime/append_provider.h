// SPDX-License-Identifier: Apache-2.0
// Execution providers of a loaded ONNX Runtime.
#pragma once

#include <string>
#include <vector>

#include <lapidary/engines/onnxruntime_engine.h>

#include "bench/onnxruntime/onnxruntime_library.h"
#include "onnxruntime/environment.h"

namespace lapidary {

/// The providers that it was built with: "CUDAExecutionProvider".
std::vector<std::string> available_providers(const OnnxRuntimeLibrary& library);
/// The devices that it lists: of the CPU, and of registered provider libraries.
std::vector<OnnxRuntimeDevice> available_devices(const OnnxRuntimeLibrary& library,
                                                 const OrtEnvironment& environment);

/// Throws not_supported if it was built without the provider, or with the error of ONNX Runtime. A
/// session is never made without a requested provider.
void append_provider(const OnnxRuntimeLibrary& library, const OrtEnvironment& environment,
                     ort::SessionOptions* options, const OnnxRuntimeProvider& provider);

}  // namespace lapidary
