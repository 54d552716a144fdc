// SPDX-License-Identifier: Apache-2.0
#include "engines/plugin_options.h"

#include <algorithm>

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

bool has_option(const PluginInfo& info, const std::string& key) {
    return std::ranges::find(info.engine_options, key, &PluginOptionInfo::key) !=
           info.engine_options.end();
}

std::string list_of_options(const PluginInfo& info) {
    std::string known;
    for (const PluginOptionInfo& option : info.engine_options)
        known += (known.empty() ? "" : ", ") + option.key;
    return known.empty() ? "it has none" : "it has " + known;
}

}  // namespace

PluginEngine usable_engine(const std::string& name) {
    const PluginEngine found = find_plugin_engine(name);
    if (!found.info.engine_unusable.empty())
        fail_unsupported("engine " + quote(name) +
                         " cannot be used: " + found.info.engine_unusable);
    return found;
}

bool has_engine_option(const std::string& engine, const std::string& key) {
    return has_option(find_plugin_engine(engine).info, key);
}

std::map<std::string, std::string> plugin_engine_options(const PluginInfo& info,
                                                         const PluginEngineOptions& wanted) {
    const std::string place = "engine " + quote(info.engine);
    std::map<std::string, std::string> options = wanted.options;
    for (const auto& [key, value] : options)
        if (!has_option(info, key))
            fail_input(place + " has no option " + quote(key) + "; " + list_of_options(info));
    const auto give = [&](const std::string& key, const std::string& value, const char* what) {
        if (!has_option(info, key))
            fail_unsupported(place + " cannot be given " + what + ": it has no option " +
                             quote(key));
        options.try_emplace(key, value);
    };
    if (wanted.level && (*wanted.level != Level::all || has_option(info, "level")))
        give("level", std::string(name_of(*wanted.level)), "a level of optimizing");
    if (wanted.resources.threads > 0)
        give("intra_threads", std::to_string(wanted.resources.threads), "a number of threads");
    if (!wanted.resources.config.empty())
        fail_unsupported(place + " takes no session configuration of ONNX Runtime, found " +
                         quote(wanted.resources.config.begin()->first));
    if (wanted.resources.mode == ExecutionMode::parallel && wanted.resources.inter_threads > 0)
        give("inter_threads", std::to_string(wanted.resources.inter_threads),
             "how many nodes may run at once");
    return options;
}

}  // namespace lapidary
