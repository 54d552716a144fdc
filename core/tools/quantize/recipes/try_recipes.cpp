// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include <lapidary/base/error.h>
#include <lapidary/quantize/known_trials.h>

#include "graph/copy_model.h"
#include "quantize/recipes/quantize_recipes.h"

namespace lapidary {
namespace {

/// The recipe on all splits.
KnownTrial tried_recipe(const Model& model, const ModelPtr& original, const Recipe& recipe,
                        const SampleSourcePtr& samples, const Progress& quiet) {
    KnownTrial trial{recipe.name, 0, {}, {}};
    const std::size_t splits = samples->size() >= evaluation_period ? evaluation_period : 1;
    for (std::size_t split = 0; split < splits; ++split) {
        const SampleSplit parts = split_samples(samples, split);
        const QuantizeResult made =
            quantize_model(model, recipe.options, parts.calibration_samples.get(), quiet);
        if (split == 0) trial.weight_bytes = constant_bytes(made.model);
        trial.splits.push_back(evaluate_quantized(
            original, std::make_shared<const Model>(copy_model(made.model, quiet.cancel)),
            *parts.evaluation_samples, recipe.options.calibration.threads, quiet));
    }
    return trial;
}

}  // namespace

std::vector<KnownTrial> try_recipes(const Model& model, const QuantizeOptions& options,
                                    const SampleSourcePtr& samples, std::size_t shard,
                                    std::size_t shards, const Progress& progress) {
    if (!samples || samples->size() < 2)
        fail_input("recipes are judged on samples that gave no ranges: at least 2 are needed");
    if (shard >= shards)
        fail_input("there is no shard " + std::to_string(shard) + " of " + std::to_string(shards));
    const std::vector<Recipe> recipes = recipes_of(options, model);
    const auto original = std::make_shared<const Model>(copy_model(model, progress.cancel));
    std::vector<KnownTrial> tried;
    for (std::size_t i = shard; i < recipes.size(); i += shards) {
        progress.step(recipes[i].name,
                      static_cast<double>(i) / static_cast<double>(recipes.size()));
        try {
            tried.push_back(
                tried_recipe(model, original, recipes[i], samples, {progress.cancel, {}}));
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled || i == 0) throw;
            tried.push_back({recipes[i].name, 0, error.what(), {}});
        }
    }
    return tried;
}

}  // namespace lapidary
