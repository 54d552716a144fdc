// SPDX-License-Identifier: Apache-2.0
// The Quantize page walked as people walk it: samples, Quantize, exclude nodes, another recipe,
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
#include "views/window_fixture.h"
#include "workbench/jobs/comparison.h"
#include "workbench/project/project.h"
#include "workbench/jobs/quantizing.h"

namespace lapidary::views {
namespace {

class QuantizePageTest : public WindowTest {
protected:
    void SetUp() override {
        WindowTest::SetUp();
        page_ = qobject_cast<QuantizePage*>(window_->page(QStringLiteral("quantize")));
        ASSERT_TRUE(page_);
        app::QuantizeChoice choice = quantizing().choice();
        choice.measureSeconds = 0.02;
        quantizing().setChoice(choice);
        window_->showPage(QStringLiteral("quantize"));
    }
    void open() {
        auto model = std::make_shared<Model>();
        model->opset_imports[""] = 17;
        model->graph = parse_graph(
            "(x: f32[n,3,16,16]) -> (y)\na = Conv(x, w1: f32[16,3,3,3], b1: f32[16]) {pads: "
            "[1,1,1,1]}\nr = Relu(a)\n"
            "c = Conv(r, w2: f32[16,16,3,3], b2: f32[16])\ns = Relu(c)\ng = "
            "GlobalAveragePool(s)\nf = Flatten(g)\n"
            "y = Gemm(f, w3: f32[10,16], b3: f32[10]) {transB: 1}",
            {.opset = 17});
        infer_types(*model);
        workbench_->adopt(model, QStringLiteral("small"));
        window_->showPage(QStringLiteral("quantize"));
        ASSERT_TRUE(waitFor([&] { return quantizing().preview() != nullptr; }));
    }
    void quantize() {
        QTest::mouseClick(find<QPushButton>("quantizeStart"), Qt::LeftButton);
        ASSERT_TRUE(quantizing().isRunning());
        ASSERT_TRUE(idle());
        ASSERT_TRUE(quantizing().record());
    }
    bool idle() {
        return waitFor([&] {
            return !quantizing().isRunning() && workbench_->variants().isIdle() &&
                   workbench_->jobs().jobs().isEmpty();
        });
    }
    /// Drops a file or folder on the page as a file manager does.
    void drop(const std::filesystem::path& path) {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(QString::fromStdString(path.string()))});
        QDragEnterEvent enter({20, 20}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(page_, &enter);
        if (!enter.isAccepted()) return;
        QDropEvent dropped({20, 20}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(page_, &dropped);
        ASSERT_TRUE(waitFor([&] { return !quantizing().isPreviewing(); }));
    }
    static void saveImages(const std::filesystem::path& folder, int count, std::int64_t side = 16) {
        for (int i = 0; i < count; ++i) {
            std::vector<float> values(static_cast<std::size_t>(3 * side * side));
            for (std::size_t k = 0; k < values.size(); ++k)
                values[k] = float((k * 37 + std::size_t(i) * 101) % 200) / 100 - 1;
            save_npz(folder / (std::to_string(100 + i) + ".npz"),
                     {{"x", Tensor::of<float>({1, 3, side, side}, values)}});
        }
    }
    bool standsFor(const app::Variant& variant, const std::string& op) const {
        const Graph& original = workbench_->opened()->model->graph;
        for (const NodeId id : variant.model->graph.nodes())
            for (const NodeId origin : variant.model->graph.node(id).origins)
                if (original.is_alive(origin) && original.node(origin).op_type == op) return true;
        return false;
    }
    app::Quantizing& quantizing() { return workbench_->quantizing(); }
    QString sentence() const { return find<QuantizeCard>("quantizeCard")->sentence(); }
    QString warning() const {
        auto* label = find<QLabel>("sampleWarning");
        return label->isHidden() ? QString() : label->text();
    }
    QuantizePage* page_ = nullptr;
};

TEST_F(QuantizePageTest, GeneratedSamplesWearAWarningAndRealOnesArePictures) {
    open();
    EXPECT_EQ(quantizing().preview()->total, 16u);
    EXPECT_TRUE(warning().contains(QStringLiteral("Made-up"))) << warning().toStdString();
    auto* pictures = find<SamplePictures>("samplePictures");
    EXPECT_EQ(pictures->pictures(), 12) << "generated images are shown too";
    const TemporaryFolder folder;
    saveImages(folder.path(), 10);
    drop(folder.path());
    ASSERT_TRUE(quantizing().preview());
    EXPECT_EQ(quantizing().preview()->calibration_samples, 8u);
    EXPECT_EQ(quantizing().preview()->evaluation_samples, 2u);
    EXPECT_TRUE(warning().isEmpty()) << warning().toStdString();
    EXPECT_EQ(pictures->pictures(), 10);
    EXPECT_TRUE(pictures->accessibleDescription().contains(QStringLiteral("104.npz\njudges")))
        << pictures->accessibleDescription().toStdString();
    QTest::mouseClick(find<QPushButton>("sampleGenerate"), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return !quantizing().isPreviewing(); }));
    EXPECT_TRUE(quantizing().choice().samples.isGenerated());
    EXPECT_FALSE(warning().isEmpty());
}

TEST_F(QuantizePageTest, BadSamplesAreToldInASentence) {
    open();
    const TemporaryFolder empty, broken, few;
    drop(empty.path());
    EXPECT_TRUE(warning().contains(QStringLiteral("holds no sample"))) << warning().toStdString();
    QTest::mouseClick(find<QPushButton>("quantizeStart"), Qt::LeftButton);
    ASSERT_TRUE(idle());
    EXPECT_FALSE(quantizing().record()) << "nothing came of it, and the window goes on";
    saveImages(broken.path(), 9);
    std::ofstream(broken / "000.npz") << "broken";
    drop(broken.path());
    EXPECT_TRUE(warning().contains(QStringLiteral("000.npz"))) << warning().toStdString();
    saveImages(few.path(), 3);
    drop(few.path());
    EXPECT_TRUE(warning().contains(QStringLiteral("few samples"))) << warning().toStdString();
    drop("/no/such/folder.npz");
    EXPECT_FALSE(warning().isEmpty());
}

// What somebody does who quantizes, step by step: each step goes on from the one before.
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
        axis->setCurrentIndex(1);
        EXPECT_TRUE(plot->accessibleDescription().contains(QStringLiteral("dB")))
            << plot->accessibleDescription().toStdString();
        record_ = quantizing().record();
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
    ASSERT_NO_FATAL_FAILURE(keepsNodesFloat());
    ASSERT_NO_FATAL_FAILURE(usesAnotherRecipe());
    ASSERT_NO_FATAL_FAILURE(takesTheSmallest());
    ASSERT_NO_FATAL_FAILURE(takesAFloorOfFlips());
    ASSERT_NO_FATAL_FAILURE(comparesAndExports());
}

TEST_F(QuantizePageTest, RangesOfActivationsAreDrawn) {
    open();
    app::QuantizeChoice choice = quantizing().choice();
    choice.method = app::QuantizeMethod::static8;
    choice.budgetSeconds = 0.001;  // the first recipe
    quantizing().setChoice(choice);
    quantize();
    const auto record = quantizing().record();
    auto* ranges = find<TableView>("rangeTable");
    const QAbstractItemModelTester tester(ranges->model(),
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    ASSERT_FALSE(record->ranges.empty());
    EXPECT_EQ(ranges->model()->rowCount(), int(record->ranges.size()));
    auto* histogram = find<RangeHistogram>("rangeHistogram");
    find<QTabWidget>("quantizeTabs")->setCurrentWidget(page_->findChild<RangePanel*>());
    ASSERT_TRUE(histogram->range());
    ranges->setCurrentIndex(ranges->model()->index(1, 0));
    EXPECT_EQ(histogram->range()->name, record->ranges[1].name);
    EXPECT_TRUE(histogram->accessibleDescription().contains(QStringLiteral("quantized")));
    EXPECT_FALSE(histogram->grab().isNull());

    // In both themes, for eyes where LAPIDARY_SCREENSHOTS names a folder.
    const QString kept = qEnvironmentVariable("LAPIDARY_SCREENSHOTS");
    if (kept.isEmpty()) return;
    auto* tabs = find<QTabWidget>("quantizeTabs");
    for (const ThemeChoice theme : {ThemeChoice::light, ThemeChoice::dark}) {
        applyTheme(theme);
        for (QWidget* panel : {static_cast<QWidget*>(page_->findChild<RangePanel*>()),
                               static_cast<QWidget*>(page_->findChild<LayerPanel*>())}) {
            tabs->setCurrentWidget(panel);
            QTest::qWait(200);
            window_->grab().toImage().save(QStringLiteral("%1/quantize_%2_%3.png")
                                               .arg(kept)
                                               .arg(tabs->currentIndex())
                                               .arg(nameOf(theme)));
        }
    }
}

TEST_F(QuantizePageTest, OtherBitsAreMadeToo) {
    open();
    using enum app::QuantizeMethod;
    for (const app::QuantizeMethod method : {float16, bfloat16, float8, qoperator8}) {
        app::QuantizeChoice choice = quantizing().choice();
        choice.method = method;
        choice.budgetSeconds = 0.001;
        quantizing().setChoice(choice);
        quantize();
        ASSERT_GE(quantizing().record()->best, 0) << int(method);
        EXPECT_TRUE(quantizing().variant()) << int(method);
        EXPECT_FALSE(nameOf(method).isEmpty());
        EXPECT_FALSE(tipOf(method).isEmpty());
    }
    EXPECT_TRUE(nameOf(float8).contains(QStringLiteral("float8")));
}

TEST_F(QuantizePageTest, StoppingKeepsTheBestSoFar) {
    open();
    app::QuantizeChoice choice = quantizing().choice();
    choice.measureSeconds = 0.3;
    quantizing().setChoice(choice);
    QTest::mouseClick(find<QPushButton>("quantizeStart"), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return quantizing().record() && quantizing().record()->best >= 0; }));
    ASSERT_TRUE(quantizing().isRunning());
    EXPECT_GT(find<RecipeTable>("recipeTable")->model()->rowCount(), 0)
        << "rows appear while it searches";
    QTest::mouseClick(find<QPushButton>("quantizeStop"), Qt::LeftButton);
    ASSERT_TRUE(idle());
    const auto record = quantizing().record();
    ASSERT_TRUE(record && record->best >= 0);
    EXPECT_FALSE(record->complete);
    EXPECT_LT(record->trials.size(), 14u);
    EXPECT_TRUE(find<QuantizeCard>("quantizeCard")->grounds().contains(QStringLiteral("kept")))
        << find<QuantizeCard>("quantizeCard")->grounds().toStdString();
    EXPECT_TRUE(quantizing().variant());
    workbench_->closeModel();
    EXPECT_FALSE(quantizing().record());
    EXPECT_FALSE(find<QPushButton>("quantizeStart")->isVisible());
}

TEST_F(QuantizePageTest, TheProgramForOnnxRuntimeFollowsChoiceAndResult) {
    open();
    auto* program = find<ProgramPanel>("programPanel");
    for (QAction* action : page_->pageActions())
        if (action->text() == QStringLiteral("Show the program for ONNX Runtime"))
            action->trigger();
    ASSERT_EQ(find<QTabWidget>("quantizeTabs")->currentWidget(), program);
    const auto written = [&] { return waitFor([&] { return !program->isWriting(); }); };
    const auto has = [&](const char* part) {
        return program->text().contains(QLatin1String(part));
    };
    app::QuantizeChoice choice = quantizing().choice();
    choice.method = app::QuantizeMethod::dynamic8;
    quantizing().setChoice(choice);
    ASSERT_TRUE(written());
    EXPECT_TRUE(has("quantize_dynamic(") && has("MODEL = \"small.onnx\""))
        << program->text().toStdString();
    choice.method = app::QuantizeMethod::float8;
    quantizing().setChoice(choice);
    ASSERT_TRUE(written());
    EXPECT_TRUE(program->text().isEmpty());
    auto* problem = find<QLabel>("quantizeProgramProblem");
    EXPECT_TRUE(problem->isVisible() && problem->text().contains(QStringLiteral("float8")))
        << "says why there is none";
    EXPECT_FALSE(find<QPushButton>("quantizeProgramCopy")->isEnabled());
    const TemporaryFolder folder;
    saveImages(folder.path(), 10);
    drop(folder.path());
    choice = quantizing().choice();
    choice.method = app::QuantizeMethod::static8;
    choice.keepFloat = {"c"};
    quantizing().setChoice(choice);
    quantize();
    ASSERT_TRUE(written());
    EXPECT_TRUE(problem->isHidden());
    EXPECT_TRUE(has("quantize_static(") && has("    \"c\",\n") && has("DATA = "))
        << program->text().toStdString();
    EXPECT_TRUE(has("onnxruntime==1.32.*"));
    program->version()->setCurrentIndex(program->version()->findData(QStringLiteral("1.20")));
    ASSERT_TRUE(written());
    EXPECT_TRUE(has("onnxruntime==1.20.*"));
    QTest::mouseClick(find<QPushButton>("quantizeProgramCopy"), Qt::LeftButton);
    EXPECT_EQ(QApplication::clipboard()->text(), program->text());
    QTest::mouseClick(find<QPushButton>("quantizeProgramSave"), Qt::LeftButton);
    auto* dialog = find<QFileDialog>("saveCodeDialog");
    const std::filesystem::path file = folder / "program.py";
    emit dialog->fileSelected(QString::fromStdString(file.string()));
    dialog->reject();
    EXPECT_EQ(load_text(file, 1 << 20), program->text().toStdString());
}

}  // namespace
}  // namespace lapidary::views
