// SPDX-License-Identifier: Apache-2.0
// Finds out whether a plugin can be used, in a separate process that may crash.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <lapidary/engines/plugins.h>
#include <lapidary/base/progress.h>

namespace lapidary::app {

struct PluginProbe {
    std::filesystem::path file;
    std::optional<PluginInfo> info;  // empty: it cannot be used
    std::string reason;              // why not, a sentence without a full stop
};

/// Runs `lapidary-cli plugins --describe FILE`. Throws only cancelled and failures to allocate
/// memory. Without such a program the probe's reason says so.
PluginProbe probe_plugin(const std::filesystem::path& file, const CancelToken& cancel = {});

/// The part of the probing process: opens the plugin and returns the line that probe_plugin()
/// reads. The process ends itself after 20 seconds.
std::string describe_plugin(const std::filesystem::path& file);
/// The same for a library of custom operators: a JSON object, with "refused" if it cannot be used.
std::string describe_custom_operators(const std::filesystem::path& file);

}  // namespace lapidary::app
