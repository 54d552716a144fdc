// SPDX-License-Identifier: Apache-2.0
// A model in the engine of a plugin.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <vector>

#include <lapidary/engines/plugin_engine.h>

#include "engines/engine_session.h"

namespace lapidary {

/// What a session is made of.
struct PluginRequest {
    std::filesystem::path file;    // the model
    std::vector<std::byte> bytes;  // of the model, in place of the file; empty: the file
    PluginEngineOptions options;
    NamedValues inputs;        // of each run
    bool is_recorded = false;  // end_profiling() will be asked for
};

/// Throws invalid_input for an engine, option or input that is not there, not_supported in the
/// plugin's words.
std::unique_ptr<EngineSession> open_plugin_session(const PluginRequest& request);

}  // namespace lapidary
