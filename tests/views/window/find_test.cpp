// SPDX-License-Identifier: Apache-2.0
// The find box: what it understands, what it finds, and that every focus and page lets it open.
#include <QLineEdit>
#include <QListView>
#include <QTabWidget>
#include <QTest>
#include <QTreeView>

#include "graph/graph_page.h"
#include "models/find_query.h"
#include "optimize/optimize_page.h"
#include "optimize/pass_list_panel.h"
#include "window/find/command_palette.h"
#include "window/find/find_index.h"
#include "window/find/fuzzy_match.h"
#include "views/window_fixture.h"

namespace lapidary::views {
namespace {

FindSubject subject(const char* op, const char* name, double ms = -1, const char* type = "") {
    FindSubject made;
    made.op = QString::fromLatin1(op);
    made.name = QString::fromLatin1(name);
    made.type = QString::fromLatin1(type);
    made.text = made.op + u'\n' + made.name;
    made.ms = ms;
    return made;
}

TEST(FindQuery, WordsAndFilters) {
    const FindSubject conv = subject("conv", "layer.3/conv1", 1.5),
                      relu = subject("relu", "layer.3/relu", 0.02);
    EXPECT_TRUE(FindQuery(QStringLiteral("LAYER conv1")).matches(conv));
    EXPECT_FALSE(FindQuery(QStringLiteral("layer conv2")).matches(conv));
    EXPECT_TRUE(FindQuery(QStringLiteral("op:Conv time>1ms scope:layer.3")).matches(conv));
    EXPECT_FALSE(FindQuery(QStringLiteral("op:Conv time>2ms")).matches(conv));
    EXPECT_TRUE(FindQuery(QStringLiteral("time<50us")).matches(relu));
    EXPECT_FALSE(FindQuery(QStringLiteral("time<50us")).matches(conv));
    EXPECT_FALSE(FindQuery(QStringLiteral("time>0")).matches(subject("add", "a")))
        << "its time is not known";
    EXPECT_TRUE(FindQuery(QStringLiteral("op:conv op:relu")).matches(relu)) << "either operator";
    EXPECT_FALSE(FindQuery(QStringLiteral("scope:layer.4")).matches(conv));
    EXPECT_TRUE(FindQuery(QStringLiteral("type:f16")).matches(subject("", "x", -1, "f16[1,8]")));
    EXPECT_TRUE(FindQuery(QStringLiteral("com.microsoft::Gelu"))
                    .matches(subject("com.microsoft::gelu", "g")))
        << "a domain is no filter";
    EXPECT_TRUE(FindQuery(QStringLiteral("op:")).isEmpty()) << "still being typed";
    EXPECT_TRUE(FindQuery(QStringLiteral("time>")).problem().isEmpty());
    EXPECT_FALSE(FindQuery(QStringLiteral("time>fast")).problem().isEmpty());
}

class FindTest : public WindowTest {
protected:
    void openBox() {
        window_->showCommandPalette();
        ASSERT_TRUE(box()->isVisible());
        ASSERT_TRUE(
            waitFor([&] { return box()->isIndexed() && workbench_->jobs().jobs().isEmpty(); }));
    }
    CommandPalette* box() const { return window_->commandPalette(); }
    QLineEdit* line() const { return box()->findChild<QLineEdit*>(); }
    QListView* list() const { return box()->findChild<QListView*>(); }
    QStringList found() const {
        QStringList titles;
        for (int row = 0; row < list()->model()->rowCount(); ++row)
            titles << list()->model()->index(row, 0).data().toString();
        return titles;
    }
    void type(const QString& text) {
        line()->clear();
        QTest::keyClicks(line(), text);
    }
};

TEST_F(FindTest, FiltersFindNodesAndEnterShowsThem) {
    openSample("bert-tiny");
    window_->showPage(QStringLiteral("memory"));
    openBox();
    type(QStringLiteral("op:softmax"));
    ASSERT_GE(list()->model()->rowCount(), 2) << "one of each layer";
    const Graph& graph = workbench_->document()->model->graph;
    QTest::keyClick(line(), Qt::Key_Down);
    ASSERT_TRUE(workbench_->focus().node) << "arrows show where they are";
    EXPECT_EQ(graph.node(workbench_->focus().node).op_type, "Softmax");
    window_->showPage(QStringLiteral("optimize"));
    QTest::keyClick(line(), Qt::Key_Return);
    EXPECT_FALSE(box()->isVisible());
    EXPECT_EQ(window_->currentPage(), QStringLiteral("graph"));
    EXPECT_EQ(graph.node(workbench_->focus().node).op_type, "Softmax");
}

TEST_F(FindTest, AnOperatorsNameLeadsToItsNodeNotToACommandWithThoseLetters) {
    openSample("bert-tiny");
    openBox();
    type(QStringLiteral("erf"));
    QTest::keyClick(line(), Qt::Key_Return);
    const NodeId node = workbench_->focus().node;
    ASSERT_TRUE(node) << found().join(u'\n').toStdString();
    EXPECT_EQ(workbench_->document()->model->graph.node(node).op_type, "Erf");
    EXPECT_TRUE(beginsWords(QStringLiteral("mem peak"),
                            QStringLiteral("Memory: Go to the peak of memory")));
    EXPECT_FALSE(
        beginsWords(QStringLiteral("erf"), QStringLiteral("Tune: Verify the performance")));
}

TEST_F(FindTest, EscapeLeavesTheFocusAsItWas) {
    openSample("bert-tiny");
    openBox();
    type(QStringLiteral("op:softmax"));
    QTest::keyClick(line(), Qt::Key_Down);
    ASSERT_TRUE(workbench_->focus().node);
    QTest::keyClick(line(), Qt::Key_Escape);
    EXPECT_FALSE(workbench_->focus().node);
}

TEST_F(FindTest, TimesOfTheRunAreFilters) {
    openSample("mlp");
    openBox();
    type(QStringLiteral("time>0"));
    EXPECT_TRUE(found().isEmpty());
    EXPECT_TRUE(box()
                    ->findChild<QLabel*>(QStringLiteral("findNote"))
                    ->text()
                    .contains(QStringLiteral("F5")));
    box()->reject();
    runModel();
    openBox();
    type(QStringLiteral("time>0"));
    EXPECT_GE(found().size(), 2);
    type(QStringLiteral("time>1000s"));
    EXPECT_TRUE(found().isEmpty());
}

TEST_F(FindTest, TensorsPassesPagesAndSettingsAreFound) {
    openSample("bert-tiny");
    openBox();
    const Graph& graph = workbench_->document()->model->graph;
    const QString input = QString::fromStdString(graph.value(graph.inputs().front()).name);
    type(input);
    EXPECT_TRUE(found().contains(input)) << found().join(u'|').toStdString();
    type(QStringLiteral("fuse_attention"));
    ASSERT_TRUE(found().contains(QStringLiteral("fuse_attention")));
    list()->setCurrentIndex(
        list()->model()->index(int(found().indexOf(QStringLiteral("fuse_attention"))), 0));
    QTest::keyClick(line(), Qt::Key_Return);
    EXPECT_EQ(window_->currentPage(), QStringLiteral("optimize"));
    auto* optimize = qobject_cast<OptimizePage*>(window_->page(QStringLiteral("optimize")));
    auto* passes = optimize->findChild<PassListPanel*>();
    EXPECT_TRUE(passes->view()->currentIndex().data().toString().contains(
        QStringLiteral("fuse_attention")));
    openBox();
    type(QStringLiteral("settings"));
    EXPECT_TRUE(found().value(0).startsWith(QStringLiteral("Settings")))
        << found().value(0).toStdString();
    type(QStringLiteral("page run"));
    EXPECT_EQ(found().value(0), QStringLiteral("Show page: Run"));
    box()->reject();
}

TEST_F(FindTest, AllFoundNodesAreMarkedOnTheGraph) {
    openSample("bert-tiny");
    openBox();
    type(QStringLiteral("op:matmul"));
    const QStringList titles = found();
    const auto at = std::ranges::find_if(
        titles, [](const QString& t) { return t.startsWith(QStringLiteral("Mark all")); });
    ASSERT_NE(at, titles.end());
    list()->setCurrentIndex(list()->model()->index(int(at - titles.begin()), 0));
    QTest::keyClick(line(), Qt::Key_Return);
    EXPECT_EQ(window_->currentPage(), QStringLiteral("graph"));
    auto* graph = qobject_cast<GraphPage*>(window_->page(QStringLiteral("graph")));
    ASSERT_TRUE(waitFor([&] { return !graph->isLayingOut() && graph->canvas()->scene(); }));
    graph->search(QStringLiteral("op:matmul"));
    EXPECT_TRUE(find<QLabel>("searchCount")->text().contains(QStringLiteral("found")))
        << find<QLabel>("searchCount")->text().toStdString();
}

TEST_F(FindTest, ControlFOpensItOnEveryPageAndAtASmallSize) {
    openSample("mlp");
    window_->resize(1000, 640);
    for (const QString& id : window_->pageIds()) {
        window_->showPage(id);
        window_->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get(), patience_ms));
        QWidget* focused =
            QApplication::focusWidget() ? QApplication::focusWidget() : window_.get();
        QTest::keyClick(focused, Qt::Key_F, Qt::ControlModifier);
        EXPECT_TRUE(box()->isVisible()) << id.toStdString();
        EXPECT_LE(box()->width(), 1000 - 40);
        box()->reject();
    }
}

}  // namespace
}  // namespace lapidary::views
