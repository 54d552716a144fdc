// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include <lapidary/engines/plugin_engine.h>

#include "plugin_host/plugin_engine.h"

namespace lapidary {

/// Throws invalid_input where there is none of that name, not_supported with the plugin's words
/// where it cannot be used.
PluginEngine usable_engine(const std::string& name);

/// What the engine is given: options of the user, and those that level and threads stand for.
/// Throws invalid_input for an option that it has not, not_supported for a level or threads that it
/// cannot be determined.
std::map<std::string, std::string> plugin_engine_options(const PluginInfo& info,
                                                         const PluginEngineOptions& wanted);

}  // namespace lapidary
