// SPDX-License-Identifier: Apache-2.0
// What run, profile and placement do when another engine than this program's is asked for.
#pragma once

#include <string>
#include <vector>

#include <lapidary/engines/engine_record.h>
#include <lapidary/inputs/run_conditions.h>
#include <lapidary/bench/sweep.h>

#include "cli/output/json_output.h"
#include "cli/options/run_options.h"
#include "cli/terminal.h"

namespace lapidary::cli {

/// A model that another engine ran, and on what.
struct EngineJob {
    ModelPtr model;  // as in the file
    GatheredInputs inputs;
    EngineRecord record;
};

/// Of its runs.
RunConditions conditions_of(const EngineJob& job, const ModelRunOptions& options);

/// Throws UsageError for options that the engine has no counterpart for, and what run_onnxruntime()
/// and run_plugin_engine() throw. `custom_operators`: libraries that --custom-ops names.
EngineJob run_in_engine(const ModelRunOptions& options,
                        const std::vector<std::string>& custom_operators, EngineRuns runs,
                        Terminal& terminal);

/// SweepOptions::open for settings of that engine, and where it is this program's the devices that
/// sessions run on. `file`: a file that is the model. Throws UsageError as above.
void set_swept_engine(SweepOptions& sweeping, const ModelRunOptions& options,
                      const std::vector<std::string>& custom_operators,
                      const std::filesystem::path& file);

/// {"name", "version", "path", "load_ms", "run_ms", "session_bytes", "run_bytes", "log"}
Json engine_json(const EngineJob& job, const EngineOptions& engine);
/// "ONNX Runtime 1.20.1"
std::string engine_name(const EngineRecord& record);
/// "engine  ONNX Runtime 1.20.1 (/usr/lib/libonnxruntime.so)" and its warnings.
void print_engine(Terminal& terminal, const EngineRecord& record);

/// Share of the time of kernels that is on nodes of the model, 0..1.
double known_share(const Profile& profile);

}  // namespace lapidary::cli
