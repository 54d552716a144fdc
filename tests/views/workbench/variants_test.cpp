// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>

#include <lapidary/inputs/samples.h>
#include <lapidary/inputs/usual_sizes.h>

#include "views/graph_models.h"
#include "workbench/workbench.h"

namespace lapidary::app {
namespace {

Recipe recipeOf(Level level) {
    Recipe recipe;
    recipe.level = level;
    return recipe;
}

class VariantsTest : public testing::Test {
protected:
    void SetUp() override {
        workbench_.adopt(std::make_shared<const Model>(build_sample("bert-tiny")),
                         QStringLiteral("tiny"));
    }
    bool idle() {
        return QTest::qWaitFor([this] { return store().isIdle(); }, 60'000);
    }
    VariantStore& store() { return workbench_.variants(); }
    Workbench workbench_;
};

TEST(Recipe, survives_its_json) {
    Recipe recipe = recipeOf(Level::all);
    recipe.disabled_passes = {"fuse_gelu", "merge_reshapes"};
    recipe.enabled_passes = {"approximate_gelu"};
    recipe.stop_after = 12;
    recipe.dimensions = {{"batch", 4}};
    EXPECT_EQ(recipeFromJson(toJson(recipe)), recipe);
    EXPECT_EQ(recipeFromJson(toJson(Recipe{})), Recipe{});
    EXPECT_EQ(commandLine(recipe, QStringLiteral("my model.onnx"), QStringLiteral("out.onnx")),
              QStringLiteral("lapidary-cli optimize 'my model.onnx' -o out.onnx --level all "
                             "--disable-pass fuse_gelu "
                             "--disable-pass merge_reshapes "
                             "--enable-pass approximate_gelu --stop-after 12 --dim batch=4"));
    EXPECT_EQ(shellWord(QStringLiteral("it's")), QStringLiteral("'it'\\''s'"));
    EXPECT_THROW(recipeFromJson(QStringLiteral("{\"level\":\"most\"}")), Error);
    EXPECT_THROW(recipeFromJson(QStringLiteral("{\"level\":\"all\",\"stop_after\":\"x\"}")), Error);
    EXPECT_THROW(recipeFromJson(QStringLiteral("[")), Error);
}

// A recipe of level disabled and nothing else is no original: it runs one kernel per node.
TEST(Recipe, level_disabled_is_no_original) {
    const Recipe disabled = recipeFromJson(QStringLiteral("{\"level\":\"disabled\"}"));
    EXPECT_FALSE(disabled.isOriginal());
    EXPECT_TRUE(disabled.isPlainLevel());
    EXPECT_EQ(disabled.running(), disabled);
    EXPECT_EQ(disabled.sessionPasses().set, SessionPasses::Set::preparing);
    EXPECT_EQ(nameOf(disabled), QStringLiteral("Disabled"));
    EXPECT_EQ(recipeFromJson(QStringLiteral("{}")), Recipe{});
    EXPECT_EQ(nameOf(Recipe{}), QStringLiteral("Original"));
    EXPECT_EQ(Recipe{}.running(), recipeOf(Level::all));
    EXPECT_EQ(runNameOf(Recipe{}), QStringLiteral("Original, run at level All"));
    EXPECT_EQ(runNameOf(disabled), QStringLiteral("Disabled"));
}

// Lists and titles name the level first, because the end of a long name is cut.
TEST(Recipe, edited_variants_are_told_apart) {
    Recipe recipe;
    recipe.edits = "delete relu_1\n";
    EXPECT_EQ(nameOf(recipe), QStringLiteral("edited: delete relu_1"));
    recipe.edits = "set conv.group = 2\n# a comment\n\nopset 21\ndelete relu_1";
    EXPECT_EQ(nameOf(recipe), QStringLiteral("edited: delete relu_1 (+2)"));
    Recipe after = recipeOf(Level::extended);
    after.edits_after = "opset 21\ndelete late\n";
    EXPECT_EQ(nameOf(after), QStringLiteral("Extended · then edited: delete late (+1)"));
    EXPECT_EQ(fileNameOf(after, QStringLiteral("net.onnx")),
              QStringLiteral("net.extended.edited.onnx"));
    EXPECT_EQ(commandLine(after, QStringLiteral("net.onnx"), QStringLiteral("out.onnx")),
              QStringLiteral("lapidary-cli optimize net.onnx -o out.onnx --level extended "
                             "--edit-after 'opset 21' --edit-after 'delete late'"));
    recipe.level = Level::basic;
    EXPECT_EQ(nameOf(recipe), QStringLiteral("Basic · edited: delete relu_1 (+2)"));
    recipe.rules.push_back({"my.rules", "rule a"});
    EXPECT_EQ(nameOf(recipe),
              QStringLiteral("Basic, rules of my.rules · edited: delete relu_1 (+2)"));
}

TEST(Recipe, lists_only_passes_that_leave_their_default) {
    for (const PassInfo& pass : all_passes()) {
        Recipe recipe;
        EXPECT_EQ(recipe.isOn(pass), pass.on_by_default);
        recipe.setPass(pass, !pass.on_by_default);
        EXPECT_EQ(recipe.isOn(pass), !pass.on_by_default);
        EXPECT_EQ(recipe.disabled_passes.size() + recipe.enabled_passes.size(), 1u);
        recipe.setPass(pass, pass.on_by_default);
        EXPECT_EQ(recipe, Recipe{});
    }
}

TEST_F(VariantsTest, are_made_in_order_and_once) {
    QSignalSpy made(&store(), &VariantStore::made);
    store().request({recipeOf(Level::extended), recipeOf(Level::disabled), recipeOf(Level::basic)});
    EXPECT_TRUE(store().isPending(recipeOf(Level::extended)));
    ASSERT_TRUE(idle());
    ASSERT_EQ(made.size(), 4);
    ASSERT_EQ(store().list().size(), 4u);
    EXPECT_TRUE(store().list()[0]->isOriginal());
    EXPECT_EQ(store().list()[1]->recipe.level, Level::extended);
    EXPECT_EQ(store().find(Recipe{}), store().original());
    const VariantPtr disabled = store().find(recipeOf(Level::disabled));
    EXPECT_FALSE(disabled->isOriginal());
    EXPECT_EQ(store().slot(Slot::A), disabled) << "what is compared runs at a level";
    EXPECT_EQ(store().slot(Slot::B)->recipe.level, Level::extended);
    const VariantPtr first = store().find(recipeOf(Level::extended));
    store().request({recipeOf(Level::extended)});
    EXPECT_TRUE(store().isIdle());
    EXPECT_EQ(store().find(recipeOf(Level::extended)), first);
    EXPECT_LT(first->report.nodes_after, first->report.nodes_before);
    EXPECT_GT(first->activations.peak_bytes, 0u);
    EXPECT_EQ(first->parent, store().original());
}

TEST_F(VariantsTest, a_newer_request_replaces_what_waits) {
    store().request({recipeOf(Level::basic), recipeOf(Level::extended), recipeOf(Level::all)});
    store().request({recipeOf(Level::basic)});
    ASSERT_TRUE(idle());
    EXPECT_TRUE(store().find(recipeOf(Level::basic)));
    EXPECT_FALSE(store().find(recipeOf(Level::all)));
}

TEST_F(VariantsTest, an_unknown_pass_fails_with_the_reason) {
    QSignalSpy failed(&store(), &VariantStore::failed);
    Recipe wrong = recipeOf(Level::basic);
    wrong.disabled_passes = {"no_such_pass"};
    store().request({wrong, recipeOf(Level::basic)});
    ASSERT_TRUE(idle());
    EXPECT_EQ(failed.size(), 1);
    EXPECT_TRUE(store().failureOf(wrong).contains(QStringLiteral("no_such_pass")));
    EXPECT_TRUE(store().find(recipeOf(Level::basic))) << "the next one is made all the same";
}

TEST_F(VariantsTest, another_model_begins_anew) {
    store().request({recipeOf(Level::basic)});
    ASSERT_TRUE(idle());
    const std::weak_ptr<const Variant> old = store().find(recipeOf(Level::basic));
    QSignalSpy opened(&workbench_, &Workbench::openedChanged);
    workbench_.adopt(views::chain_model(5), QStringLiteral("chain"));
    EXPECT_EQ(opened.size(), 1);
    EXPECT_TRUE(store().list().empty());
    EXPECT_FALSE(store().slot(Slot::A));
    EXPECT_TRUE(QTest::qWaitFor([&] { return old.expired(); }, 60'000))
        << "nothing holds the old variant";
}

TEST_F(VariantsTest, keep_their_runs) {
    RunSettings settings = workbench_.runSettings();
    settings.repetitions = 1;
    settings.warmups = 0;
    workbench_.setRunSettings(settings);
    const auto run = [&] {
        workbench_.startRun();
        return QTest::qWaitFor([this] { return !workbench_.isRunning(); }, 60'000) &&
               workbench_.run();
    };
    ASSERT_TRUE(run());
    const RunRecordPtr first = workbench_.run();
    EXPECT_EQ(first->model, store().find(recipeOf(Level::all))->model)
        << "the original runs at level all";
    EXPECT_EQ(workbench_.document(), workbench_.opened()) << "and stays what is drawn";
    const Graph& drawn = workbench_.opened()->model->graph;
    std::size_t fused = 0;
    for (const NodeTotal& total : first->summary.nodes) {
        if (!total.node) continue;
        const NodeId shown = workbench_.model().shownNode(*first->executed, total.node);
        ASSERT_TRUE(drawn.is_alive(shown)) << total.name;
        const NodeId ran = workbench_.model().ranNode(*first->executed, shown);
        ASSERT_TRUE(first->executed->graph.is_alive(ran)) << total.name;
        const auto& origins = first->executed->graph.node(ran).origins;
        EXPECT_NE(std::ranges::find(origins, shown), origins.end()) << total.name;
        fused += origins.size() > 1;
    }
    EXPECT_GT(fused, 0u);
    store().request({recipeOf(Level::extended)});
    ASSERT_TRUE(idle());
    QSignalSpy opened(&workbench_, &Workbench::openedChanged),
        shown(&workbench_, &Workbench::documentChanged);
    workbench_.showVariant(store().find(recipeOf(Level::extended)));
    EXPECT_EQ(opened.size(), 0);
    EXPECT_EQ(shown.size(), 1);
    EXPECT_FALSE(workbench_.run()) << "the variant was not run yet";
    ASSERT_TRUE(run());
    EXPECT_EQ(workbench_.run()->model, store().find(recipeOf(Level::extended))->model);
    workbench_.useRecipe(recipeOf(Level::all));
    EXPECT_EQ(workbench_.run(), first) << "at which the original runs";
    workbench_.showVariant(store().original());
    EXPECT_EQ(workbench_.run(), first);
    EXPECT_EQ(workbench_.document(), workbench_.opened());
}

TEST(ActivationEstimate, counts_what_is_alive_at_once) {
    const ModelPtr chain = views::chain_model(4);  // 32 bytes each, two alive at a time
    EXPECT_EQ(estimate_activations(*chain).peak_bytes, 64u);
    EXPECT_TRUE(estimate_activations(*chain).assumed.empty());
    const Model bert = build_sample("bert-tiny");
    const auto sizes = usual_sizes(bert).all;
    EXPECT_EQ(estimate_activations(bert).assumed, sizes) << "the sizes of a run";
    EXPECT_GT(estimate_activations(bert, {{"sequence", 2 * sizes.at("sequence")}}).peak_bytes,
              estimate_activations(bert).peak_bytes);
}

}  // namespace
}  // namespace lapidary::app
