// SPDX-License-Identifier: Apache-2.0
// What a node is made of, what is made of it, what is near it: marked on the graph, by keys.
#include "graph/graph_page.h"
#include "graph/graph_trace.h"
#include "views/graph_models.h"
#include "views/window_fixture.h"

namespace lapidary::views {
namespace {

TEST(GraphTrace, FollowsTensorsBothWays) {
    const GraphOutline outline(chain_model(6));
    GraphSelection third;
    for (OutlineIndex leaf = 0; leaf < outline.leaves().size(); ++leaf)
        if (outline.leaves()[leaf].name == QStringLiteral("relu2")) third.leaf = leaf;
    ASSERT_NE(third.leaf, noIndex);
    EXPECT_EQ(traced(outline, third, TraceDirection::against, 0).size(), 4u)
        << "input, relu0 to relu2";
    EXPECT_EQ(traced(outline, third, TraceDirection::along, 0).size(), 5u)
        << "relu2 to relu5, output";
    EXPECT_EQ(traced(outline, third, TraceDirection::both, 1).size(), 3u);
    EXPECT_EQ(traced(outline, third, TraceDirection::both, 0).size(), 8u);
    EXPECT_TRUE(traced(outline, {}, TraceDirection::both, 0).empty());
}

TEST(GraphTrace, OfAGroupIsThatOfWhatItHolds) {
    const GraphOutline outline(scoped_model(3));
    GraphSelection block;
    for (OutlineIndex g = 0; g < outline.groups().size(); ++g)
        if (outline.groups()[g].label == QStringLiteral("block1")) block.group = g;
    ASSERT_NE(block.group, noIndex);
    EXPECT_EQ(traced(outline, block, TraceDirection::against, 0).size(), 1u + 7 + 7)
        << "input, two blocks";
    EXPECT_EQ(traced(outline, block, TraceDirection::along, 0).size(), 7u + 7 + 1);
}

TEST(GraphTrace, BetweenTwoNodesAreAllPaths) {
    const GraphOutline outline(scoped_model(3));
    const auto named = [&](const QString& block, const QString& name) {
        for (OutlineIndex leaf = 0; leaf < outline.leaves().size(); ++leaf)
            if (outline.leaves()[leaf].kind == OutlineLeaf::Kind::Node &&
                outline.nodeOf(outline.leaves()[leaf]).name ==
                    QStringLiteral("/layer0/%1/%2").arg(block, name).toStdString())
                return leaf;
        return noIndex;
    };
    const OutlineIndex first = named("block0", "conv2/Conv"), last = named("block1", "conv1/Conv");
    ASSERT_NE(first, noIndex);
    ASSERT_NE(last, noIndex);
    // conv2, relu2 and Add of one block; conv0, relu0 and conv1 of the next; not the way beside
    const std::vector<OutlineIndex> found = between(outline, first, last);
    EXPECT_EQ(found.size(), 6u);
    EXPECT_EQ(between(outline, last, first), found) << "in whichever order they are named";
    EXPECT_EQ(between(outline, first, first), std::vector<OutlineIndex>{first});
    // the sum of a block reads both the convolutions and what they began with
    const OutlineIndex sum = named("block1", "Add"), before = named("block0", "Add");
    EXPECT_EQ(between(outline, before, sum).size(), 8u);
}

TEST(GraphTrace, NothingIsBetweenWhatNoDataConnects) {
    auto model = std::make_unique<Model>();
    GraphEdit edit(model->graph);
    const ValueId x = edit.add_input("x", float_type({2}));
    edit.add_output(edit.node("Relu", {x}, {}, "left", "a"));
    edit.add_output(edit.node("Neg", {x}, {}, "right", "b"));
    edit.finish();
    const GraphOutline outline(finished(std::move(model)));
    const Graph& graph = outline.model()->graph;
    const OutlineIndex left = outline.leafOf(0, graph.nodes()[0]),
                       right = outline.leafOf(0, graph.nodes()[1]);
    EXPECT_TRUE(between(outline, left, right).empty());
}

class GraphTraceTest : public WindowTest {};

TEST_F(GraphTraceTest, KeysMarkAndTheFieldCounts) {
    workbench_->adopt(chain_model(6), QStringLiteral("chain"));
    auto* page = qobject_cast<GraphPage*>(window_->page(QStringLiteral("graph")));
    window_->showPage(QStringLiteral("graph"));
    ASSERT_TRUE(waitFor([&] { return page->canvas()->scene() && !page->isLayingOut(); }));
    workbench_->focusNode(workbench_->document()->model->graph.nodes()[2]);
    page->canvas()->setFocus();
    QTest::keyClick(page->canvas(), Qt::Key_Up, Qt::ControlModifier | Qt::ShiftModifier);
    const auto said = [&](const QString& text) {
        for (const QLabel* label : page->findChildren<QLabel*>())
            if (label->text() == text) return true;
        return false;
    };
    EXPECT_TRUE(said(QStringLiteral("4 marked")));
    QTest::keyClick(page->canvas(), Qt::Key_Down, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_TRUE(said(QStringLiteral("5 marked")));
    QTest::keyClick(page->canvas(), Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_TRUE(said(QStringLiteral("5 marked"))) << "two tensors each way";
    const auto leafOf = [&](std::size_t node) {
        return page->canvas()->scene()->outline->leafOf(
            0, workbench_->document()->model->graph.nodes()[node]);
    };
    page->canvas()->selectLeaves({leafOf(4), leafOf(1)});
    QTest::keyClick(page->canvas(), Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_TRUE(said(QStringLiteral("4 marked"))) << "relu1 to relu4";
}

}  // namespace
}  // namespace lapidary::views
