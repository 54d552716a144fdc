// SPDX-License-Identifier: Apache-2.0
// The commands that list engines and devices, and the text by which recipes name them.
#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/internal/scratch_folder.h>

#include "app/command_runner.h"
#include "plugins/plugin_paths.h"
#include "worker/protocol/recipe.h"

namespace lapidary::app {
namespace {

TEST(RunsOnText, ComesBackAndRefuses) {
    const ProviderChoice choice = parse_provider_choice("cuda:device=1,precision=tf32");
    EXPECT_EQ(choice.options.at("precision"), "tf32");
    EXPECT_EQ(text_of(choice), "cuda:device=1,precision=tf32");
    Recipe recipe;
    recipe.level = Level::extended;
    RunsOn& on = recipe.runs_on.emplace();
    on.onnxruntime = true;
    on.providers = {choice};
    on.fallback = Fallback::forbid;
    EXPECT_EQ(parse_recipe(recipe_text(recipe)), recipe);
    EXPECT_FALSE(recipe.isPlainLevel());
    EXPECT_EQ(recipe.options().level, Level::disabled);
    EXPECT_THROW(parse_provider_choice("cuda:device"), Error);
    EXPECT_THROW(parse_provider_choice(":x=1"), Error);
    recipe.runs_on = RunsOn{};
    recipe.runs_on->plugin_engine = parse_provider_choice("abacus:wrong=run");
    EXPECT_EQ(parse_recipe(recipe_text(recipe)), recipe);
    EXPECT_EQ(recipe.options().level, Level::disabled);
    EXPECT_THROW(parse_recipe(R"({"level": "all", "runs_on": {"engine": ""}})"), Error);
    EXPECT_THROW(
        parse_recipe(R"({"level": "all", "runs_on": {"engine": "abacus", "providers": ["x"]}})"),
        Error);
    EXPECT_THROW(
        parse_recipe(R"({"level": "all", "runs_on": {"engine": "lapidary", "speed": "high"}})"),
        Error);
}

TEST(RunsOnText, WeightsIn16Bits) {
    Recipe recipe = Recipe::plain(Level::all);
    recipe.runs_on.emplace().compute = Compute::fp16;
    EXPECT_EQ(recipe_text(recipe),
              R"({"level":"all","runs_on":{"compute":"fp16","engine":"lapidary"}})");
    EXPECT_EQ(parse_recipe(recipe_text(recipe)), recipe);
    EXPECT_FALSE(recipe.runsInOtherEngine());
    EXPECT_TRUE(recipe.runs_on->isCpuOfThisProgram());
    SessionOptions options;
    place_on(options, recipe.runs_on);
    EXPECT_EQ(compute_of(options), Compute::fp16);
    for (
        const char* text :
        {R"({"level":"all","runs_on":{"compute":"fp16","engine":"onnxruntime"}})",
         R"({"level":"all","runs_on":{"compute":"fp16","engine":"lapidary","providers":["cuda"]}})",
         R"({"level":"all","runs_on":{"compute":"fp8","engine":"lapidary"}})"})
        EXPECT_THROW(parse_recipe(text), Error) << text;
}

TEST(EnginesCommand, MistakesAreReportedInASentence) {
    const ScratchFolder folder;
    expect_error(run({"run", "sample:mlp", "--engine", "onnxruntime", "--onnxruntime",
                      folder.path().string()}),
                 4, {"there is no libonnxruntime.so and no Python package onnxruntime"});
    expect_error(
        run({"run", "sample:mlp", "--engine", "onnxruntime", "--recipe", "{\"level\": \"all\"}"}),
        2, {"--recipe is an option of this program's engine"});
    expect_error(run({"run", "sample:mlp", "--onnxruntime", "x"}), 2, {"--onnxruntime"});
    const auto engines = run({"engines", "--onnxruntime", folder.path().string()});
    EXPECT_EQ(engines.code, 4);
    EXPECT_NE(engines.out.find("cannot be used: "), std::string::npos) << engines.out;
}

TEST(DevicesCommand, ReportsTheCpuAndThoseOfPlugins) {
    const auto devices =
        run({"devices", "--plugin", test::plugin_file("device").string(), "--json"});
    ASSERT_EQ(devices.code, 0) << devices.err;
    const Json list = devices.json().at("devices");
    ASSERT_EQ(list.size(), 3u);
    EXPECT_EQ(list[0].at("provider"), "CPU");
    EXPECT_EQ(list[1].at("id"), "pages:0");
    EXPECT_EQ(list[2].at("reason"), "it is broken for the tests");
}

}  // namespace
}  // namespace lapidary::app
