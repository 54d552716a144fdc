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

/// The request for a session.
struct PluginRequest {
    std::filesystem::path file;    // the model
    std::vector<std::byte> bytes;  // of the model, in place of the file; empty: the file
    PluginEngineOptions options;
    NamedValues inputs;        // of each run
    bool is_recorded = false;  // end_profiling() will be called
};

/// Throws invalid_input for an unknown engine, option or input, not_supported with the plugin's
/// message.
std::unique_ptr<EngineSession> open_plugin_session(const PluginRequest& request);

}  // namespace lapidary
