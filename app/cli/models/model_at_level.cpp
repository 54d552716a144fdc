// SPDX-License-Identifier: Apache-2.0
#include "cli/models/model_at_level.h"

#include <chrono>

#include <fmt/format.h>

#include <lapidary/passes/device_passes.h>
#include <lapidary/base/error.h>
#include <lapidary/export/passport.h>
#include <lapidary/report/pipeline_json.h>
#include <lapidary/base/quantity_text.h>
#include <lapidary/internal/text_file.h>

#include "worker/models/edited_model.h"
#include "worker/models/quantized_file.h"
#include "worker/protocol/recipe.h"

#include "cli/models/model_argument.h"

namespace lapidary::cli {

namespace {

constexpr std::uint64_t most_recipe_bytes = 1 << 20;

app::Recipe recipe_of(const std::string& text) {
    if (text.find_first_not_of(" \t\r\n") != std::string::npos &&
        text[text.find_first_not_of(" \t\r\n")] == '{')
        return app::parse_recipe(text);
    const std::string contents = load_text(text, most_recipe_bytes);
    try {
        return app::parse_recipe(contents);
    } catch (Error& error) { throw error.at(text); }
}

}  // namespace

LoadedModel load_at_level(const std::filesystem::path& path, const LevelOptions& options,
                          const Progress& progress, bool keep_original, bool on_device) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    Model model = load_model_argument(path.string(), options.channel_block, progress);
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    LoadedModel loaded =
        bring_to_level(std::move(model), options, progress, keep_original, on_device);
    loaded.load_ms += ms;
    return loaded;
}

LoadedModel bring_to_level(Model model, const LevelOptions& options, const Progress& progress,
                           bool keep_original, bool on_device) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    LoadedModel loaded;
    loaded.layout_note = fit_layout(model, progress);
    loaded.model = std::make_shared<const Model>(std::move(model));
    const auto then = Clock::now();
    loaded.load_ms = std::chrono::duration<double, std::milli>(then - start).count();
    OptimizeOptions optimizing;
    std::string edits_after;
    if (options.recipe.empty()) {
        optimizing.level = options.level.value_or(default_run_level);
        optimizing.disabled_passes = options.disabled_passes;
        optimizing.rules = options.rules;
        loaded.session_passes = {session_passes_for(options.session_passes, optimizing.level),
                                 options.disabled_passes};
    } else {
        app::Recipe recipe = recipe_of(options.recipe).running();
        if (recipe.runs_on)
            fail_input(
                "the recipe says what the model runs on; name that by --engine, --provider and "
                "--compute instead");
        if (options.session_passes) recipe.session_passes = options.session_passes;
        if (recipe.other_model) {
            if (keep_original) loaded.original = loaded.model;
            loaded.model = std::make_shared<const Model>(
                app::load_other(*recipe.other_model, *loaded.model, progress));
        }
        if (!recipe.edits.empty()) {
            if (keep_original && !loaded.original) loaded.original = loaded.model;
            loaded.model = app::edited_model(loaded.model, recipe.edits, progress);
        }
        if (recipe.quantization) {
            if (keep_original && !loaded.original) loaded.original = loaded.model;
            loaded.model = std::make_shared<const Model>(
                app::quantized_model(loaded.model, *recipe.quantization, progress));
        }
        optimizing = recipe.options();
        edits_after = recipe.edits_after;
        loaded.session_passes = recipe.sessionPasses();
    }
    optimizing.near_misses = false;
    if (on_device) optimizing.provider = device_passes;
    OptimizeResult result = optimize(*loaded.model, optimizing, progress);
    if (keep_original && !loaded.original) loaded.original = std::move(loaded.model);
    loaded.model = std::make_shared<const Model>(std::move(result.model));
    loaded.report = std::move(result.report);
    if (!edits_after.empty()) {
        loaded.model = app::edited_after_level(loaded.model, edits_after, progress);
        loaded.report.nodes_after = count_nodes(loaded.model->graph);
    }
    loaded.optimize_ms = std::chrono::duration<double, std::milli>(Clock::now() - then).count();
    return loaded;
}

Json optimization_json(const PipelineReport& report) {
    return {{"level", name_of(report.level)},
            {"nodes_before", report.nodes_before},
            {"nodes_after", report.nodes_after},
            {"rewrites", totals_of(report).level_rewrites}};
}

std::string level_text(const PipelineReport& report) {
    return fmt::format(
        "{}: {} became {} in {}", name_of(report.level),
        count_text(static_cast<std::int64_t>(report.nodes_before), "node"), report.nodes_after,
        count_text(static_cast<std::int64_t>(totals_of(report).level_rewrites), "rewrite"));
}

}  // namespace lapidary::cli
