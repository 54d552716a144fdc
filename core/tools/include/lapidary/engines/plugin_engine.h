// SPDX-License-Identifier: Apache-2.0
// Engines of opened plugins: they run whole models by themselves, in this process, which they may
// end.
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
    /// its option `level`; nothing, or `all` of an engine without that option: as the engine likes
    std::optional<Level> level;
    /// its options of these names; 0: as the engine likes
    int intra_threads = 0, inter_threads = 0;
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

/// With the level, threads, execution mode and spinning of the configuration. Throws not_supported
/// where threads are not to spin, which an engine cannot be determined; what else it cannot be
/// determined is refused when it opens.
PluginEngineOptions with_configuration(PluginEngineOptions options,
                                       const RunConfiguration& configuration);

/// To be measured beside other engines. Throws as run_plugin_engine().
std::unique_ptr<BenchEngine> open_plugin_engine(const std::filesystem::path& file,
                                                const PluginEngineOptions& options,
                                                const NamedValues& inputs,
                                                const CancelToken& cancel = {});

}  // namespace lapidary
