// SPDX-License-Identifier: Apache-2.0
#include "cli/opened_plugins.h"

#include <lapidary/error.h>
#include <lapidary/plugins.h>

namespace lapidary::cli {

void open_found_plugins(const std::vector<std::string>& given, Terminal& terminal) {
    const PluginPlaces places = plugin_places({given.begin(), given.end()});
    for (const auto& file : find_plugins({places.given, {}})) open_plugin(file);
    for (const auto& file : find_plugins({{}, places.usual})) {
        try {
            open_plugin(file);
        } catch (const Error& error) {
            terminal.note(std::string("not used: ") + error.what());
        }
    }
}

}  // namespace lapidary::cli
