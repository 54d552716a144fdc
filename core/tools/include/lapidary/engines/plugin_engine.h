// SPDX-License-Identifier: Apache-2.0
// Engines of opened plugins. They run whole models, in this process; a fault in one can end it.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <lapidary/bench/bench.h>
#include <lapidary/engines/engine_record.h>
#include <lapidary/passes/optimize.h>

namespace lapidary {

/// How a plugin's engine loads a model.
struct PluginEngineOptions {
    std::string engine;                          // by its name
    std::map<std::string, std::string> options;  // of PluginInfo::engine_options
    /// Value for the engine's option `level`. Nothing: the engine's default; so is `all` for an
    /// engine without that option.
    std::optional<Level> level;
    /// Numbers of threads are values for its options `intra_threads` and, in parallel mode,
    /// `inter_threads`; 0: the engine's defaults. Session configuration is refused: engines have no
    /// option for it.
    RunResources resources;
};

/// Whether a plugin's engine has an option of that name. Throws invalid_input where no opened
/// plugin has the engine.
bool has_engine_option(const std::string& engine, const std::string& key);

/// Loads `file`, which holds `model`, and runs it. Throws invalid_input for an unknown engine or
/// option, not_supported with the engine's words if the engine cannot be used or refuses the model;
/// cancelled, io_failure.
EngineRecord run_plugin_engine(const Model& model, const std::filesystem::path& file,
                               const PluginEngineOptions& options, const EngineRuns& runs,
                               const Progress& progress = {});

/// The options with the level and the resources of the configuration. Throws not_supported for
/// threads that must not spin: engines have no option for it. Opening the engine refuses other
/// settings that it has no option for.
PluginEngineOptions with_configuration(PluginEngineOptions options,
                                       const RunConfiguration& configuration);

/// Opens it for measurements beside other engines. Throws as run_plugin_engine().
std::unique_ptr<BenchEngine> open_plugin_engine(const std::filesystem::path& file,
                                                const PluginEngineOptions& options,
                                                const NamedValues& inputs,
                                                const CancelToken& cancel = {});

}  // namespace lapidary
