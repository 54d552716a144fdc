// SPDX-License-Identifier: Apache-2.0
// A session of ONNX Runtime through its C library.
#pragma once

#include <filesystem>
#include <memory>

#include "bench/engines/in_process_engine.h"
#include "bench/onnxruntime/onnxruntime_library.h"
#include "bench/onnxruntime/onnxruntime_values.h"

namespace lapidary {

/// The model of a file in ONNX Runtime, on the CPU.
struct OrtModel {
    /// Throws Error{not_supported} with ONNX Runtime's own message when it refuses the model.
    OrtModel(const OnnxRuntimeLibrary& library, const std::filesystem::path& file, Level level,
             const RunResources& resources);

    OrtHeld<ort::Env> env;
    OrtHeld<ort::Session> session;
    double load_ms = 0;
};

/// Throws Error{not_supported} with ONNX Runtime's own message when it refuses model or inputs.
std::unique_ptr<BenchEngine> open_onnxruntime_session(
    std::shared_ptr<const OnnxRuntimeLibrary> library, const BenchConfiguration& configuration);

}  // namespace lapidary
