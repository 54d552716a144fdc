// SPDX-License-Identifier: Apache-2.0
// What run, profile and placement do when ONNX Runtime is the engine.
#pragma once

#include <string>
#include <vector>

#include <lapidary/onnxruntime_engine.h>

#include "cli/json_output.h"
#include "cli/options/run_options.h"
#include "cli/terminal.h"

namespace lapidary::cli {

/// A model that ONNX Runtime ran, and on what.
struct OnnxRuntimeJob {
    ModelPtr model;  // as in the file
    GatheredInputs inputs;
    OnnxRuntimeRecord record;
};

/// Throws UsageError for options that ONNX Runtime has no counterpart for, and what run_onnxruntime() throws.
/// `custom_operators`: libraries that --custom-ops names.
OnnxRuntimeJob run_in_onnxruntime(const ModelRunOptions& options, const std::vector<std::string>& custom_operators,
                                  OnnxRuntimeRuns runs, Terminal& terminal);

/// {"name", "version", "path", "load_ms", "run_ms", "session_bytes", "run_bytes"}
Json engine_json(const OnnxRuntimeRecord& record);
/// "ONNX Runtime 1.20.1"
std::string engine_name(const OnnxRuntimeRecord& record);
/// "engine  ONNX Runtime 1.20.1 (/usr/lib/libonnxruntime.so)" and its warnings.
void print_engine(Terminal& terminal, const OnnxRuntimeRecord& record);

/// Share of the time of kernels that is on nodes of the model, 0..1.
double known_share(const Profile& profile);

}  // namespace lapidary::cli
