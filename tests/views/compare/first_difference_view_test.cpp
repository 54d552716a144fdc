// SPDX-License-Identifier: Apache-2.0
// Where it starts: a fault planted in one layer is named on the Compare page, shown in the graph
// and cancelled; a recording of the original is checked.
#include <QComboBox>
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QTabWidget>
#include <QUrl>

#include <thread>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/onnx_io/model_io.h>

#include "compare/compare_page.h"
#include "compare/difference_panel.h"
#include "compare/difference_tables.h"
#include "graph/graph_page.h"
#include "support/answering_engine.h"
#include "support/test_data.h"
#include "views/recorded_model.h"
#include "views/window_fixture.h"
#include "widgets/cards/message_banner.h"
#include "widgets/choices/slot_bar.h"
#include "widgets/plot/plot.h"
#include "worker/models/other_model.h"
#include "workbench/jobs/comparison.h"

namespace lapidary::views {
namespace {

class FirstDifferenceViewTest : public WindowTest {
protected:
    ComparePage* page() const {
        return qobject_cast<ComparePage*>(window_->page(QStringLiteral("compare")));
    }
    DifferencePanel* panel() const { return find<DifferencePanel>("differencePanel"); }
    app::DifferenceSearch& search() { return workbench_->comparison().search(); }
    QString text() const { return panel()->text(); }

    /// Opens the sample, with a copy for B in which the weights of the second Gemm are others.
    void openWithFault() {
        Model model = build_sample("mlp");
        save_model(model, folder_ / "good.onnx");
        GraphEdit edit(model.graph);
        int number = 0;
        for (const NodeId id :
             std::vector<NodeId>(model.graph.nodes().begin(), model.graph.nodes().end())) {
            const Node& node = model.graph.node(id);
            if (node.op_type != "Gemm" || number++ != 1) continue;
            broken_ = node.name;
            const Value& weight = model.graph.value(node.inputs[1]);
            Tensor changed = weight.constant->clone();
            for (float& element : changed.mutable_data<float>().first(64)) element *= 3;
            edit.set_input(id, 1, edit.add_initializer(weight.name + "_changed", changed));
            break;
        }
        edit.finish();
        save_model(model, folder_ / "bad.onnx");
        openPair("good.onnx", "bad.onnx");
    }
    void openPair(const char* first, const char* second) {
        workbench_->openModel(QString::fromStdString((folder_ / first).string()));
        ASSERT_TRUE(
            waitFor([&] { return workbench_->opened() && workbench_->jobs().jobs().isEmpty(); }));
        window_->showPage(QStringLiteral("compare"));
        app::Recipe recipe;
        recipe.level = Level::disabled;
        recipe.other_model = app::other_model(folder_ / second);
        page()->findChild<SlotCombo*>(QStringLiteral("slotB"))->choose(recipe);
        ASSERT_TRUE(waitFor([&] {
            const app::VariantPtr b = workbench_->comparison().b();
            return b && b->recipe.other_model && workbench_->comparison().isPossible();
        }));
    }
    void runSearch() {
        auto* start = find<QPushButton>("findDifference");
        ASSERT_TRUE(start->isEnabled());
        start->click();
        ASSERT_TRUE(search().isRunning());
        EXPECT_FALSE(start->isEnabled());
        ASSERT_TRUE(waitFor([&] { return !search().isRunning(); }));
    }

    TemporaryFolder folder_;
    std::string broken_;
};

TEST_F(FirstDifferenceViewTest, NamesTheLayerWhoseWeightsWereChangedAndShowsIt) {
    openWithFault();
    EXPECT_TRUE(text().startsWith(QStringLiteral("Not searched yet."))) << text().toStdString();
    EXPECT_TRUE(find<QWidget>("differenceFigures")->isHidden()) << "there is no curve yet";
    runSearch();
    const app::DifferencePtr result = search().result();
    ASSERT_NE(result, nullptr) << panel()->banner()->text().toStdString();
    EXPECT_FALSE(find<QWidget>("differenceFigures")->isHidden());
    EXPECT_FALSE(find<Plot>("differencePlot")->isLegendInside()) << "it would cover the curve";
    EXPECT_TRUE(find<QLabel>("differenceVerdict")->text().startsWith(QStringLiteral("DIFFERS: ")));
    EXPECT_TRUE(find<QLabel>("differenceVerdict")->font().bold());
    EXPECT_TRUE(text().contains(QStringLiteral("\n    Of the same inputs it makes another ")))
        << text().toStdString();
    const QString node = panel()->causes().index(0, 0).data().toString();
    EXPECT_TRUE(node.startsWith(QString::fromStdString(broken_) + QStringLiteral(" (")))
        << node.toStdString();
    QCoreApplication::processEvents();
    auto* table = find<TableView>("differenceCauses");
    EXPECT_LE(table->columnWidth(0), table->viewport()->width() * 2 / 5 + 1);
    EXPECT_EQ(find<QTabWidget>("compareTabs")->currentWidget(), panel());
    ASSERT_EQ(panel()->causes().rowCount(), 1);
    EXPECT_EQ(panel()->causes().row(0).node_b, broken_);
    EXPECT_TRUE(text().contains(QString::fromStdString(broken_))) << text().toStdString();
    EXPECT_TRUE(text().contains(QStringLiteral("differs in 64 of"))) << text().toStdString();
    EXPECT_GT(result->found.divergence.values.size(), 3u);

    auto* show = find<QPushButton>("showCause");
    ASSERT_TRUE(show->isEnabled());
    show->click();
    const NodeId focused = workbench_->focus().node;
    ASSERT_TRUE(bool(focused));
    EXPECT_EQ(workbench_->document()->model->graph.node(focused).name, broken_);
    EXPECT_EQ(window_->currentPage(), QStringLiteral("graph"));

    auto* graph = qobject_cast<GraphPage*>(window_->page(QStringLiteral("graph")));
    ASSERT_TRUE(waitFor([&] { return graph->canvas()->scene() && !graph->isLayingOut(); }));
    auto* colours = find<QComboBox>("colorBy");
    colours->setCurrentText(QStringLiteral("Colour by difference"));
    EXPECT_EQ(colours->currentText(), QStringLiteral("Colour by difference"));
    EXPECT_EQ(graph->canvas()->colorBy(), ColorBy::Value);
}

TEST_F(FirstDifferenceViewTest, APlaceOfTheCurveLeadsToItsNode) {
    openWithFault();
    runSearch();
    ASSERT_NE(search().result(), nullptr);
    const std::vector<ValuePair>& values = search().result()->found.divergence.values;
    auto* plot = find<Plot>("differencePlot");
    auto* place = find<QLabel>("differencePlace");
    auto* table = find<TableView>("differenceCauses");
    EXPECT_EQ(panel()->place(), -1);
    EXPECT_TRUE(place->isHidden());
    emit plot->picked(0.4);
    EXPECT_EQ(panel()->place(), 0);
    EXPECT_TRUE(place->text().startsWith(QString::fromStdString(values[0].name_b)))
        << place->text().toStdString();
    EXPECT_FALSE(table->currentIndex().isValid()) << "the first value is not the cause";
    for (std::size_t i = 1; i < values.size(); ++i) {
        QTest::keyClick(plot, Qt::Key_Right);
        EXPECT_EQ(panel()->place(), int(i));
        EXPECT_EQ(table->currentIndex().isValid(),
                  values[i].name_b == panel()->causes().row(0).value.name_b)
            << values[i].name_b;
    }
    QTest::keyClick(plot, Qt::Key_Right);
    EXPECT_EQ(panel()->place(), int(values.size()) - 1) << "the last one stays";
    QTest::keyClick(plot, Qt::Key_Home);
    EXPECT_EQ(panel()->place(), 0);
    table->setCurrentIndex(table->model()->index(0, 0));
    EXPECT_EQ(values[std::size_t(panel()->place())].name_b, panel()->causes().row(0).value.name_b);
    QTest::keyClick(plot, Qt::Key_End);
    QTest::keyClick(plot, Qt::Key_Return);
    EXPECT_EQ(window_->currentPage(), QStringLiteral("graph"));
    ASSERT_TRUE(bool(workbench_->focus().node));
    const Graph& graph = workbench_->document()->model->graph;
    const Node& node = graph.node(workbench_->focus().node);
    EXPECT_EQ(graph.value(node.outputs[0]).name, values.back().name_b);
}

TEST_F(FirstDifferenceViewTest, AnOutputThatDiffersIsFollowed) {
    openWithFault();
    const Graph& graph = workbench_->opened()->model->graph;
    const std::string output = graph.value(graph.outputs()[0]).name;
    auto* table = find<OutputDifferences>("outputDifferences");
    OutputComparison differs{output, {}};
    table->setRows({differs}, true);
    emit table->activated(table->model()->index(0, 0));
    ASSERT_TRUE(search().isRunning());
    ASSERT_TRUE(waitFor([&] { return !search().isRunning(); }));
    ASSERT_NE(search().result(), nullptr);
    EXPECT_EQ(search().result()->output, output);
    EXPECT_EQ(panel()->causes().rowCount(), 1);
}

TEST_F(FirstDifferenceViewTest, AnotherPairHasNoFinding) {
    openWithFault();
    runSearch();
    ASSERT_NE(search().result(), nullptr);
    page()
        ->findChild<SlotCombo*>(QStringLiteral("slotB"))
        ->choose(app::Recipe::plain(Level::basic));
    ASSERT_TRUE(waitFor([&] {
        const app::VariantPtr b = workbench_->comparison().b();
        return b && !b->recipe.other_model;
    }));
    EXPECT_EQ(search().result(), nullptr);
    EXPECT_EQ(panel()->causes().rowCount(), 0);
    EXPECT_FALSE(find<QPushButton>("showCause")->isEnabled());
    workbench_->closeModel();
    EXPECT_FALSE(find<QPushButton>("findDifference")->isEnabled());
}

TEST_F(FirstDifferenceViewTest, ADroppedRecordingNamesTheModule) {
    saveRecordedModel(folder_.path());
    openPair("good.onnx", "bad.onnx");
    panel()->checkRecording(QString::fromStdString((folder_ / "run.npz").string()));
    ASSERT_TRUE(waitFor([&] { return !panel()->isChecking(); }));
    EXPECT_FALSE(text().contains(QStringLiteral("First:"))) << text().toStdString();
    EXPECT_TRUE(text().contains(QStringLiteral("net.Net"))) << text().toStdString();
    EXPECT_FALSE(find<QPushButton>("showCause")->isEnabled());

    openPair("bad.onnx", "good.onnx");
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(QString::fromStdString((folder_ / "run.npz").string()))});
    QDragEnterEvent enter({20, 20}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(page(), &enter);
    ASSERT_TRUE(enter.isAccepted());
    QDropEvent drop(QPointF(20, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(page(), &drop);
    ASSERT_TRUE(panel()->isChecking());
    ASSERT_TRUE(waitFor([&] { return !panel()->isChecking(); }));
    EXPECT_TRUE(text().contains(QStringLiteral("First: scale (Scale) differs")))
        << text().toStdString();
    find<QPushButton>("showCause")->click();
    EXPECT_EQ(window_->currentPage(), QStringLiteral("graph"));
    EXPECT_TRUE(bool(workbench_->focus().node));
}

TEST_F(FirstDifferenceViewTest, WhatIsNoRecordingIsRefusedWithTheReason) {
    saveRecordedModel(folder_.path());
    openPair("good.onnx", "bad.onnx");
    panel()->checkRecording(QString::fromStdString((folder_ / "missing.npz").string()));
    ASSERT_TRUE(waitFor([&] { return !panel()->isChecking(); }));
    EXPECT_EQ(panel()->banner()->kind(), MessageBanner::Kind::error);
    EXPECT_TRUE(panel()->banner()->title().contains(QStringLiteral("missing.npz")));
}

/// A search that ends when it is cancelled, and not before.
class CancelledSearchTest : public testing::Test {
protected:
    void SetUp() override {
        QSettings().clear();
        auto engine = std::make_unique<test::AnsweringEngine>();
        engine->answer<app::DivergeJob>(
            [](const test::Asked<app::DivergeJob>& asked) -> app::FoundDifference {
                asked.progress.step("run both", 0.5);
                while (true) {
                    asked.progress.cancel.throw_if_cancelled();
                    std::this_thread::sleep_for(std::chrono::milliseconds(2));
                }
            });
        workbench_ = std::make_unique<app::Workbench>(std::move(engine));
        window_ = std::make_unique<MainWindow>(*workbench_);
        window_->show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(window_.get(), patience_ms));
    }
    void TearDown() override {
        window_.reset();
        workbench_.reset();
    }
    std::unique_ptr<app::Workbench> workbench_;
    std::unique_ptr<MainWindow> window_;
};

TEST_F(CancelledSearchTest, LeavesThePageAsItWas) {
    workbench_->adopt(std::make_shared<const Model>(build_sample("mlp")), QStringLiteral("mlp"));
    window_->showPage(QStringLiteral("compare"));
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return workbench_->comparison().isPossible(); }, patience_ms));
    auto* panel = window_->findChild<DifferencePanel*>(QStringLiteral("differencePanel"));
    auto* start = window_->findChild<QPushButton*>(QStringLiteral("findDifference"));
    ASSERT_TRUE(panel && start);
    start->click();
    app::DifferenceSearch& search = workbench_->comparison().search();
    ASSERT_TRUE(QTest::qWaitFor([&] { return search.job() && search.job()->fraction() > 0.4; },
                                patience_ms));
    EXPECT_EQ(panel->banner()->kind(), MessageBanner::Kind::busy);
    EXPECT_TRUE(panel->banner()->isVisible());
    emit panel->banner()->cancelRequested();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !search.isRunning(); }, patience_ms));
    EXPECT_EQ(search.result(), nullptr);
    EXPECT_FALSE(panel->banner()->isVisible());
    EXPECT_TRUE(start->isEnabled());
}

}  // namespace
}  // namespace lapidary::views
