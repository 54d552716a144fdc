// SPDX-License-Identifier: Apache-2.0
// Another model is opened: nothing that was typed, chosen, marked or coloured for the one before is
// left. The test walks over all widgets that have a state, whichever they are, and compares them
// with those of a window that never had another model.
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QComboBox>
#include <QLineEdit>
#include <QTabWidget>

#include <map>

#include "graph/graph_page.h"
#include "panels/inspector_panel.h"
#include "run/nodes/node_table.h"
#include "window/help/coach_mark.h"
#include "window/help/tour.h"
#include "views/window_fixture.h"

namespace lapidary::views {
namespace {

using States = std::map<std::string, std::string>;

/// "MainWindow:mainWindow/QWidget:0/…": names where there are some, else the number among siblings
/// of its kind.
std::string pathOf(const QWidget& widget) {
    std::string own = widget.metaObject()->className();
    own += ':';
    if (!widget.objectName().isEmpty()) {
        own += widget.objectName().toStdString();
    } else if (const QWidget* parent = widget.parentWidget()) {
        int place = 0;
        for (const QObject* sibling : parent->children()) {
            if (sibling == &widget) break;
            place += sibling->isWidgetType() && sibling->metaObject() == widget.metaObject();
        }
        own += std::to_string(place);
    }
    return widget.parentWidget() && !widget.isWindow() ? pathOf(*widget.parentWidget()) + '/' + own
                                                       : own;
}

/// What can be typed, chosen or marked in the widget; empty: it has no state.
std::string stateOf(const QWidget& widget) {
    if (const auto* field = qobject_cast<const QLineEdit*>(&widget))
        return "text \"" + field->text().toStdString() + '"';
    if (const auto* choice = qobject_cast<const QComboBox*>(&widget))
        return "choice " + choice->currentText().toStdString();
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
        return button->isCheckable() ? (button->isChecked() ? "checked" : "unchecked") : "";
    if (const auto* view = qobject_cast<const QAbstractItemView*>(&widget)) {
        if (!view->selectionModel()) return {};
        return "selected rows: " + std::to_string(view->selectionModel()->selectedIndexes().size());
    }
    if (const auto* canvas = qobject_cast<const GraphCanvas*>(&widget))
        return "selection " + std::to_string(!canvas->selection().isEmpty()) + ", marks " +
               std::to_string(canvas->matches().size()) + ", colours " +
               std::to_string(int(canvas->colorBy()));
    if (qobject_cast<const CoachMark*>(&widget)) return widget.isVisible() ? "bubble" : "none";
    return {};
}

States statesOf(const QWidget& window) {
    States states;
    for (const QWidget* widget : window.findChildren<QWidget*>())
        if (widget->window() == &window)
            if (std::string state = stateOf(*widget); !state.empty())
                states.emplace(pathOf(*widget), std::move(state));
    return states;
}

class NextModel : public WindowTest {
protected:
    void idle() {
        ASSERT_TRUE(waitFor([this] { return workbench_->jobs().jobs().isEmpty(); }));
        QCoreApplication::processEvents();
    }
    void visitAllPages() {
        for (const QString& id : window_->pageIds()) {
            window_->showPage(id);
            idle();
        }
        window_->showPage(QStringLiteral("graph"));
        idle();
    }
    /// Types into each field and chooses the first row of each table that is there, on each tab of
    /// each page.
    void leaveMarksEverywhere() {
        for (const QString& id : window_->pageIds()) {
            window_->showPage(id);
            idle();
            markPage(*window_->page(id));
        }
        auto* colours = find<QComboBox>("colorBy");
        colours->setCurrentIndex(colours->findText(QStringLiteral("Colour by time")));
        const auto* graph = qobject_cast<GraphPage*>(window_->page(QStringLiteral("graph")));
        EXPECT_EQ(graph->canvas()->colorBy(), ColorBy::Value);
        workbench_->focusNode(workbench_->document()->model->graph.nodes().front());
    }
    void markPage(QWidget& page) {
        for (auto* tabs : page.findChildren<QTabWidget*>())
            for (int tab = 0; tab < tabs->count(); ++tab)
                if (tabs->isTabVisible(tab)) tabs->setCurrentIndex(tab), markShown(page);
        markShown(page);
        for (auto* tabs : page.findChildren<QTabWidget*>()) tabs->setCurrentIndex(0);
    }
    void markShown(QWidget& page) {
        for (auto* view : page.findChildren<QAbstractItemView*>())
            if (view->isVisible() && view->model() && view->model()->rowCount() > 0)
                view->setCurrentIndex(view->model()->index(0, 0)), ++marked_;
        QCoreApplication::processEvents();
        for (auto* field : page.findChildren<QLineEdit*>()) {
            const QWidget* parent = field->parentWidget();
            const bool isPart =
                qobject_cast<const QComboBox*>(parent) || parent->inherits("QAbstractSpinBox");
            if (field->isVisible() && field->isEnabled() && !field->isReadOnly() &&
                !field->validator() && !isPart)
                field->setText(QStringLiteral("e")), ++marked_;
        }
        QCoreApplication::processEvents();
    }
    int marked_ = 0;
};

TEST_F(NextModel, NothingOfTheModelBeforeIsLeft) {
    openSample("lenet");
    visitAllPages();
    const States fresh = statesOf(*window_);
    TearDown();
    SetUp();
    window_->tour()->start();
    openSample("bert-tiny");
    ASSERT_TRUE(waitFor([this] { return window_->tour()->step() > 0; }));
    runModel();
    leaveMarksEverywhere();
    EXPECT_GT(marked_, 20) << "the walk found too little to mark";
    openSample("lenet");
    visitAllPages();
    EXPECT_FALSE(window_->tour()->isRunning()) << "its tool tips are about the model before";
    const States after = statesOf(*window_);
    int compared = 0;
    for (const auto& [path, state] : after) {
        const auto before = fresh.find(path);
        if (before == fresh.end()) continue;
        ++compared;
        EXPECT_EQ(state, before->second) << path;
    }
    EXPECT_GT(compared, 100);
    EXPECT_FALSE(workbench_->focus().node);
}

TEST_F(NextModel, AnOperatorThatWasPickedHidesNothingOfTheNext) {
    openSample("mlp");
    runModel();
    auto* bars = find<QAbstractItemView>("operatorBars");
    for (int row = 0; row < bars->model()->rowCount(); ++row)
        if (bars->model()->index(row, 0).data().toString() == QLatin1String("Gemm"))
            bars->setCurrentIndex(bars->model()->index(row, 0));
    auto* only = find<QToolButton>("onlyOperator");
    EXPECT_EQ(only->text(), QStringLiteral("Gemm only")) << "what hides the others is named";
    runModel();
    EXPECT_EQ(only->text(), QStringLiteral("Gemm only")) << "of the same model it stays";
    EXPECT_FALSE(bars->selectionModel()->selectedRows().isEmpty());
    only->click();
    EXPECT_FALSE(only->isVisible());
    EXPECT_TRUE(bars->selectionModel()->selectedRows().isEmpty());
    bars->setCurrentIndex(bars->model()->index(0, 0));
    openSample("lenet");
    runModel();
    EXPECT_FALSE(only->isVisible());
    EXPECT_GT(runPage()->findChild<NodeTable*>()->table()->model()->rowCount(), 3);
}

TEST_F(NextModel, TheInspectorShowsNoSelectionOfAnotherPage) {
    openSample("mlp");
    showDocks();
    auto* inspector = window_->findChild<InspectorPanel*>();
    window_->showPage(QStringLiteral("graph"));
    const NodeId node = workbench_->document()->model->graph.nodes().front();
    workbench_->focusNode(node);
    EXPECT_TRUE(inspector->plainText().contains(QStringLiteral("node 1 of")));
    window_->showPage(QStringLiteral("tune"));
    EXPECT_FALSE(inspector->plainText().contains(QStringLiteral("node 1 of")))
        << "chosen on the Graph page";
    EXPECT_TRUE(inspector->plainText().startsWith(QStringLiteral("mlp")));
    workbench_->focusNode(workbench_->document()->model->graph.nodes()[1]);
    EXPECT_TRUE(inspector->plainText().contains(QStringLiteral("node 2 of")))
        << "chosen while the page is shown";
    window_->showPage(QStringLiteral("run"));
    EXPECT_TRUE(inspector->plainText().contains(QStringLiteral("node 2 of")));
}

}  // namespace
}  // namespace lapidary::views
