// SPDX-License-Identifier: Apache-2.0
// A session of ONNX Runtime through its C library.
#pragma once

#include <memory>

#include "bench/engines/in_process_engine.h"
#include "bench/onnxruntime/onnxruntime_library.h"

namespace lapidary {

/// Throws Error{not_supported} with ONNX Runtime's own message when it refuses model or inputs.
std::unique_ptr<BenchEngine> open_onnxruntime_session(
    std::shared_ptr<const OnnxRuntimeLibrary> library, const BenchConfiguration& configuration);

}  // namespace lapidary
