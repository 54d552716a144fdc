// SPDX-License-Identifier: Apache-2.0
// What Find finds is afterwards marked in the middle of the drawing, however deep in groups it is.
#include <QLineEdit>
#include <QListView>
#include <QTest>

#include "graph/graph_page.h"
#include "views/graph_models.h"
#include "window/find/command_palette.h"
#include "views/window_fixture.h"

namespace lapidary::views {
namespace {

class FindArrival : public WindowTest {
protected:
    GraphPage* page() const {
        return qobject_cast<GraphPage*>(window_->page(QStringLiteral("graph")));
    }
    GraphCanvas* canvas() const { return page()->canvas(); }
    const GraphOutline& outline() const { return *canvas()->scene()->outline; }
    bool drawn() const {
        return waitFor([this] { return canvas()->scene() && !page()->isLayingOut(); });
    }
    void open(ModelPtr model) {
        workbench_->adopt(std::move(model), QStringLiteral("generated"));
        ASSERT_TRUE(drawn());
    }
    void closeAll() {
        command(QStringLiteral("Close all groups"))->trigger();
        ASSERT_TRUE(drawn());
    }
    /// The leaf has a box of its own, marked, chosen, and in the middle of the canvas.
    void expectAt(OutlineIndex leaf, const std::string& what) const {
        ASSERT_TRUE(drawn());
        const GraphScene& scene = *canvas()->scene();
        const OutlineIndex box = scene.boxOfLeaf[leaf];
        ASSERT_NE(box, noIndex) << what << " is not drawn";
        EXPECT_EQ(scene.boxes[box].leaf, leaf) << what << " is hidden in a group";
        EXPECT_TRUE(canvas()->rect().contains(
            canvas()->fromScene(scene.boxes[box].rect().center()).toPoint()))
            << what;
        EXPECT_LT(
            QLineF(canvas()->fromScene(scene.boxes[box].rect().center()), canvas()->rect().center())
                .length(),
            4)
            << what << " is not in the middle";
        EXPECT_GE(canvas()->scale(), readableScale) << what;
    }
    /// Enter in Ctrl+F at a node or tensor: the focus, then the page.
    void arriveAt(NodeId node, ValueId value, const GraphPtr& body) {
        app::Focus focus;
        focus.node = node;
        focus.value = value;
        focus.body = body;
        workbench_->setFocus(focus);
        emit window_->commandPalette()->nodeChosen();
    }
};

TEST_F(FindArrival, EveryLeafIsReachedThroughAllGroupsAroundIt) {
    for (const ModelPtr& model : {scoped_model(20), branching_model(), ort_cnn_model(4)}) {
        window_->showPage(QStringLiteral("start"));
        open(model);
        if (command(QStringLiteral("Close all groups"))->isEnabled()) closeAll();
        const auto leaves = outline().leaves();
        for (OutlineIndex leaf = 0; leaf<leaves.size(); leaf += leaves.size()> 40 ? 9 : 1) {
            const OutlineLeaf& l = leaves[leaf];
            window_->showPage(QStringLiteral("optimize"));
            arriveAt(l.node, l.value, l.place == 0 ? nullptr : outline().places()[l.place].graph);
            EXPECT_EQ(window_->currentPage(), QStringLiteral("graph"));
            ASSERT_NO_FATAL_FAILURE(
                expectAt(leaf, l.name.toStdString() + " (" + l.title.toStdString() + ")"));
        }
    }
}

TEST_F(FindArrival, AWeightLeadsToTheNodeThatReadsIt) {
    open(scoped_model(20));
    closeAll();
    const Graph& graph = workbench_->document()->model->graph;
    const NodeId reader = graph.nodes().front();
    arriveAt({}, graph.node(reader).inputs[1], nullptr);
    expectAt(outline().leafOf(0, reader), "the first convolution");
}

TEST_F(FindArrival, WhileTheGraphIsStillBeingDrawn) {
    workbench_->adopt(scoped_model(20), QStringLiteral("generated"));
    const NodeId node = workbench_->document()->model->graph.nodes()[100];
    arriveAt(node, {}, nullptr);
    ASSERT_TRUE(drawn());
    expectAt(outline().leafOf(0, node), "node 100");
}

TEST_F(FindArrival, AnotherPageThatShowsItStaysAndTheGraphFollows) {
    open(scoped_model(20));
    closeAll();
    window_->showPage(QStringLiteral("memory"));
    const NodeId node = workbench_->document()->model->graph.nodes()[70];
    arriveAt(node, {}, nullptr);
    EXPECT_EQ(window_->currentPage(), QStringLiteral("memory"));
    window_->showPage(QStringLiteral("graph"));
    expectAt(outline().leafOf(0, node), "node 70");
}

TEST_F(FindArrival, EnterInBothFields) {
    open(scoped_model(20));
    closeAll();
    const auto leafCalled = [&](const char* name) {
        for (const NodeId id : workbench_->document()->model->graph.nodes())
            if (workbench_->document()->model->graph.node(id).name == name)
                return outline().leafOf(0, id);
        return noIndex;
    };
    window_->showCommandPalette();
    ASSERT_TRUE(waitFor([&] { return window_->commandPalette()->isIndexed(); }));
    auto* line = window_->commandPalette()->findChild<QLineEdit*>();
    QTest::keyClicks(line, QStringLiteral("scope:block17 op:Add"));
    QTest::keyClick(line, Qt::Key_Return);
    expectAt(leafCalled("/layer2/block17/Add"), "Ctrl+F");
    closeAll();
    QTest::keyClicks(page()->searchField(), QStringLiteral("block9/conv1"));
    QTest::keyClick(page()->searchField(), Qt::Key_Return);
    expectAt(leafCalled("/layer1/block9/conv1/Conv"), "the page's field");
}

}  // namespace
}  // namespace lapidary::views
