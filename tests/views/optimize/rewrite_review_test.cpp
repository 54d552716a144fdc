// SPDX-License-Identifier: Apache-2.0
// Rewrites as cards with pictures: what a picture holds, and the list of cards on the Optimize
// page.
#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QTabWidget>
#include <QTreeView>

#include <algorithm>

#include "optimize/change_panel.h"
#include "optimize/review/rewrite_review.h"
#include "optimize_fixture.h"

namespace lapidary::views {
namespace {

/// How many nodes of the picture have one of these parts in the rewrite.
std::size_t countOf(const GraphPicture& picture, std::initializer_list<PicturePart> parts) {
    return std::size_t(std::ranges::count_if(picture.nodes, [&](const PictureNode& node) {
        return std::ranges::find(parts, node.part) != parts.end();
    }));
}

TEST(RewritePicture, HasTheNodesOfTheRewriteAndTheirNeighbours) {
    const ModelPtr model = chain_model(5);
    AppliedRewrite applied;
    applied.rewrite.removed = {model->graph.nodes()[2]};
    const GraphPicture picture = pictureOf(*model, *model, applied).before;
    ASSERT_EQ(picture.nodes.size(), 3u);
    EXPECT_EQ(picture.nodes[0].part, PicturePart::neighbour);
    EXPECT_EQ(picture.nodes[1].part, PicturePart::removed);
    EXPECT_EQ(picture.nodes[2].part, PicturePart::neighbour);
    EXPECT_EQ(picture.nodes[2].layer, 2) << "each stands below what it reads from";
    EXPECT_EQ(picture.lines.size(), 2u);
    EXPECT_EQ(picture.left_out, 0u);
    EXPECT_EQ(operatorsOf(picture), QStringLiteral("Relu")) << "neighbours are not named";
}

TEST(RewritePicture, CountsWhatHasNoRoom) {
    const ModelPtr model = chain_model(most_picture_layers + 5);
    AppliedRewrite applied;
    applied.rewrite.changed.assign(model->graph.nodes().begin(), model->graph.nodes().end());
    const GraphPicture picture = pictureOf(*model, *model, applied).after;
    EXPECT_EQ(picture.nodes.size(), std::size_t(most_picture_layers));
    EXPECT_EQ(picture.layers.size(), std::size_t(most_picture_layers));
    EXPECT_EQ(picture.left_out, 5u);
}

TEST(RewritePicture, HasFewOfManyNeighbours) {
    auto model = std::make_unique<Model>();
    model->opset_imports[""] = 17;
    GraphEdit edit(model->graph);
    edit.set_default_version(17);
    const ValueId x = edit.add_input("x", float_type({2, 8}));
    const ValueId read = edit.node("Sigmoid", {x}, {}, "read");
    for (const char* name : {"a", "b", "c", "d", "e"})
        edit.add_output(edit.node("Relu", {read}, {}, name, name));
    edit.finish();
    const ModelPtr made = finished(std::move(model));
    AppliedRewrite applied;
    applied.rewrite.changed = {made->graph.nodes()[0]};
    const GraphPicture picture = pictureOf(*made, *made, applied).before;
    EXPECT_EQ(countOf(picture, {PicturePart::neighbour}), std::size_t(most_picture_neighbours));
    EXPECT_EQ(picture.left_out, 0u) << "of neighbours none is missed";
}

TEST(RewritePicture, IsEmptyWhereTheGraphIsNotThere) {
    const ModelPtr model = chain_model(2);
    AppliedRewrite applied;
    applied.place.steps.push_back({model->graph.nodes()[0], "then_branch"});
    applied.rewrite.removed = {model->graph.nodes()[1]};
    EXPECT_TRUE(pictureOf(*model, *model, applied).before.nodes.empty());
}

class RewriteReviewTest : public OptimizeTest {
protected:
    void showPictures() {
        find<QTabWidget>("optimizeTabs")->setCurrentWidget(find<ChangePanel>("changePanel"));
        find<QCheckBox>("changePictures")->setChecked(true);
        ASSERT_TRUE(review()->isVisible());
    }
    RewriteReview* review() const { return find<RewriteReview>("rewriteReview"); }
    bool complete() {
        return waitFor([this] { return review()->isComplete(); });
    }
};

TEST_F(RewriteReviewTest, EveryRewriteHasItsNodesBeforeAndAfter) {
    openAndOptimize("bert-tiny");
    EXPECT_FALSE(review()->isVisible()) << "the list by rules comes first";
    showPictures();
    EXPECT_FALSE(find<QTreeView>("changeList")->isVisible());
    const PipelineReport& report = page()->variant()->report;
    ASSERT_GT(report.rewrites.size(), 0u);
    EXPECT_EQ(std::size_t(review()->cards().rowCount()), report.rewrites.size());
    for (std::size_t step = 1; step <= report.rewrites.size(); ++step) {
        review()->showStep(step);
        ASSERT_TRUE(complete()) << step;
        const RewritePicture* picture = review()->cards().picture(step);
        ASSERT_TRUE(picture) << step;
        EXPECT_TRUE(picture->problem.isEmpty()) << step << picture->problem.toStdString();
        const AppliedRewrite& applied = report.rewrites[step - 1];
        if (applied.level == Level::session || !applied.place.is_main()) continue;
        using enum PicturePart;
        EXPECT_EQ(countOf(picture->after, {removed}), 0u) << step << ": it is gone";
        EXPECT_EQ(countOf(picture->before, {added}), 0u) << step << ": it was not there";
        if (!applied.rewrite.removed.empty())
            EXPECT_GT(countOf(picture->before, {removed}) + picture->before.left_out, 0u) << step;
        if (!applied.rewrite.added.empty())
            EXPECT_GT(countOf(picture->after, {added}) + picture->after.left_out, 0u) << step;
    }
    const QAbstractItemModelTester tester(review()->model(),
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    const QString tip = review()->model()->index(0, 0).data(Qt::ToolTipRole).toString();
    EXPECT_TRUE(tip.contains(QString::fromStdString(report.rewrites[0].rewrite.pass)));
    EXPECT_TRUE(tip.contains(QStringLiteral("before: "))) << tip.toStdString();
}

TEST_F(RewriteReviewTest, ACardGoesToItsStepAndFollowsTheSlider) {
    openAndOptimize("bert-tiny");
    showPictures();
    ASSERT_TRUE(complete());
    review()->scrollToTop();
    const QRect card = review()->visualRect(review()->model()->index(0, 0));
    QTest::mouseClick(review()->viewport(), Qt::LeftButton, {}, card.center());
    ASSERT_TRUE(settled());
    EXPECT_EQ(page()->shownStep(), 1);
    command(QStringLiteral("Next rewrite"))->trigger();
    ASSERT_TRUE(settled());
    EXPECT_EQ(review()->currentIndex().row(), 1);
    EXPECT_TRUE(
        review()->viewport()->rect().intersects(review()->visualRect(review()->currentIndex())));
}

TEST_F(RewriteReviewTest, ThereAreNoneWhereNothingIsRewritten) {
    workbench_->adopt(plainModel(), QStringLiteral("plain"));
    window_->showPage(QStringLiteral("optimize"));
    ASSERT_TRUE(optimized());
    find<QTabWidget>("optimizeTabs")->setCurrentWidget(find<ChangePanel>("changePanel"));
    ASSERT_TRUE(page()->variant()->report.rewrites.empty());
    EXPECT_FALSE(find<QCheckBox>("changePictures")->isVisible());
    EXPECT_FALSE(review()->isVisible());
}

}  // namespace
}  // namespace lapidary::views
