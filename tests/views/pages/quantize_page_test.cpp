// SPDX-License-Identifier: Apache-2.0
// The Quantize page: samples and their warnings, ranges, other formats, stopping, the program.
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QDropEvent>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QToolButton>
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
#include "views/pages/quantize_page_fixture.h"
#include "workbench/jobs/comparison.h"
#include "workbench/project/project.h"
#include "workbench/jobs/quantizing.h"

namespace lapidary::views {
namespace {

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

TEST_F(QuantizePageTest, BadSamplesAreReportedInASentence) {
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

TEST_F(QuantizePageTest, WeightsOfANodeGetATypeOfTheirOwnAndUndoTakesItBack) {
    open();
    app::QuantizeChoice choice = quantizing().choice();
    choice.method = app::QuantizeMethod::static8;
    quantizing().setChoice(choice);
    quantize();
    auto* table = find<TableView>("decisionTable");
    auto* type = find<QToolButton>("nodeType");
    auto* again = find<QPushButton>("quantizeAgain");
    EXPECT_FALSE(type->isEnabled()) << "no node is selected";
    int line = 0;
    while (line < table->model()->rowCount() &&
           !table->model()->index(line, 0).data().toString().contains(QStringLiteral("(Gemm)")))
        ++line;
    ASSERT_LT(line, table->model()->rowCount());
    table->setCurrentIndex(table->model()->index(line, 0));
    ASSERT_TRUE(type->isEnabled());
    const QString shown = table->model()->index(line, 0).data().toString();
    const std::vector<std::string> expected{shown.section(u' ', 0, 0).toStdString() + "=u8"};
    auto* unsignedType = type->menu()->findChild<QAction*>(QStringLiteral("u8"));
    ASSERT_TRUE(unsignedType);
    unsignedType->trigger();
    ASSERT_EQ(quantizing().choice().weightsOf, expected);
    EXPECT_EQ(table->model()->index(line, 5).data().toString(), QStringLiteral("uint8"));
    ASSERT_TRUE(again->isEnabled());
    again->click();
    ASSERT_TRUE(idle());
    const app::QuantizeTrial& trial = quantizing().record()->trials.back();
    EXPECT_EQ(trial.failure, "");
    EXPECT_EQ(trial.options.weights_of, expected);
    EXPECT_FALSE(again->isEnabled()) << "nothing else is chosen now";
    workbench_->project().undoStack().undo();
    EXPECT_TRUE(quantizing().choice().weightsOf.empty());
    EXPECT_TRUE(again->isEnabled());
}

}  // namespace
}  // namespace lapidary::views
