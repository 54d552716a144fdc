// SPDX-License-Identifier: Apache-2.0
// Loads models for commands, and optimizes them if a level is given.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/passes/optimize.h>

#include "cli/output/json_output.h"

namespace lapidary::cli {

/// --level, --disable-pass, --rules, --recipe, --session-passes and --channel-block of commands
/// that run a model.
struct LevelOptions {
    std::optional<Level> level;  // empty: the default of the engine that runs it; of this one: all
    std::vector<std::string> disabled_passes;
    std::vector<RuleText> rules;  // of the user
    // whether neighbouring nodes share a kernel; empty: the level decides
    std::optional<bool> session_passes;
    std::string recipe;              // JSON of app::Recipe, or a file that holds it; empty: none
    std::int64_t channel_block = 0;  // LoadOptions' own
};

struct LoadedModel {
    ModelPtr model;
    // as loaded, or quantized by a recipe; null unless `keep_original`
    ModelPtr original;
    PipelineReport report;         // of optimizing
    SessionPasses session_passes;  // for its sessions
    double load_ms = 0, optimize_ms = 0;
    // how a memory layout for another CPU was changed; empty: it was not
    std::string layout_note;
};

/// `path` may be "sample:NAME". A memory layout for another CPU is converted to that of this CPU,
/// or refused with the reason (not_supported). `on_device`: optimizes for providers of plugins.
LoadedModel load_at_level(const std::filesystem::path& path, const LevelOptions& options,
                          const Progress& progress, bool keep_original = false,
                          bool on_device = false);

/// The same of a model at hand; `load_ms` is the time that fitting its layout took.
LoadedModel bring_to_level(Model model, const LevelOptions& options, const Progress& progress,
                           bool keep_original = false, bool on_device = false);

/// {"level", "nodes_before", "nodes_after", "rewrites"}: nodes of the model as loaded and at the
/// level, including subgraphs, without the session's own rewrites.
Json optimization_json(const PipelineReport& report);

/// "extended: 512 nodes became 203 in 180 rewrites".
std::string level_text(const PipelineReport& report);

}  // namespace lapidary::cli
