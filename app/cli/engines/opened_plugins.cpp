// SPDX-License-Identifier: Apache-2.0
#include "cli/engines/opened_plugins.h"

#include <algorithm>
#include <filesystem>

#include <lapidary/engines/custom_operators.h>
#include <lapidary/base/error.h>
#include <lapidary/engines/plugins.h>

#include "worker/process/library_probe.h"

namespace lapidary::cli {

void open_found_plugins(const std::vector<std::string>& given, const std::vector<std::string>& off,
                        const OpeningOptions& options, Terminal& terminal) {
    const PluginPlaces places = plugin_places({given.begin(), given.end()});
    const auto is_off = [&](const std::filesystem::path& file) {
        std::error_code failed;
        return std::ranges::any_of(off, [&](const std::string& other) {
            return std::filesystem::equivalent(file, other, failed);
        });
    };
    const auto open = [&](const std::filesystem::path& file) {
        if (options.before) options.before(file.string());
        open_plugin(file);
    };
    for (const auto& file : find_plugins({places.given, {}})) {
        if (is_off(file)) continue;
        if (options.probes)
            app::require_safe_to_open(app::plugin_question, file, "plugin " + quote(file.string()),
                                      terminal.cancel);
        open(file);
    }
    for (const auto& file : find_plugins({{}, places.usual})) {
        if (is_off(file)) continue;
        try {
            open(file);
        } catch (const Error& error) { terminal.note(std::string("not used: ") + error.what()); }
    }
}

void open_custom_operator_libraries(const std::vector<std::string>& files,
                                    const OpeningOptions& options, Terminal& terminal) {
    for (const std::string& file : files) {
        if (options.before) options.before(file);
        if (options.probes)
            app::require_safe_to_open(app::custom_operators_question, file,
                                      "library of custom operators " + quote(file),
                                      terminal.cancel);
        for (const std::string& left_out : open_custom_operators(file).left_out)
            terminal.note(left_out);
    }
}

}  // namespace lapidary::cli
