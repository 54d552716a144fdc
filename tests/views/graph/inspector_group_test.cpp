// SPDX-License-Identifier: Apache-2.0
// The Inspector about a group of the drawing: what it holds, what goes in and out, what it costs.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "graph/graph_page.h"
#include "panels/inspector_panel.h"
#include "views/graph_models.h"
#include "views/window_fixture.h"
#include "widgets/text/quantity.h"

namespace lapidary::views {
namespace {

OutlineIndex groupNamed(const GraphOutline& outline, const QString& label) {
    for (OutlineIndex group = 0; group < outline.groups().size(); ++group)
        if (outline.groups()[group].label == label) return group;
    return noIndex;
}

struct InspectorGroupTest : testing::Test {
    app::Workbench workbench;
    InspectorPanel panel{workbench};
    GraphOutlinePtr outline;
    OutlineIndex group = noIndex;
    void SetUp() override {
        workbench.adopt(scoped_model(3), QStringLiteral("net"));
        outline = std::make_shared<const GraphOutline>(workbench.document()->model);
        group = groupNamed(*outline, QStringLiteral("block1"));
        ASSERT_NE(group, noIndex);
    }
    bool says(const QString& text) { return panel.plainText().contains(text); }
};

TEST_F(InspectorGroupTest, SaysWhatItHoldsAndWhatGoesInAndOut) {
    panel.showGroup({.outline = outline, .group = group});
    for (const char* text : {"block1", "Group", "7 nodes", "Conv", "Relu", "Add", "16 parameters"})
        EXPECT_TRUE(says(QString::fromLatin1(text))) << text;
    // seven results of 1 × 4 × 8 × 8 numbers; one weight that three nodes share
    EXPECT_TRUE(says(formatBytes(7 * 256 * sizeof(float))));
    EXPECT_TRUE(says(formatBytes(16 * sizeof(float))));
    EXPECT_TRUE(says(QStringLiteral("Not measured yet")));
    const Graph& graph = workbench.document()->model->graph;
    const auto resultOf = [&](std::size_t node) {
        return QString::fromStdString(graph.value(graph.node(graph.nodes()[node]).outputs[0]).name);
    };
    const QString text = panel.plainText();
    const qsizetype inputs = text.indexOf(QStringLiteral("Inputs")),
                    outputs = text.indexOf(QStringLiteral("Outputs")),
                    operators = text.indexOf(QStringLiteral("Operators"));
    ASSERT_TRUE(0 <= inputs && inputs < outputs && outputs < operators) << text.toStdString();
    EXPECT_TRUE(text.mid(inputs, outputs - inputs).contains(resultOf(6))) << "of block0";
    EXPECT_TRUE(text.mid(outputs, operators - outputs).contains(resultOf(13))) << "its own sum";
}

TEST_F(InspectorGroupTest, ItsTimeIsTheSumOfItsNodesAndTheSlowestAreLinks) {
    auto times = std::make_shared<LeafValues>();
    times->title = QStringLiteral("Time per run");
    times->byLeaf.assign(outline->leaves().size(), std::numeric_limits<float>::quiet_NaN());
    const auto nodes = workbench.document()->model->graph.nodes();
    times->byLeaf[outline->leafOf(0, nodes[0])] = 40;  // of another block
    times->byLeaf[outline->leafOf(0, nodes[7])] = 0.5f;
    times->byLeaf[outline->leafOf(0, nodes[9])] = 1.5f;
    panel.showGroup({.outline = outline, .group = group, .times = times});
    EXPECT_TRUE(says(formatMilliseconds(2))) << panel.plainText().toStdString();
    EXPECT_FALSE(says(formatMilliseconds(40)));
    EXPECT_LT(panel.plainText().indexOf(formatMilliseconds(1.5)),
              panel.plainText().indexOf(formatMilliseconds(0.5)))
        << "the slowest first";
    for (int i = 0; i < 20 && workbench.focus().node != nodes[9]; ++i) {
        panel.showGroup({.outline = outline, .group = group, .times = times});
        panel.browser();  // the links are those of the group again
        emit panel.browser()->anchorClicked(QUrl(QStringLiteral("link:%1").arg(i)));
        if (workbench.focus().node != nodes[9]) workbench.setFocus({});
    }
    EXPECT_EQ(workbench.focus().node, nodes[9]);
}

TEST_F(InspectorGroupTest, GroupsOfAnotherModelAreNotDescribed) {
    panel.showGroup({.outline = outline, .group = group});
    EXPECT_TRUE(says(QStringLiteral("block1")));
    workbench.adopt(chain_model(4), QStringLiteral("chain"));
    EXPECT_FALSE(says(QStringLiteral("block1")));
    EXPECT_TRUE(says(QStringLiteral("chain")));
}

class InspectorGroupWindowTest : public WindowTest {};

TEST_F(InspectorGroupWindowTest, AGroupThatIsSelectedIsDescribedWhereItIsSeen) {
    workbench_->adopt(scoped_model(16), QStringLiteral("net"));
    showDocks();
    auto* page = qobject_cast<GraphPage*>(window_->page(QStringLiteral("graph")));
    window_->showPage(QStringLiteral("graph"));
    ASSERT_TRUE(waitFor([&] { return page->canvas()->scene() && !page->isLayingOut(); }));
    for (QAction* action : page->pageActions())
        if (action->text() == QLatin1String("Close all groups")) action->trigger();
    ASSERT_TRUE(waitFor(
        [&] { return !page->isLayingOut() && page->canvas()->scene()->boxes.size() == 4; }));
    GraphCanvas* canvas = page->canvas();
    canvas->fit();
    const auto& boxes = canvas->scene()->boxes;
    const auto box =
        std::ranges::find_if(boxes, [](const SceneBox& each) { return each.group != noIndex; });
    ASSERT_NE(box, boxes.end());
    QTest::mouseClick(canvas, Qt::LeftButton, {},
                      canvas->fromScene(box->rect().center()).toPoint());
    ASSERT_EQ(canvas->selection().group, box->group);
    const auto describesGroup = [&] {
        return find<InspectorPanel>("inspectorPanel")
            ->plainText()
            .contains(QStringLiteral("56 nodes"));
    };
    EXPECT_TRUE(describesGroup());
    const OutlineIndex layer = canvas->selection().group;
    const OutlineIndex block = canvas->scene()->outline->groups()[layer].groups.at(0);
    emit find<InspectorPanel>("inspectorPanel")->browser()->anchorClicked(QUrl("request:0"));
    ASSERT_TRUE(waitFor([&] { return canvas->selection().group == block; }));
    const QString inner = find<InspectorPanel>("inspectorPanel")->plainText();
    EXPECT_TRUE(inner.contains(canvas->scene()->outline->groups()[block].label)) << "what is in it";
    EXPECT_TRUE(inner.contains(canvas->scene()->outline->groups()[layer].label))
        << "what is around";
    emit find<InspectorPanel>("inspectorPanel")->browser()->anchorClicked(QUrl("request:0"));
    ASSERT_TRUE(waitFor([&] { return canvas->selection().group == layer; }));
    EXPECT_TRUE(describesGroup());
    window_->showPage(QStringLiteral("tune"));
    EXPECT_FALSE(describesGroup()) << "that page shows no groups";
    window_->showPage(QStringLiteral("graph"));
    EXPECT_TRUE(describesGroup());
    workbench_->focusNode(workbench_->document()->model->graph.nodes()[0]);
    EXPECT_FALSE(describesGroup());
    EXPECT_TRUE(find<InspectorPanel>("inspectorPanel")
                    ->plainText()
                    .contains(QStringLiteral("Model › layer0 › block0")))
        << "the groups around a node";
    workbench_->setFocus({});
    EXPECT_FALSE(find<InspectorPanel>("inspectorPanel")
                     ->plainText()
                     .contains(QStringLiteral("layer0 › block0")));
}

}  // namespace
}  // namespace lapidary::views
