// SPDX-License-Identifier: Apache-2.0
#include "cli/engines/plugin_engine_name.h"

#include <lapidary/base/error.h>
#include <lapidary/engines/plugins.h>

#include "cli/exit_code.h"

namespace lapidary::cli {

void require_plugin_engine(const std::string& name, const std::string& others) {
    std::string of_plugins;
    for (const PluginInfo* plugin : opened_plugins()) {
        if (plugin->engine.empty()) continue;
        if (plugin->engine == name) return;
        of_plugins += ", " + plugin->engine;
    }
    if (of_plugins.empty()) of_plugins = " or an engine of a plugin, and no open plugin has one";
    throw UsageError("--engine: there is no engine " + quote(name) + "; expected " + others +
                     of_plugins);
}

}  // namespace lapidary::cli
