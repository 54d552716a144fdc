// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include <lapidary/engines/plugin_engine.h>

#include "plugin_host/plugin_engine.h"

namespace lapidary {

/// The engine of that name. Throws invalid_input if there is none, not_supported with the plugin's
/// message if it cannot be used.
PluginEngine usable_engine(const std::string& name);

/// The options for the engine: those of the user, and those for level and threads. Throws
/// invalid_input for an option that it does not have, not_supported for a level or threads that it
/// has no option for.
std::map<std::string, std::string> plugin_engine_options(const PluginInfo& info,
                                                         const PluginEngineOptions& wanted);

}  // namespace lapidary
