// SPDX-License-Identifier: Apache-2.0
// The Quantize page as a user works with it: samples, Quantize, exclude nodes, another recipe,
// compare, export.
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QDropEvent>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSlider>
#include <QTabWidget>
#include <QTreeView>
#include <QUrl>

#include <fstream>

#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/tensor/tensor_file.h>
#include <lapidary/internal/text_file.h>

#include "graph/quantizing_loss.h"
#include "quantize/accuracy_slider.h"
#include "quantize/decision_panel.h"
#include "quantize/layer_panel.h"
#include "quantize/pareto_panel.h"
#include "quantize/program_panel.h"
#include "quantize/quantize_card.h"
#include "quantize/quantize_page.h"
#include "quantize/quantize_texts.h"
#include "quantize/range_panel.h"
#include "quantize/recipe_table.h"
#include "quantize/sample_strip.h"
#include "support/test_data.h"
#include "theme/theme.h"
#include "widgets/plot/plot_scatter.h"
#include "views/pages/quantize_page_fixture.h"
#include "workbench/jobs/comparison.h"
#include "workbench/project/project.h"
#include "workbench/jobs/quantizing.h"

namespace lapidary::views {
namespace {

// The steps of a user who quantizes a model. Each continues from the state after the one before.
class QuantizeWholeWayTest : public QuantizePageTest {
protected:
    void quantizesFromAFolder() {
        EXPECT_TRUE(find<QPushButton>("quantizeStart")->isHidden() ||
                    !find<QPushButton>("quantizeStart")->isVisible())
            << "no model is open";
        open();
        saveImages(folder_.path(), 10);
        drop(folder_.path());
        recipes_ = find<RecipeTable>("recipeTable");
        nodes_ = find<TableView>("decisionTable");
        recipesTester_.emplace(recipes_->model(),
                               QAbstractItemModelTester::FailureReportingMode::Fatal);
        nodesTester_.emplace(nodes_->model(),
                             QAbstractItemModelTester::FailureReportingMode::Fatal);
        EXPECT_TRUE(sentence().contains(QStringLiteral("Press Quantize")))
            << sentence().toStdString();

        quantize();
        record_ = quantizing().record();
        ASSERT_GE(record_->best, 0);
        EXPECT_TRUE(record_->complete);
        EXPECT_GE(record_->trials.size(), 14u) << "static and dynamic recipes";
        EXPECT_EQ(recipes_->model()->rowCount(), int(record_->trials.size()));
        EXPECT_TRUE(
            recipes_->model()->index(0, 0).data().toString().startsWith(QStringLiteral("★")))
            << "the best is on top";
        EXPECT_TRUE(record_->trials[std::size_t(record_->best)].ratio) << "its time was measured";
        EXPECT_TRUE(sentence().contains(QStringLiteral("smaller")) &&
                    sentence().contains(QStringLiteral("SQNR")) &&
                    sentence().contains(QStringLiteral("on 2 samples")))
            << sentence().toStdString();
        EXPECT_EQ(nodes_->model()->rowCount(), int(record_->nodes.size()));
        EXPECT_EQ(find<TableView>("accuracyTable")->model()->rowCount(), 1);
    }

    void showsLayers() {
        // Layer by layer: a curve and its table; the loss colours the graph.
        auto* layers = find<TableView>("layerTable");
        layersTester_.emplace(layers->model(),
                              QAbstractItemModelTester::FailureReportingMode::Fatal);
        ASSERT_EQ(layers->model()->rowCount(), int(record_->layers.size()));
        ASSERT_GE(record_->layers.size(), 5u);
        find<QTabWidget>("quantizeTabs")->setCurrentWidget(page_->findChild<LayerPanel*>());
        emit find<ScatterPlot>("layerPlot")->pointPicked(2);
        EXPECT_EQ(layers->currentIndex().siblingAtColumn(0).data().toInt(), 3)
            << "a point is a row";
        const auto loss = quantizingLoss(record_.get(), *workbench_->opened()->model,
                                         *workbench_->opened()->model);
        EXPECT_GE(loss.size(), 5u);
        for (const auto& [node, share] : loss) {
            EXPECT_GE(share, 0);
            EXPECT_LT(share, 0.5);
        }
        EXPECT_TRUE(
            quantizingLoss(nullptr, *workbench_->opened()->model, *workbench_->opened()->model)
                .empty());
        auto* colours = window_->page(QStringLiteral("graph"))
                            ->findChild<QComboBox*>(QStringLiteral("colorBy"));
        ASSERT_TRUE(colours);
        colours->setCurrentIndex(
            colours->findText(QStringLiteral("loss in quantizing"), Qt::MatchContains));
        EXPECT_TRUE(colours->currentText().contains(QStringLiteral("loss in quantizing")));
        colours->setCurrentIndex(1);
    }

    void savesAReport() {
        // The report needs nothing else.
        find<QPushButton>("quantizeReport")->click();
        auto* reportDialog = find<QFileDialog>("quantizeReportDialog");
        ASSERT_TRUE(reportDialog);
        const std::filesystem::path page = folder_ / "report.html";
        emit reportDialog->fileSelected(QString::fromStdString(page.string()));
        reportDialog->close();
        const std::string html = load_text(page, 1 << 22);
        for (const char* part : {"Layer by layer", "Recipes", "SQNR", "small"})
            EXPECT_NE(html.find(part), std::string::npos) << part;
    }

    void givesAVariant() {
        // The result is a variant: in the list, in slot B, and made of what the recipe says.
        variant_ = quantizing().variant();
        ASSERT_TRUE(variant_)
            << workbench_->variants().failureOf(*quantizing().recipe(true)).toStdString();
        EXPECT_EQ(workbench_->variants().slot(app::Slot::B), variant_);
        EXPECT_TRUE(variant_->recipe.quantization);
        EXPECT_EQ(workbench_->variants().find(app::recipeFromJson(app::toJson(variant_->recipe))),
                  variant_);
        EXPECT_TRUE(standsFor(*variant_, "Gemm"));
        auto* variants = find<QTreeView>("variantsPanel");
        const QModelIndex top = variants->model()->index(0, 0);
        bool marked = false;
        for (int row = 0; row < variants->model()->rowCount(top); ++row)
            marked = marked || variants->model()
                                   ->index(row, 0, top)
                                   .data()
                                   .toString()
                                   .startsWith(QStringLiteral("B · "));
        EXPECT_TRUE(marked) << "the slot stands in front of a name that may be cut";
    }

    void ranksNodes() {
        // Which nodes cost most, and what the plot shows of the recipes.
        auto* rank = find<QPushButton>("quantizeRank");
        ASSERT_TRUE(rank->isEnabled());
        EXPECT_TRUE(nodes_->isColumnHidden(2)) << "nothing was ranked yet";
        rank->click();
        ASSERT_TRUE(idle());
        ASSERT_TRUE(quantizing().record()->sensitivity && quantizing().record()->diagnosis);
        EXPECT_FALSE(nodes_->isColumnHidden(2));
        EXPECT_TRUE(nodes_->model()->index(0, 2).data().toString().endsWith(QStringLiteral("dB")));
        auto* costs = find<QLabel>("decisionCosts");
        EXPECT_TRUE(costs->text().contains(QStringLiteral("Weights alone")))
            << costs->text().toStdString();
        auto* pareto = page_->findChild<ParetoPanel*>();
        auto* plot = find<ScatterPlot>("paretoPlot");
        ASSERT_TRUE(pareto && plot);
        ASSERT_FALSE(pareto->front().empty());
        find<QTabWidget>("quantizeTabs")->setCurrentWidget(pareto);
        QTest::qWait(100);
        emit plot->pointPicked(0);
        EXPECT_GE(recipes_->currentTrial(), 0) << "a point of the plot is a row of the table";
        EXPECT_EQ(plot->pointAt(plot->placeOf(0)) >= 0, true);
        auto* axis = find<QComboBox>("paretoAxis");
        EXPECT_TRUE(plot->accessibleDescription().contains(QStringLiteral("Original")))
            << "the float model is a point: " << plot->accessibleDescription().toStdString();
        axis->setCurrentIndex(1);
        EXPECT_TRUE(plot->accessibleDescription().contains(QStringLiteral("dB")))
            << plot->accessibleDescription().toStdString();
        record_ = quantizing().record();
    }

    void slidesFromTheSmallestToTheMostAccurate() {
        const std::vector<std::size_t> steps = accuracyLadder(record_->trials);
        auto* slider = find<QSlider>("accuracySlider");
        ASSERT_FALSE(steps.empty());
        ASSERT_EQ(slider->maximum(), int(steps.size()) - 1);
        EXPECT_EQ(slider->isEnabled(), steps.size() > 1);
        recipes_->setCurrentTrial(steps.front());
        slider->setValue(slider->maximum());
        for (int step = 0; step <= slider->maximum(); ++step) {
            slider->setValue(step);
            EXPECT_EQ(recipes_->currentTrial(), std::ptrdiff_t(steps[std::size_t(step)])) << step;
        }
        EXPECT_TRUE(find<QLabel>("accuracyFigures")->text().contains(QStringLiteral("SQNR")))
            << find<QLabel>("accuracyFigures")->text().toStdString();
        EXPECT_EQ(find<QPushButton>("useOnSlider")->isEnabled(),
                  find<QPushButton>("useRecipe")->isEnabled());
    }

    void keepsNodesFloat() {
        // Two nodes float, and once more.
        for (int row = 0; row < nodes_->model()->rowCount(); ++row) {
            const QString text = nodes_->model()->index(row, 0).data().toString();
            if (text.contains(QStringLiteral("(Gemm)")) || text.startsWith(QStringLiteral("a ")))
                nodes_->model()->setData(nodes_->model()->index(row, 0), Qt::Checked,
                                         Qt::CheckStateRole);
        }
        EXPECT_EQ(quantizing().choice().keepFloat.size(), 2u);
        workbench_->project().undoStack().undo();
        EXPECT_EQ(quantizing().choice().keepFloat.size(), 1u) << "a tick is taken back";
        workbench_->project().undoStack().redo();
        EXPECT_EQ(quantizing().choice().keepFloat.size(), 2u);
        auto* costs = find<QLabel>("decisionCosts");
        EXPECT_TRUE(costs->text().contains(QStringLiteral("are expected")))
            << costs->text().toStdString();
        auto* again = find<QPushButton>("quantizeAgain");
        EXPECT_TRUE(again->text().contains(QStringLiteral("2 float")))
            << again->text().toStdString();
        tried_ = record_->trials.size();
        const double nodesBefore = double(record_->trials[std::size_t(record_->best)].nodes);
        again->click();
        ASSERT_TRUE(idle());
        record_ = quantizing().record();
        ASSERT_EQ(record_->trials.size(), tried_ + 1);
        EXPECT_EQ(record_->best, std::ptrdiff_t(tried_));
        EXPECT_LT(double(record_->trials.back().nodes), nodesBefore);
        EXPECT_EQ(std::ranges::count_if(record_->nodes,
                                        [](const NodeDecision& d) {
                                            return d.reason.starts_with("kept float as asked for");
                                        }),
                  2);
        EXPECT_FALSE(again->isEnabled()) << "nothing else is ticked now";
        ASSERT_TRUE(quantizing().variant());
        EXPECT_NE(quantizing().variant(), variant_);
    }

    void usesAnotherRecipe() {
        // Another recipe of the table.
        std::ptrdiff_t other = -1;
        for (int row = 1; row < recipes_->model()->rowCount() && other < 0; ++row) {
            recipes_->setCurrentIndex(recipes_->model()->index(row, 0));
            if (find<QPushButton>("useRecipe")->isEnabled()) other = recipes_->currentTrial();
        }
        ASSERT_GE(other, 0);
        find<QPushButton>("useRecipe")->click();
        ASSERT_TRUE(idle());
        EXPECT_EQ(quantizing().record()->best, other);
        EXPECT_EQ(quantizing().record()->trials.size(), tried_ + 1);
        ASSERT_TRUE(quantizing().variant());
    }

    void takesTheSmallest() {
        // Smallest: the goal chooses among what was tried.
        auto* goal = find<QComboBox>("quantizeGoal");
        goal->setCurrentIndex(goal->findData(int(app::QuantizeGoal::small)));
        emit goal->activated(goal->currentIndex());
        ASSERT_TRUE(idle());
        record_ = quantizing().record();
        for (const app::QuantizeTrial& trial : record_->trials)
            if (trial.failure.empty() && reaches(trial, quantizing().choice().floor))
                EXPECT_GE(trial.bytes, record_->trials[std::size_t(record_->best)].bytes);
    }

    void takesAFloorOfFlips() {
        // A floor of changed answers in place of noise.
        auto* floorOf = find<QComboBox>("quantizeFloorOf");
        ASSERT_TRUE(floorOf->isEnabled());
        floorOf->setCurrentIndex(floorOf->findData(int(AccuracyFloor::Measure::flips)));
        emit floorOf->activated(floorOf->currentIndex());
        ASSERT_TRUE(idle());
        EXPECT_DOUBLE_EQ(quantizing().choice().floor.bound, 0.005);
        EXPECT_EQ(find<QDoubleSpinBox>("quantizeFloor")->text(),
                  QLocale().toString(0.5) + QStringLiteral(" %"));
        find<QDoubleSpinBox>("quantizeFloor")->setValue(100);
        ASSERT_TRUE(idle());
        EXPECT_DOUBLE_EQ(quantizing().choice().floor.bound, 1)
            << "all may change: the smallest of all";
        record_ = quantizing().record();
        for (const app::QuantizeTrial& trial : record_->trials)
            if (trial.failure.empty() && trial.rows > 0)
                EXPECT_GE(trial.bytes, record_->trials[std::size_t(record_->best)].bytes);
        floorOf->setCurrentIndex(floorOf->findData(int(AccuracyFloor::Measure::sqnr)));
        emit floorOf->activated(floorOf->currentIndex());
        ASSERT_TRUE(idle());
        EXPECT_DOUBLE_EQ(quantizing().choice().floor.bound, 30);
    }

    void comparesAndExports() {
        // Compare and export.
        find<QPushButton>("quantizeCompare")->click();
        EXPECT_EQ(window_->currentPage(), QStringLiteral("compare"));
        EXPECT_EQ(workbench_->comparison().b(), quantizing().variant());
        workbench_->project().undoStack().undo();
        window_->showPage(QStringLiteral("quantize"));
        find<QPushButton>("quantizeExport")->click();
        auto* file = find<QLineEdit>("exportPath");
        ASSERT_TRUE(file);
        EXPECT_EQ(QFileInfo(file->text()).fileName(),
                  app::fileNameOf(quantizing().variant()->recipe, workbench_->opened()->title))
            << "called as the variant is when it is dragged out of the list";
        ASSERT_TRUE(waitFor([&] {
            return find<QLabel>("exportFigures")->text().contains(QStringLiteral("Needs"));
        }));
        EXPECT_TRUE(find<QLabel>("exportFigures")
                        ->text()
                        .contains(QString::number(quantizing().variant()->report.nodes_after)))
            << "the variant's own count stands beside the file's: "
            << find<QLabel>("exportFigures")->text().toStdString();
        EXPECT_TRUE(find<QPlainTextEdit>("exportCommand")
                        ->toPlainText()
                        .contains(QStringLiteral("lapidary-cli quantize")))
            << find<QPlainTextEdit>("exportCommand")->toPlainText().toStdString();
        const std::filesystem::path exported = folder_ / "out.onnx";
        file->setText(QString::fromStdString(exported.string()));
        find<QPushButton>("exportSave")->click();
        ASSERT_TRUE(waitFor([&] {
            return std::filesystem::exists(exported) && workbench_->jobs().jobs().isEmpty();
        }));
        const Model model = load_model(exported);
        EXPECT_TRUE(std::ranges::any_of(model.graph.nodes(), [&](NodeId id) {
            return model.graph.node(id).op_type.find("Quantize") != std::string::npos;
        }));
    }

    const TemporaryFolder folder_;
    RecipeTable* recipes_ = nullptr;
    TableView* nodes_ = nullptr;
    app::QuantizeRecordPtr record_;
    app::VariantPtr variant_;
    std::optional<QAbstractItemModelTester> recipesTester_, nodesTester_, layersTester_;
    std::size_t tried_ = 0;  // recipes before two nodes were kept float
};

TEST_F(QuantizeWholeWayTest, EachStepGoesOnFromTheOneBefore) {
    ASSERT_NO_FATAL_FAILURE(quantizesFromAFolder());
    ASSERT_NO_FATAL_FAILURE(showsLayers());
    ASSERT_NO_FATAL_FAILURE(savesAReport());
    ASSERT_NO_FATAL_FAILURE(givesAVariant());
    ASSERT_NO_FATAL_FAILURE(ranksNodes());
    ASSERT_NO_FATAL_FAILURE(slidesFromTheSmallestToTheMostAccurate());
    ASSERT_NO_FATAL_FAILURE(keepsNodesFloat());
    ASSERT_NO_FATAL_FAILURE(usesAnotherRecipe());
    ASSERT_NO_FATAL_FAILURE(takesTheSmallest());
    ASSERT_NO_FATAL_FAILURE(takesAFloorOfFlips());
    ASSERT_NO_FATAL_FAILURE(comparesAndExports());
}

}  // namespace
}  // namespace lapidary::views
