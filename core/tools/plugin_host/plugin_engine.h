// SPDX-License-Identifier: Apache-2.0
// The description of a plugin's engine, before it loads a model.
#pragma once

#include <string>

#include <lapidary/engines/plugins.h>

#include "plugin_abi.h"

namespace lapidary {

/// Throws invalid_input where the plugin's struct lacks what an engine needs, or has a name that is
/// taken.
void check_plugin_engine(const std::string& plugin, const LpEngine& engine);

/// Both stay until the process ends.
struct PluginEngine {
    const LpEngine& engine;
    const PluginInfo& info;
};
/// Of an opened plugin. Throws invalid_input naming those that there are.
PluginEngine find_plugin_engine(const std::string& name);

}  // namespace lapidary
