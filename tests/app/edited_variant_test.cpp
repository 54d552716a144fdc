// SPDX-License-Identifier: Apache-2.0
// Recipes with edits and rules of the user: edits first, then quantizing, then levels; the lines of
// an edited model are its rewrites.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>

#include "worker/jobs/step_job.h"
#include "worker/jobs/variant_job.h"
#include "worker/models/model_cache.h"
#include "worker/protocol/recipe.h"

namespace lapidary::app {
namespace {

constexpr const char* two_lines = "rename input input -> image\ndelete op:Relu\n";
constexpr const char* absolute_rule =
    "rule absolute \"a root\"\nmatch\n  y = Relu(x)\nreplace\n  y = Max(x, 0)\n";

ModelSource source_of(const Recipe& recipe) {
    ModelSource source;
    source.sample = "mlp";
    source.recipe = recipe;
    return source;
}

Recipe edited() {
    Recipe recipe;
    recipe.edits = two_lines;
    return recipe;
}

std::size_t count_of(const Model& model, std::string_view op) {
    return std::size_t(std::ranges::count_if(
        model.graph.nodes(), [&](NodeId id) { return model.graph.node(id).op_type == op; }));
}

std::string first_input(const Model& model) {
    return model.graph.value(model.graph.inputs().front()).name;
}

TEST(EditedVariant, ItsBaseIsTheEditedModelAndItsLinesAreRewrites) {
    const Recipe recipe = edited();
    EXPECT_TRUE(recipe.isBase());
    EXPECT_TRUE(recipe.isEditedAlone());
    EXPECT_FALSE(recipe.isOriginal());
    ModelCache cache;
    const Progress progress;
    const MadeVariant alone =
        VariantJob{source_of(recipe), nullptr}.run({progress, nullptr, {}, &cache});
    ASSERT_EQ(alone.report.rewrites.size(), 2u);
    EXPECT_EQ(alone.report.rewrites[0].rewrite.pass, "edit");
    EXPECT_EQ(alone.report.rewrites[1].rewrite.remark, "delete op:Relu");
    EXPECT_FALSE(alone.report.rewrites[1].rewrite.removed.empty());
    EXPECT_EQ(first_input(*alone.model), "image");
    EXPECT_EQ(count_of(*alone.model, "Relu"), 0u);

    const Step step =
        StepJob{source_of(recipe), 1, false, nullptr}.run({progress, nullptr, {}, &cache});
    EXPECT_EQ(first_input(*step.model), "image");
    EXPECT_GT(count_of(*step.model, "Relu"), 0u) << "the first line alone";

    Recipe level = recipe;
    level.level = Level::extended;
    EXPECT_EQ(level.base(), recipe);
    ASSERT_TRUE(base_of(source_of(level)).recipe);
    EXPECT_EQ(*base_of(source_of(level)).recipe, recipe);
    const MadeVariant optimized =
        VariantJob{source_of(level), nullptr}.run({progress, nullptr, {}, &cache});
    EXPECT_EQ(optimized.base, cache.get(source_of(recipe), {})) << "the level is applied to it";
    EXPECT_EQ(first_input(*optimized.model), "image");
    EXPECT_EQ(count_of(*optimized.model, "Relu"), 0u);
}

TEST(EditedVariant, IsEditedBeforeItIsQuantized) {
    Recipe recipe = edited();
    recipe.quantization.emplace();
    recipe.quantization->options.mode = QuantizeMode::weights;
    EXPECT_TRUE(recipe.isBase());
    EXPECT_FALSE(recipe.isQuantizedAlone()) << "it is edited too";
    ModelCache cache;
    const ModelPtr quantized = cache.get(source_of(recipe), {});
    EXPECT_EQ(first_input(*quantized), "image");
    EXPECT_EQ(count_of(*quantized, "Relu"), 0u);
    EXPECT_EQ(cache.get(source_of(recipe), {}), quantized) << "made once";
    Recipe level = recipe;
    level.level = Level::all;
    EXPECT_EQ(first_input(*cache.get(source_of(level), {})), "image");
}

TEST(RecipeRules, TravelInTheRecipeAndRunAtEachLevel) {
    Recipe recipe = Recipe::plain(Level::disabled);
    recipe.addRules({"my.rules", absolute_rule});
    const Recipe read = parse_recipe(recipe_text(recipe));
    EXPECT_EQ(read, recipe);
    EXPECT_FALSE(recipe.isPlainLevel());
    ModelCache cache;
    const ModelPtr made = cache.get(source_of(read), {});
    EXPECT_GT(count_of(*made, "Max"), 0u);
    EXPECT_EQ(count_of(*made, "Relu"), 0u);

    PassInfo rule;
    rule.name = "user:absolute";
    rule.level = Level::user;
    recipe.setPass(rule, false);
    EXPECT_FALSE(recipe.isOn(rule));
    EXPECT_EQ(count_of(*cache.get(source_of(recipe), {}), "Max"), 0u) << "switched off";
    recipe.removeRules("my.rules");
    EXPECT_EQ(recipe, Recipe::plain(Level::disabled)) << "its switch goes with it";
}

TEST(RecipeRules, AFileTakesThePlaceOfItsFormerText) {
    Recipe recipe = Recipe::plain(Level::all);
    recipe.addRules({"my.rules", absolute_rule});
    recipe.addRules({"my.rules", absolute_rule});
    EXPECT_EQ(recipe.rules.size(), 1u);
    EXPECT_THROW(recipe.addRules({"more.rules", absolute_rule}), Error) << "two rules of one name";
}

TEST(RecipeRules, MistakesAreNamed) {
    try {
        parse_recipe(R"({"rules": [{"file": "my.rules", "text": "rule a\nmatch\n"}]})");
        FAIL() << "a rule without an end was taken";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("my.rules:"), std::string::npos) << error.what();
    }
    EXPECT_THROW(parse_recipe(R"({"rules": [{"file": "my.rules"}]})"), Error);
}

}  // namespace
}  // namespace lapidary::app
