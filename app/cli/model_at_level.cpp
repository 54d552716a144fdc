// SPDX-License-Identifier: Apache-2.0
#include "cli/model_at_level.h"

#include <chrono>

#include <fmt/format.h>

#include <lapidary/model_io.h>

namespace lapidary::cli {

LoadedModel load_at_level(const std::filesystem::path& path, const LevelOptions& options, const Progress& progress, bool keep_original) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    LoadedModel loaded;
    loaded.model = std::make_shared<const Model>(load_model(path, {}, progress));
    const auto then = Clock::now();
    loaded.load_ms = std::chrono::duration<double, std::milli>(then - start).count();
    if (!options.level) return loaded;
    OptimizeOptions optimizing;
    optimizing.level = *options.level;
    optimizing.disabled_passes = options.disabled_passes;
    optimizing.near_misses = false;
    OptimizeResult result = optimize(*loaded.model, optimizing, progress);
    if (keep_original) loaded.original = std::move(loaded.model);
    loaded.model = std::make_shared<const Model>(std::move(result.model));
    loaded.report = std::move(result.report);
    loaded.optimize_ms = std::chrono::duration<double, std::milli>(Clock::now() - then).count();
    return loaded;
}

std::string level_text(const PipelineReport& report) {
    return fmt::format("{}: {} nodes became {} in {} {}", name_of(report.level), report.nodes_before, report.nodes_after, report.rewrites.size(),
                       report.rewrites.size() == 1 ? "rewrite" : "rewrites");
}

}  // namespace lapidary::cli
