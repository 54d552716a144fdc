// SPDX-License-Identifier: Apache-2.0
// Models as commands want them: loaded, and optimized when a level is asked for.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/passes/optimize.h>

#include "cli/output/json_output.h"

namespace lapidary::cli {

/// --level, --disable-pass, --recipe, --session-passes and --channel-block of commands that run a
/// model.
struct LevelOptions {
    std::optional<Level> level;  // nothing: the default of the engine that runs it, here all
    std::vector<std::string> disabled_passes;
    // neighbouring nodes in one kernel; nothing: as the level has it
    std::optional<bool> session_passes;
    std::string recipe;              // JSON of app::Recipe, or a file that holds it; empty: none
    std::int64_t channel_block = 0;  // LoadOptions' own
};

struct LoadedModel {
    ModelPtr model;
    // as loaded, or quantized by a recipe, when the caller keeps it
    ModelPtr original;
    PipelineReport report;         // of optimizing
    SessionPasses session_passes;  // that its sessions run
    double load_ms = 0, optimize_ms = 0;
    // what was done about a memory layout of another CPU; empty: nothing
    std::string layout_note;
};

/// `path` may be "sample:NAME". A model that was laid out for another CPU is laid out for this one,
/// or refused with the reason (not_supported). `on_device`: it is optimized for providers of
/// plugins.
LoadedModel load_at_level(const std::filesystem::path& path, const LevelOptions& options,
                          const Progress& progress, bool keep_original = false,
                          bool on_device = false);

/// {"level", "nodes_before", "nodes_after", "rewrites"}: nodes of the model as loaded and at the
/// level, bodies counted; what sessions do to their own copy is not in it.
Json optimization_json(const PipelineReport& report);

/// "extended: 512 nodes became 203 in 180 rewrites".
std::string level_text(const PipelineReport& report);

}  // namespace lapidary::cli
