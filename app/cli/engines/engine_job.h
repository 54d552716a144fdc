// SPDX-License-Identifier: Apache-2.0
// Runs a model in another engine, for the commands run, profile and placement.
#pragma once

#include <string>
#include <vector>

#include <lapidary/engines/engine_record.h>
#include <lapidary/inspect/inspect_values.h>
#include <lapidary/inputs/run_conditions.h>
#include <lapidary/bench/sweep.h>

#include "cli/output/json_output.h"
#include "cli/options/run_options.h"
#include "cli/terminal.h"

namespace lapidary::cli {

/// A model that another engine ran, and its inputs.
struct EngineJob {
    ModelPtr model;  // as in the file
    GatheredInputs inputs;
    EngineRecord record;
};

/// The conditions of its runs.
RunConditions conditions_of(const EngineJob& job, const ModelRunOptions& options);

/// Runs the model. Throws UsageError for options that the engine has no counterpart for, and what
/// run_onnxruntime() and run_plugin_engine() throw. `custom_operators`: libraries that --custom-ops
/// names.
EngineJob run_in_engine(const ModelRunOptions& options,
                        const std::vector<std::string>& custom_operators, EngineRuns runs,
                        Terminal& terminal);

/// Runs models in the chosen engine, which is not this program's own. `record` takes what the
/// newest run reports; it and `terminal` outlive the result. Throws UsageError as run_in_engine();
/// the runs throw what run_onnxruntime() and run_plugin_engine() throw.
EngineRun engine_run_of(const ModelRunOptions& options,
                        const std::vector<std::string>& custom_operators, EngineRecord& record,
                        Terminal& terminal);

/// Sets SweepOptions::open so that the sweep measures in the chosen engine. For this program's own
/// engine, sets the devices of its sessions. `file`: the model's file. Throws UsageError as above.
void set_swept_engine(SweepOptions& sweeping, const ModelRunOptions& options,
                      const std::vector<std::string>& custom_operators,
                      const std::filesystem::path& file);

/// {"name", "version", "path", "load_ms", "run_ms", "session_bytes", "run_bytes", "log"}
Json engine_json(const EngineJob& job, const EngineOptions& engine);
/// "ONNX Runtime 1.20.1"
std::string engine_name(const EngineRecord& record);
/// "engine  ONNX Runtime 1.20.1 (/usr/lib/libonnxruntime.so)" and its warnings.
void print_engine(Terminal& terminal, const EngineRecord& record);

/// The share of the time of all kernels that belongs to known nodes of the model, 0..1.
double known_share(const Profile& profile);

}  // namespace lapidary::cli
