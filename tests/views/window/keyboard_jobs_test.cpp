// SPDX-License-Identifier: Apache-2.0
// The commonest jobs done by keys alone, their steps counted; every button is reached without a
// mouse, and the keys of a page work wherever the focus is.
#include <QAbstractButton>
#include <QComboBox>
#include <QFileDialog>
#include <QDropEvent>
#include <QLineEdit>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
#include <QTextBrowser>
#include <QToolButton>
#include <QTreeView>

#include <lapidary/onnx_io/model_io.h>
#include <lapidary/tensor/tensor_file.h>

#include "compare/compare_page.h"
#include "graph/graph_page.h"
#include "memory/memory_page.h"
#include "views/optimize/optimize_fixture.h"
#include "quantize/quantize_page.h"
#include "support/test_data.h"
#include "workbench/jobs/comparison.h"
#include "workbench/project/project.h"
#include "workbench/jobs/quantizing.h"

namespace lapidary::views {
namespace {

class KeyboardTest : public OptimizeTest {
protected:
    void SetUp() override {
        OptimizeTest::SetUp();
        window_->resize(1280, 800);
        window_->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get(), 60'000));
    }
    void key(const QKeySequence& keys) {
        if (!window_->isActiveWindow()) {  // a dialog was closed
            window_->activateWindow();
            ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get(), 60'000));
        }
        const QKeyCombination first = keys[0];
        QWidget* focused = QApplication::focusWidget();
        QTest::keyClick(focused && focused->window() == window_.get() ? focused : window_.get(),
                        first.key(), first.keyboardModifiers());
        ++steps_;
    }
    template <typename View>
    View* pageOf(const char* id) const {
        return qobject_cast<View*>(window_->page(QString::fromLatin1(id)));
    }
    bool isOn(const char* id) const { return window_->currentPage() == QLatin1String(id); }
    bool quiet() {
        return waitFor(
            [&] { return workbench_->jobs().jobs().isEmpty() && workbench_->variants().isIdle(); });
    }
    /// Chooses the file in the dialog that is open, as typing its name and Enter does.
    void choose(const char* dialog, const QString& file) {
        auto* shown = find<QFileDialog>(dialog);
        emit shown->fileSelected(file);
        shown->close();
        ++steps_;
    }
    QString modelFile(const char* name = "model.onnx") {
        save_model(build_sample("mlp"), folder_ / name);
        return QString::fromStdString((folder_ / name).string());
    }
    void openFile() {
        const QString file = modelFile();
        key(QKeySequence::Open);
        choose("openDialog", file);
        ASSERT_TRUE(waitFor([&] { return workbench_->opened() && isOn("graph"); }));
        ASSERT_TRUE(quiet());
    }
    /// Steps since the last call.
    int steps() { return std::exchange(steps_, 0); }

    TemporaryFolder folder_;
    int steps_ = 0;
};

TEST_F(KeyboardTest, JobsTakeFewSteps) {
    openFile();
    EXPECT_LE(steps(), 2) << "from nothing to the graph of a file";
    key(QKeySequence(Qt::Key_F5));
    ASSERT_TRUE(waitFor([&] { return isOn("run") && runPage()->state() == RunPage::State::done; }));
    EXPECT_LE(steps(), 1) << "why is it slow";
    ASSERT_TRUE(quiet());
    key(QKeySequence(Qt::CTRL | Qt::Key_3));
    ASSERT_TRUE(
        waitFor([&] { return isOn("optimize") && workbench_->variants().list().size() >= 4; }));
    EXPECT_LE(steps(), 1) << "what the levels do";
    ASSERT_TRUE(quiet());
    key(QKeySequence(Qt::CTRL | Qt::Key_6));
    ASSERT_TRUE(waitFor([&] { return isOn("memory") && pageOf<MemoryPage>("memory")->picture(); }));
    EXPECT_LE(steps(), 1) << "what holds memory";
    ASSERT_TRUE(quiet());

    key(QKeySequence(Qt::CTRL | Qt::Key_4));
    ASSERT_TRUE(waitFor([&] { return isOn("quantize"); }));
    key(QKeySequence(Qt::CTRL | Qt::Key_Return));
    EXPECT_TRUE(workbench_->quantizing().isRunning());
    EXPECT_LE(steps(), 3) << "how small can it get, with generated samples";
    workbench_->quantizing().cancel();
    ASSERT_TRUE(quiet());

    MeasureOptions options = workbench_->comparison().options();
    options.seconds = 0.3;
    workbench_->comparison().setOptions(options);
    key(QKeySequence(Qt::CTRL | Qt::Key_8));
    ASSERT_TRUE(isOn("compare"));
    ASSERT_TRUE(workbench_->comparison().isPossible())
        << "original and a level, which are made by now";
    key(QKeySequence(Qt::CTRL | Qt::Key_Return));
    ASSERT_TRUE(waitFor([&] {
        return workbench_->comparison().result() && !workbench_->comparison().isRunning();
    }));
    EXPECT_LE(steps(), 4) << "is it faster";
}

TEST_F(KeyboardTest, ASecondModelIsComparedInThreeSteps) {
    openFile();
    steps();
    key(QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_O));
    ASSERT_TRUE(isOn("compare"));
    choose("secondModelDialog", modelFile("second.onnx"));
    ASSERT_TRUE(waitFor([&] {
        return workbench_->comparison().b() && workbench_->comparison().b()->recipe.other_model;
    }));
    key(QKeySequence(Qt::CTRL | Qt::Key_Return));
    EXPECT_TRUE(workbench_->comparison().isRunning());
    workbench_->comparison().cancel();
    EXPECT_LE(steps(), 3);
    ASSERT_TRUE(quiet());
}

TEST_F(KeyboardTest, OwnDataIsRunInTwoSteps) {
    openFile();
    steps();
    const Graph& graph = workbench_->opened()->model->graph;
    const Value& input = graph.value(graph.inputs()[0]);
    Shape shape;
    for (const Dim& dim : *input.type.shape) shape.push_back(dim.is_known() ? dim.value() : 3);
    Tensor values(DType::f32, shape);
    std::ranges::fill(values.mutable_data<float>(), 0.25f);
    save_npy(folder_ / "mine.npy", values);
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(QString::fromStdString((folder_ / "mine.npy").string()))});
    QDragEnterEvent enter({20, 20}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window_.get(), &enter);
    ASSERT_TRUE(enter.isAccepted());
    QDropEvent drop(QPointF(20, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window_.get(), &drop);
    ++steps_;
    EXPECT_TRUE(isOn("run"));
    ASSERT_TRUE(waitFor([&] {
        return !workbench_->runSettings().given.isEmpty() && workbench_->jobs().jobs().isEmpty();
    }));
    key(QKeySequence(Qt::Key_F5));
    ASSERT_TRUE(waitFor([&] { return runPage()->state() == RunPage::State::done; }));
    EXPECT_EQ(workbench_->run()->inputs.front().second.tensor().data<float>()[0], 0.25f);
    EXPECT_LE(steps(), 2);
}

// A key that does nothing because the focus is in a dock is a dead key.
TEST_F(KeyboardTest, KeysOfThePageWorkWithTheFocusInADock) {
    openSample("bert-tiny");
    auto* graph = pageOf<GraphPage>("graph");
    ASSERT_TRUE(waitFor([&] { return graph->canvas()->scene() && !graph->isLayingOut(); }));
    ASSERT_TRUE(quiet());
    showDocks();
    for (const char* dock : {"inspectorText", "variantsPanel"}) {
        graph->canvas()->zoomIn();
        graph->canvas()->zoomIn();
        ASSERT_NE(graph->canvas()->scale(), 1.0);
        find<QWidget>(dock)->setFocus();
        key(QKeySequence(Qt::CTRL | Qt::Key_0));
        EXPECT_EQ(graph->canvas()->scale(), 1.0) << dock;
    }
    for (const QString& id : window_->pageIds()) {
        window_->showPage(id);
        for (const QString& other : window_->pageIds()) {
            for (const QAction* action : window_->page(other)->pageActions()) {
                if (action->shortcut().isEmpty() || !action->property("keyOfPage").toBool())
                    continue;
                EXPECT_EQ(action->shortcutContext() == Qt::WindowShortcut, id == other)
                    << action->text().toStdString() << " while " << id.toStdString() << " is shown";
            }
        }
    }
}

TEST_F(KeyboardTest, EveryMenuOpensByAltAndEveryCommandIsInOne) {
    QStringList letters;
    for (const QAction* menu : window_->menuBar()->actions()) {
        const QString text = menu->text();
        const qsizetype at = text.indexOf(u'&');
        ASSERT_GE(at, 0) << text.toStdString();
        EXPECT_FALSE(letters.contains(text.mid(at + 1, 1).toLower())) << text.toStdString();
        letters << text.mid(at + 1, 1).toLower();
    }
    std::function<bool(const QMenu*, const QAction*)> holds = [&](const QMenu* menu,
                                                                  const QAction* action) {
        for (const QAction* entry : menu->actions())
            if (entry == action || (entry->menu() && holds(entry->menu(), action))) return true;
        return false;
    };
    for (const QAction* action : window_->commands()) {
        bool found = false;
        for (const QAction* menu : window_->menuBar()->actions())
            found = found || holds(menu->menu(), action);
        EXPECT_TRUE(found) << action->text().toStdString();
    }
}

// What can be pressed has a place in the order of Tab, or does what a command does.
TEST_F(KeyboardTest, NoButtonNeedsAMouse) {
    openSample("bert-tiny");
    window_->showPage(QStringLiteral("optimize"));
    ASSERT_TRUE(waitFor([&] { return workbench_->variants().list().size() >= 4; }));
    runModel();
    ASSERT_TRUE(quiet());
    showDocks();
    for (const QString& id : window_->pageIds()) {
        window_->showPage(id);
        QTest::qWait(50);
        const QList<QAction*> commands = window_->commands();
        for (const auto* button : window_->findChildren<QAbstractButton*>()) {
            if (!button->isVisible() || !button->isEnabled()) continue;
            // inner parts of Qt's widgets
            if (button->objectName().startsWith(QLatin1String("qt_"))) continue;
            const bool isQts = button->inherits("QDockWidgetTitleButton") ||
                               button->inherits("QToolBarExtension") ||
                               button->inherits("QLineEditIconButton");  // clears what keys delete
            if (isQts) continue;
            if (button->parentWidget() && button->parentWidget()->inherits("QTabBar")) continue;
            if (button->inherits("lapidary::views::LevelCard"))
                continue;  // one of them has Tab, arrows go to the others
            const auto* tool = qobject_cast<const QToolButton*>(button);
            const bool isCommand =
                tool && tool->defaultAction() && commands.contains(tool->defaultAction());
            EXPECT_TRUE((button->focusPolicy() & Qt::TabFocus) || isCommand)
                << id.toStdString() << ": " << button->metaObject()->className() << " in "
                << button->parentWidget()->metaObject()->className() << ' '
                << button->objectName().toStdString() << " \""
                << (button->text() + button->accessibleName()).toStdString() << '"';
        }
    }
}

}  // namespace
}  // namespace lapidary::views
