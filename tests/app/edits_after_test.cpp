// SPDX-License-Identifier: Apache-2.0
// Edits of what a level made: recipes have them, steps go through them, files tell of them.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/export/passport.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/internal/text_file.h>
#include <lapidary/onnx_io/model_io.h>

#include "app/command_runner.h"
#include "cli/exit_code.h"
#include "support/test_data.h"
#include "worker/jobs/export_job.h"
#include "worker/jobs/step_job.h"
#include "worker/jobs/sweep_job.h"
#include "worker/jobs/variant_job.h"
#include "worker/models/model_cache.h"
#include "worker/protocol/recipe.h"

namespace lapidary::app {
namespace {

// Level extended makes FusedGemm of Gemm and Relu, which no line before the level could name.
constexpr const char* lines_for_fused =
    "set op:FusedGemm.activation = Tanh\nrename node * -> late/*\n";

Recipe late_recipe() {
    Recipe recipe = Recipe::plain(Level::extended);
    recipe.edits_after = lines_for_fused;
    return recipe;
}

ModelSource mlp_by(const Recipe& recipe) {
    ModelSource source;
    source.sample = "mlp";
    source.recipe = recipe;
    return source;
}

std::string fused_activation(const Model& model) {
    for (const NodeId id : model.graph.nodes())
        if (model.graph.node(id).op_type == "FusedGemm")
            return model.graph.node(id).string_attribute("activation", "");
    return "no FusedGemm";
}

bool has_late_names(const Model& model) {
    return std::ranges::all_of(model.graph.nodes(), [&](NodeId id) {
        return model.graph.node(id).name.starts_with("late/");
    });
}

TEST(EditsAfter, AreAppliedToWhatTheLevelMade) {
    const Recipe recipe = late_recipe();
    EXPECT_EQ(parse_recipe(recipe_text(recipe)), recipe);
    EXPECT_FALSE(recipe.isPlainLevel());
    EXPECT_FALSE(recipe.isBase());
    EXPECT_TRUE(recipe.base().isOriginal()) << "the level is applied to the model as opened";
    ModelCache cache;
    const Progress progress;
    const JobContext context{progress, nullptr, {}, &cache};
    const MadeVariant level =
        VariantJob{mlp_by(Recipe::plain(Level::extended)), nullptr}.run(context);
    const MadeVariant made = VariantJob{mlp_by(recipe), nullptr}.run(context);
    EXPECT_EQ(fused_activation(*level.model), "Relu");
    EXPECT_EQ(fused_activation(*made.model), "Tanh");
    EXPECT_TRUE(has_late_names(*made.model));
    EXPECT_EQ(fused_activation(*cache.get(mlp_by(recipe), {})), "Tanh");

    const std::size_t passed = level.report.rewrites.size() - level.session_rewrites;
    ASSERT_EQ(made.report.rewrites.size() - made.session_rewrites, passed + 2);
    EXPECT_EQ(made.report.rewrites[passed].rewrite.pass, "edit");
    EXPECT_EQ(made.report.rewrites[passed].rewrite.remark, "set op:FusedGemm.activation = Tanh");
    EXPECT_EQ(made.report.nodes_after, level.report.nodes_after);

    const auto step = [&](std::size_t count) {
        return StepJob{mlp_by(recipe), count, false, nullptr}.run(context).model;
    };
    EXPECT_EQ(fused_activation(*step(passed)), "Relu") << "the passes alone";
    EXPECT_EQ(fused_activation(*step(passed + 1)), "Tanh");
    EXPECT_FALSE(has_late_names(*step(passed + 1)));
    EXPECT_TRUE(has_late_names(*step(passed + 2)));
}

TEST(EditsAfter, FollowEditsAndQuantizing) {
    Recipe recipe = Recipe::plain(Level::disabled);
    recipe.edits = "rename input input -> image\n";
    recipe.quantization.emplace();
    recipe.quantization->options.mode = QuantizeMode::weights;
    recipe.edits_after = "rename input image -> picture\n";
    ModelCache cache;
    const ModelPtr made = cache.get(mlp_by(parse_recipe(recipe_text(recipe))), {});
    EXPECT_EQ(made->graph.value(made->graph.inputs().front()).name, "picture");
    Recipe without = recipe;
    without.edits_after.clear();
    const ModelPtr quantized = cache.get(mlp_by(without), {});
    EXPECT_EQ(quantized->graph.value(quantized->graph.inputs().front()).name, "image");
}

TEST(EditsAfter, MistakesAreNamed) {
    EXPECT_THROW(parse_recipe(R"({"edits_after": "delete op:Relu\n"})"), Error) << "no level";
    EXPECT_THROW(parse_recipe(R"({"level": "all", "edits_after": "vanish\n"})"), Error);
    EXPECT_THROW(parse_recipe(R"({"level": "all", "edits_after": "opset 21\n",
                                  "runs_on": {"engine": "onnxruntime"}})"),
                 Error)
        << "it optimizes by itself";
    Recipe recipe = Recipe::plain(Level::extended);
    recipe.edits_after = "delete op:Relu\n";  // fused by then
    ModelCache cache;
    try {
        cache.get(mlp_by(recipe), {});
        FAIL() << "a line that matches nothing was taken";
    } catch (const Error& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("edits after the level"), std::string::npos) << text;
        EXPECT_NE(text.find("line 1"), std::string::npos) << text;
    }
}

// It tries levels of its own.
TEST(EditsAfter, ASweepRefusesThem) {
    SweepJob job;
    job.model = mlp_by(Recipe());
    job.recipe = late_recipe();
    const Progress progress;
    EXPECT_THROW(job.run({progress}, {}), Error);
}

TEST(EditsAfter, AnExportHasThemAndTellsThem) {
    const TemporaryFolder folder;
    const Progress progress;
    ExportJob job;
    job.model.sample = "mlp";
    job.model.model = std::make_shared<const Model>(build_sample("mlp"));
    job.options.target = ExportTarget::portable;
    job.options.optimize.level = Level::extended;
    job.edits_after = lines_for_fused;
    job.file = folder / "after.onnx";
    job.run({progress});
    const Model written = load_model(job.file);
    EXPECT_EQ(fused_activation(written), "Tanh");
    EXPECT_TRUE(has_late_names(written));
    const std::optional<Passport> passport = passport_of(written);
    ASSERT_TRUE(passport);
    EXPECT_EQ(passport->edits_after, lines_for_fused);
    EXPECT_EQ(passport->level, "extended");
    EXPECT_EQ(passport->target, "portable");
    EXPECT_TRUE(passport->edits.empty());

    job.edits_after = "split at /layers.1/Relu_output_0 into a.onnx and b.onnx\n";
    EXPECT_THROW(job.run({progress}), Error);
}

class OptimizeEditsAfter : public testing::Test {
protected:
    OptimizeEditsAfter()
        : model_((folder_ / "m.onnx").string()), out_((folder_ / "out.onnx").string()) {
        save_model(build_sample("mlp"), model_);
    }
    TemporaryFolder folder_;
    std::string model_, out_;
};

TEST_F(OptimizeEditsAfter, TheCommandEditsWhatItMakes) {
    const std::string script = (folder_ / "late.txt").string();
    save_text(script, "# names\nrename node * -> late/*\n");
    const CommandOutcome done = run({"optimize", model_, "-o", out_, "--edits-after", script,
                                     "--edit-after", "opset 21", "--guard", "--json"});
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(done.json()["edits_after"]["lines"], 2);
    EXPECT_EQ(done.json()["edits_after"]["keeps_results"], true);
    EXPECT_EQ(done.json()["guard"]["matches"], true);
    EXPECT_EQ(done.json()["edits_after"]["guarded"], true);
    EXPECT_EQ(done.json()["notes"].dump().find("before the edits"), std::string::npos);
    EXPECT_TRUE(has_late_names(load_model(out_)));
    EXPECT_EQ(load_model(out_).opset(), 21);
}

TEST_F(OptimizeEditsAfter, TheGuardLeavesOutWhatMayChangeResults) {
    const CommandOutcome done = run({"optimize", model_, "-o", out_, "--edit-after",
                                     "set op:FusedGemm.activation = Tanh", "--guard", "--json"});
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(done.json()["edits_after"]["keeps_results"], false);
    EXPECT_EQ(done.json()["guard"]["matches"], true);
    EXPECT_EQ(done.json()["edits_after"]["guarded"], false);
    EXPECT_NE(done.json()["notes"].dump().find("before the edits"), std::string::npos);
    EXPECT_EQ(fused_activation(load_model(out_)), "Tanh");
}

TEST_F(OptimizeEditsAfter, TheVerdictSaysThatTheFileWasNotCompared) {
    const auto says = [&](const std::string& line, const std::vector<std::string>& sentences) {
        const CommandOutcome done =
            run({"optimize", model_, "-o", out_, "--edit-after", line, "--guard"});
        EXPECT_EQ(done.code, 0) << done.err;
        for (const std::string& sentence : sentences)
            EXPECT_NE(done.out.find(sentence), std::string::npos) << sentence << " in\n"
                                                                  << done.out;
    };
    const std::string verdict = "PASSED before the edits after the level: 1 of 1 output agrees";
    says("set op:FusedGemm.activation = Tanh",
         {verdict, "was not compared, because they may change results\n"});
    says("rename input * -> other",
         {verdict, "was not compared, because they change the names of inputs or outputs"});
    says("rename node * -> late/*", {"  PASSED: 1 of 1 output agrees"});
}

TEST_F(OptimizeEditsAfter, TheCommandRefusesWithTheLine) {
    const CommandOutcome refused =
        run({"optimize", model_, "-o", out_, "--edit-after", "delete op:Relu"});
    EXPECT_NE(refused.code, 0);
    EXPECT_NE(refused.err.find("line 1"), std::string::npos) << refused.err;
    EXPECT_FALSE(std::filesystem::exists(out_));
    EXPECT_NE(run({"optimize", model_, "--edit-after", "vanish"}).code, 0);
    EXPECT_EQ(
        run({"optimize", model_, "-o", out_, "--engine", "onnxruntime", "--edit-after", "opset 21"})
            .code,
        cli::exit_usage);
}

TEST_F(OptimizeEditsAfter, ARecipeRunsWithThem) {
    const CommandOutcome done =
        run({"run", model_, "--recipe", recipe_text(late_recipe()), "--json"});
    EXPECT_EQ(done.code, 0) << done.err;
}

}  // namespace
}  // namespace lapidary::app
