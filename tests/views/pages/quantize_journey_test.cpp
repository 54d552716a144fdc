// SPDX-License-Identifier: Apache-2.0
// A user's way through the Quantize page, from a dropped file to the report.
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTabWidget>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <lapidary/internal/text_file.h>
#include <lapidary/onnx_io/model_io.h>

#include "quantize/decision_panel.h"
#include "quantize/layer_panel.h"
#include "quantize/pareto_panel.h"
#include "quantize/quantize_page.h"
#include "quantize/recipe_table.h"
#include "views/pages/quantize_journey_fixture.h"
#include "widgets/plot/plot_scatter.h"
#include "workbench/jobs/quantizing.h"

namespace lapidary::views {
namespace {

TEST_F(QuantizeJourneyTest, FromADroppedModelToTheReport) {
    window_->resize(1280, 800);
    window_->showPage(QStringLiteral("quantize"));
    keepPicture("0_empty");
    dropModel(save(classifier, "digits.onnx"));
    keepPicture("1_generated");
    dropSamples(images(20));
    keepPicture("1_samples");
    QTest::mouseClick(find<QPushButton>("quantizeStart"), Qt::LeftButton);
    ASSERT_TRUE(idle());
    ASSERT_TRUE(quantizing().record() && quantizing().record()->complete);
    keepTabs("2_tab");

    // Two nodes stay float.
    auto* tabs = find<QTabWidget>("quantizeTabs");
    tabs->setCurrentWidget(page_->findChild<DecisionPanel*>());
    auto* nodes = find<TableView>("decisionTable");
    for (int row = 0; row < nodes->model()->rowCount(); ++row) {
        const QString text = nodes->model()->index(row, 0).data().toString();
        if (text.contains(QStringLiteral("(Gemm)")) || text.startsWith(QStringLiteral("a ")))
            nodes->model()->setData(nodes->model()->index(row, 0), Qt::Checked, Qt::CheckStateRole);
    }
    ASSERT_EQ(quantizing().choice().keepFloat.size(), 2u);
    QTest::mouseClick(find<QPushButton>("quantizeAgain"), Qt::LeftButton);
    ASSERT_TRUE(idle());
    const auto kept = [&] {
        return std::ranges::count_if(
            quantizing().record()->nodes, [](const NodeDecision& decision) {
                return decision.reason.starts_with("kept float as asked for");
            });
    };
    EXPECT_EQ(kept(), 2);
    keepPicture("3_nodes");

    // A point of the trade-offs becomes the result; its options make the same model again.
    auto* pareto = page_->findChild<ParetoPanel*>();
    tabs->setCurrentWidget(pareto);
    QTest::qWait(100);
    ASSERT_FALSE(pareto->front().empty());
    auto* plot = find<ScatterPlot>("paretoPlot");
    std::ptrdiff_t chosen = -1;
    const auto points =
        std::ranges::count_if(quantizing().record()->trials, [](const app::QuantizeTrial& trial) {
            return trial.failure.empty() && std::isfinite(trial.sqnr_db);
        });
    for (int point = 0; point < points && chosen < 0; ++point) {
        emit plot->pointPicked(point);
        if (find<QPushButton>("useRecipe")->isEnabled())
            chosen = find<RecipeTable>("recipeTable")->currentTrial();
    }
    ASSERT_GE(chosen, 0);
    keepPicture("4_tradeoffs");
    tabs->setCurrentIndex(0);
    QTest::mouseClick(find<QPushButton>("useRecipe"), Qt::LeftButton);
    ASSERT_TRUE(idle());
    const auto record = quantizing().record();
    EXPECT_EQ(record->best, chosen);
    EXPECT_EQ(kept(), 0) << "that recipe keeps none float";
    ASSERT_TRUE(quantizing().variant());
    const app::QuantizeTrial& trial = record->trials[std::size_t(chosen)];
    EXPECT_EQ(constant_bytes(load_model(record->file)), trial.bytes)
        << "the point is made again from its recipe";

    // The report.
    find<QPushButton>("quantizeReport")->click();
    auto* dialog = find<QFileDialog>("quantizeReportDialog");
    ASSERT_TRUE(dialog);
    const std::filesystem::path html = folder_ / "report.html";
    emit dialog->fileSelected(QString::fromStdString(html.string()));
    dialog->close();
    const std::string page = load_text(html, 1 << 22);
    for (const char* part : {"Layer by layer", "Recipes", "SQNR", "digits"})
        EXPECT_NE(page.find(part), std::string::npos) << part;
}

TEST_F(QuantizeJourneyTest, LayersShowTheirSqnrInNarrowWindows) {
    dropModel(save(classifier, "digits.onnx"));
    dropSamples(images(10));
    quantizeWith(app::QuantizeMethod::static8);
    auto* table = find<TableView>("layerTable");
    find<QTabWidget>("quantizeTabs")->setCurrentWidget(page_->findChild<LayerPanel*>());
    constexpr int sqnr = 1;
    EXPECT_EQ(table->model()->headerData(sqnr, Qt::Horizontal).toString(), QStringLiteral("SQNR"));
    for (const int width : {1300, 1280}) {
        window_->resize(width, 800);
        QTest::qWait(50);
        const int right = table->columnViewportPosition(sqnr) + table->columnWidth(sqnr);
        EXPECT_LE(right, table->viewport()->width()) << width;
        EXPECT_GE(table->columnViewportPosition(sqnr), 0) << width;
    }
    keepPicture("5_layers");
}

TEST_F(QuantizeJourneyTest, EmptyTabsSayWhatWillStandThere) {
    dropModel(save(classifier, "digits.onnx"));
    window_->resize(1280, 800);
    auto* tabs = find<QTabWidget>("quantizeTabs");
    for (QWidget* panel : {static_cast<QWidget*>(page_->findChild<ParetoPanel*>()),
                           static_cast<QWidget*>(page_->findChild<LayerPanel*>())}) {
        tabs->setCurrentWidget(panel);
        QTest::qWait(50);
        const auto* words = panel->findChild<QLabel*>(QStringLiteral("emptyPlot"));
        ASSERT_TRUE(words && words->isVisible());
        EXPECT_LE(words->heightForWidth(words->width()), words->height())
            << words->text().toStdString();
        EXPECT_GT(words->width(), words->fontMetrics().averageCharWidth() * 14);
    }
}

TEST_F(QuantizeJourneyTest, StaticWeightsMayBeUnsignedOrOf4Bits) {
    dropModel(save(classifier, "digits.onnx"));
    dropSamples(images(10));
    auto* weights = find<QComboBox>("quantizeWeights");
    EXPECT_FALSE(weights->isEnabled()) << "automatic recipes choose";
    for (const DType type : {DType::u8, DType::i4, DType::u4}) {
        app::QuantizeChoice choice = quantizing().choice();
        choice.method = app::QuantizeMethod::static8;
        quantizing().setChoice(choice);
        ASSERT_TRUE(weights->isEnabled());
        weights->setCurrentIndex(weights->findData(int(type)));
        emit weights->activated(weights->currentIndex());
        EXPECT_EQ(quantizing().choice().weights, type);
        quantizeWith(app::QuantizeMethod::static8);
        const auto record = quantizing().record();
        EXPECT_EQ(record->trials[std::size_t(record->best)].options.weight, type);
        const Model made = load_model(record->file);
        EXPECT_TRUE(std::ranges::any_of(made.graph.initializers(), [&](ValueId id) {
            const Value& value = made.graph.value(id);
            return value.constant && value.constant->dtype() == type && value.constant->size() > 1;
        })) << int(type);
    }
}

TEST_F(QuantizeJourneyTest, WeightsInBlocksHaveChoicesOfTheirOwn) {
    dropModel(save(classifier, "digits.onnx"));
    const std::vector<const char*> names{"quantizeRotated", "quantizeSmoothed", "quantizeFitted",
                                         "quantizeCompensated"};
    auto* bits = find<QDoubleSpinBox>("quantizeBitsPerWeight");
    const QString why = QStringLiteral("Only for int8 weights and int4 weights");
    for (const char* name : names) {
        EXPECT_FALSE(find<QCheckBox>(name)->isEnabled()) << name;
        EXPECT_TRUE(find<QCheckBox>(name)->toolTip().contains(why)) << name;
    }
    EXPECT_FALSE(bits->isEnabled());
    app::QuantizeChoice choice = quantizing().choice();
    choice.method = app::QuantizeMethod::weights4;
    quantizing().setChoice(choice);
    const auto has = [this](const char* words) {
        return quantizing().commandLine().contains(QLatin1String(words));
    };
    for (const char* words : {"--rotate", "--smooth", "--fit-blocks", "--compensate", "--bits"})
        EXPECT_FALSE(has(words)) << words;
    for (const char* name : names) {
        ASSERT_TRUE(find<QCheckBox>(name)->isEnabled()) << name;
        EXPECT_FALSE(find<QCheckBox>(name)->toolTip().contains(why)) << name;
        find<QCheckBox>(name)->setChecked(true);
    }
    bits->setValue(4.5);
    for (const char* words :
         {"--rotate hadamard", "--smooth auto", "--fit-blocks", "--compensate", "--bits 4.5"})
        EXPECT_TRUE(has(words)) << words << ": " << quantizing().commandLine().toStdString();
    bits->setValue(bits->minimum());
    EXPECT_FALSE(has("--bits"));
    EXPECT_EQ(quantizing().choice().bitsPerWeight, 0);
}

TEST_F(QuantizeJourneyTest, WeightsOfSomeNodesHaveATypeOfTheirOwn) {
    dropModel(save(classifier, "digits.onnx"));
    dropSamples(images(10));
    auto* types = find<QLineEdit>("quantizeWeightsOf");
    EXPECT_FALSE(types->isEnabled()) << "automatic recipes choose";
    app::QuantizeChoice choice = quantizing().choice();
    choice.method = app::QuantizeMethod::static8;
    quantizing().setChoice(choice);
    ASSERT_TRUE(types->isEnabled());
    types->setText(QStringLiteral(" Gemm=u4 , MatMul=u4, absent=s4"));
    emit types->editingFinished();
    EXPECT_EQ(quantizing().choice().weightsOf,
              (std::vector<std::string>{"Gemm=u4", "MatMul=u4", "absent=s4"}));
    quantizeWith(app::QuantizeMethod::static8);
    const auto record = quantizing().record();
    EXPECT_EQ(record->trials[std::size_t(record->best)].options.weights_of,
              quantizing().choice().weightsOf);
    const Model made = load_model(record->file);
    EXPECT_TRUE(std::ranges::any_of(made.graph.initializers(), [&](ValueId id) {
        const Value& value = made.graph.value(id);
        return value.constant && value.constant->dtype() == DType::u4 && value.constant->size() > 1;
    }));
    EXPECT_TRUE(find<QLabel>("quantizeNotes")
                    ->text()
                    .contains(QStringLiteral("no node fits the pattern \"absent\"")))
        << find<QLabel>("quantizeNotes")->text().toStdString();
    EXPECT_TRUE(quantizing().commandLine().contains(QStringLiteral("--weights-of Gemm=u4")));
}

}  // namespace
}  // namespace lapidary::views
