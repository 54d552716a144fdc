// SPDX-License-Identifier: Apache-2.0
// Whether a plugin can be used, asked of a process of its own, which it may crash.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <lapidary/engines/plugins.h>
#include <lapidary/base/progress.h>

namespace lapidary::app {

struct PluginProbe {
    std::filesystem::path file;
    std::optional<PluginInfo> info;  // nothing: it cannot be used
    std::string reason;              // why not, a sentence without a full stop
};

/// Runs `lapidary-cli plugins --describe FILE`. Throws nothing but cancelled and what memory asks
/// for: where there is no such program the probe says so.
PluginProbe probe_plugin(const std::filesystem::path& file, const CancelToken& cancel = {});

/// What the process that is asked does: opens the plugin and returns the line that probe_plugin()
/// reads. It ends itself where that takes longer than 20 seconds.
std::string describe_plugin(const std::filesystem::path& file);
/// The same of a library of custom operators: an object in JSON, with "refused" where it cannot be
/// used.
std::string describe_custom_operators(const std::filesystem::path& file);

}  // namespace lapidary::app
