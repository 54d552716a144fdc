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
}

}  // namespace
}  // namespace lapidary::views
