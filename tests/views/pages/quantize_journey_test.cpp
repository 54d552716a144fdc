// SPDX-License-Identifier: Apache-2.0
// A user's way through the Quantize page from a dropped file to the report, and what the samples
// may be: sounds, lines of text, with labels. Pictures for eyes are kept where LAPIDARY_SCREENSHOTS
// names a folder.
#include <QApplication>
#include <QComboBox>
#include <QDropEvent>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QTabWidget>
#include <QUrl>

#include <cmath>
#include <fstream>

#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/tensor/tensor_file.h>
#include <lapidary/internal/text_file.h>

#include "quantize/decision_panel.h"
#include "quantize/layer_panel.h"
#include "quantize/pareto_panel.h"
#include "quantize/pixel_fields.h"
#include "quantize/quantize_card.h"
#include "quantize/quantize_page.h"
#include "quantize/recipe_table.h"
#include "support/test_data.h"
#include "theme/theme.h"
#include "widgets/plot/plot_scatter.h"
#include "views/window_fixture.h"
#include "workbench/jobs/quantizing.h"

namespace lapidary::views {
namespace {

const char* const classifier =
    "(x: f32[n,3,16,16]) -> (y)\na = Conv(x, w1: f32[16,3,3,3], b1: f32[16]) {pads: [1,1,1,1]}\nr "
    "= Relu(a)\n"
    "c = Conv(r, w2: f32[16,16,3,3], b2: f32[16])\ns = Relu(c)\ng = GlobalAveragePool(s)\nf = "
    "Flatten(g)\n"
    "y = Gemm(f, w3: f32[10,16], b3: f32[10]) {transB: 1}";

class QuantizeJourneyTest : public WindowTest {
protected:
    void SetUp() override {
        WindowTest::SetUp();
        page_ = qobject_cast<QuantizePage*>(window_->page(QStringLiteral("quantize")));
        ASSERT_TRUE(page_);
        app::QuantizeChoice choice = quantizing().choice();
        choice.measureSeconds = 0.02;
        quantizing().setChoice(choice);
    }
    std::filesystem::path save(const std::string& graph, const char* name) const {
        Model model;
        model.opset_imports[""] = 17;
        model.graph = parse_graph(graph, {.opset = 17});
        infer_types(model);
        save_model(model, folder_ / name);
        return folder_ / name;
    }
    static void drop(QWidget* target, const std::filesystem::path& path) {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(QString::fromStdString(path.string()))});
        QDragEnterEvent enter({20, 20}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(target, &enter);
        ASSERT_TRUE(enter.isAccepted()) << path;
        QDropEvent dropped({20, 20}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(target, &dropped);
    }
    void dropModel(const std::filesystem::path& file) {
        drop(window_.get(), file);
        ASSERT_TRUE(
            waitFor([&] { return workbench_->opened() && workbench_->jobs().jobs().isEmpty(); }));
        window_->showPage(QStringLiteral("quantize"));
        ASSERT_TRUE(waitFor([&] { return quantizing().preview() != nullptr; }));
    }
    void dropSamples(const std::filesystem::path& path) {
        drop(page_, path);
        ASSERT_TRUE(waitFor([&] { return !quantizing().isPreviewing(); }));
    }
    std::filesystem::path images(int count) const {
        std::filesystem::create_directory(folder_ / "images");
        for (int i = 0; i < count; ++i) {
            std::vector<float> values(3 * 16 * 16);
            for (std::size_t k = 0; k < values.size(); ++k)
                values[k] = float((k * 37 + std::size_t(i) * 101) % 200) / 100 - 1;
            save_npz(folder_ / ("images/" + std::to_string(100 + i) + ".npz"),
                     {{"x", Tensor::of<float>({1, 3, 16, 16}, values)}});
        }
        return folder_ / "images";
    }
    void quantizeWith(app::QuantizeMethod method) {
        app::QuantizeChoice choice = quantizing().choice();
        choice.method = method;
        choice.budgetSeconds = 0.001;  // the first recipe
        quantizing().setChoice(choice);
        QTest::mouseClick(find<QPushButton>("quantizeStart"), Qt::LeftButton);
        ASSERT_TRUE(idle());
        ASSERT_TRUE(quantizing().record() && quantizing().record()->best >= 0);
    }
    bool idle() {
        return waitFor([&] {
            return !quantizing().isRunning() && workbench_->variants().isIdle() &&
                   workbench_->jobs().jobs().isEmpty();
        });
    }
    bool isNoted(const QString& part) {
        return std::ranges::any_of(quantizing().record()->notes, [&](const std::string& note) {
            return QString::fromStdString(note).contains(part);
        });
    }
    QString warning() const {
        auto* label = find<QLabel>("sampleWarning");
        return label->isHidden() ? QString() : label->text();
    }
    void keepPicture(const char* name) {
        const QString kept = qEnvironmentVariable("LAPIDARY_SCREENSHOTS");
        if (kept.isEmpty()) return;
        const QSize before = window_->size();
        for (const QSize size : {QSize(1400, 900), QSize(1280, 800)})
            for (const ThemeChoice theme : {ThemeChoice::dark, ThemeChoice::light}) {
                window_->resize(size);
                applyTheme(theme);
                QTest::qWait(100);
                window_->grab().toImage().save(
                    QStringLiteral("%1/journey_%2_%3_%4.png")
                        .arg(kept, QLatin1String(name))
                        .arg(size.width())
                        .arg(QLatin1String(theme == ThemeChoice::dark ? "dark" : "light")));
            }
        window_->resize(before);
    }
    /// Each tab of the details.
    void keepTabs(const char* name) {
        auto* tabs = find<QTabWidget>("quantizeTabs");
        const int before = tabs->currentIndex();
        for (int tab = 0; tab < tabs->count(); ++tab) {
            tabs->setCurrentIndex(tab);
            keepPicture(qPrintable(QStringLiteral("%1%2").arg(QLatin1String(name)).arg(tab)));
        }
        tabs->setCurrentIndex(before);
    }
    app::Quantizing& quantizing() { return workbench_->quantizing(); }
    TemporaryFolder folder_;
    QuantizePage* page_ = nullptr;
};

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

TEST_F(QuantizeJourneyTest, AnArchiveOfSeveralArraysIsAskedWhich) {
    dropModel(save(classifier, "digits.onnx"));
    auto* array = find<QLineEdit>("sampleArray");
    EXPECT_FALSE(array->isVisible()) << "there is nothing to ask";
    std::vector<float> values(12 * 3 * 16 * 16, 0.25f);
    const Tensor samples = Tensor::of<float>({12, 3, 16, 16}, values);
    save_npz(folder_ / "both.npz", {{"calibration", samples}, {"test", samples}});
    dropSamples(folder_ / "both.npz");
    EXPECT_TRUE(warning().contains(QStringLiteral("say which"))) << warning().toStdString();
    ASSERT_TRUE(array->isVisible());
    keepPicture("7_array");
    array->setFocus();
    QTest::keyClicks(array, QStringLiteral("calibration"));
    QTest::keyClick(array, Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return !quantizing().isPreviewing(); }));
    ASSERT_TRUE(quantizing().preview()) << quantizing().previewFailure().toStdString();
    EXPECT_EQ(quantizing().preview()->total, 12u);
    EXPECT_EQ(array->text(), QStringLiteral("calibration"));
    array->clear();
    array->setModified(true);
    QTest::keyClick(array, Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return !quantizing().isPreviewing(); }));
    EXPECT_TRUE(warning().contains(QStringLiteral("say which")))
        << "without a name it is asked again";
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

TEST_F(QuantizeJourneyTest, LabelsCountRightAnswers) {
    dropModel(save(classifier, "digits.onnx"));
    EXPECT_TRUE(find<QPushButton>("sampleLabels")->isHidden()) << "generated inputs have no labels";
    dropSamples(images(60));
    {
        std::ofstream labels(folder_ / "labels.csv");
        for (int i = 0; i < 60; ++i) labels << 100 + i << ".npz," << i / 5 % 10 << '\n';
    }
    dropSamples(folder_ / "labels.csv");
    EXPECT_EQ(quantizing().choice().labels, folder_ / "labels.csv");
    EXPECT_TRUE(find<QLabel>("sampleText")->text().contains(QStringLiteral("float model: top-1")))
        << "before anything is quantized: " << find<QLabel>("sampleText")->text().toStdString();
    EXPECT_TRUE(warning().contains(QStringLiteral("the float model itself agrees with")))
        << warning().toStdString();
    EXPECT_TRUE(find<QLabel>("sampleText")->text().contains(QStringLiteral("labels.csv")));
    EXPECT_TRUE(quantizing().commandLine().isEmpty() ||
                quantizing().commandLine().contains(QStringLiteral("--labels")))
        << quantizing().commandLine().toStdString();
    quantizeWith(app::QuantizeMethod::dynamic8);
    ASSERT_TRUE(quantizing().record()->labelled);
    EXPECT_EQ(quantizing().record()->labelled->rows, 12u);
    EXPECT_TRUE(
        find<QuantizeCard>("quantizeCard")->sentence().contains(QStringLiteral("right answers")))
        << find<QuantizeCard>("quantizeCard")->sentence().toStdString();
    ASSERT_FALSE(quantizing().record()->warnings.empty());
    EXPECT_NE(quantizing().record()->warnings[0].find("preprocessing"), std::string::npos)
        << "labels are no answers of a random model: " << quantizing().record()->warnings[0];
    EXPECT_FALSE(isNoted(QStringLiteral("preprocessing"))) << "it stands on top, once";
    keepPicture("6_labels");

    // Labels that do not fit are refused before anything is made.
    std::ofstream(folder_ / "bad.csv") << "100.npz,one\n100.npz,two\n";
    std::ofstream(folder_ / "few.csv") << "1\n2\n3\n";
    for (const auto& [file, words] : {std::pair("bad.csv", "expected a class"),
                                      {"few.csv", "there are 3 labels for 60 samples"}}) {
        dropSamples(folder_ / file);
        EXPECT_TRUE(warning().contains(QLatin1String(words))) << warning().toStdString();
        QTest::mouseClick(find<QPushButton>("quantizeStart"), Qt::LeftButton);
        ASSERT_TRUE(idle());
        EXPECT_FALSE(quantizing().record()) << file;
    }
    QTest::mouseClick(find<QPushButton>("sampleLabels"), Qt::LeftButton);
    EXPECT_TRUE(quantizing().choice().labels.empty()) << "the button takes them away again";
}

TEST_F(QuantizeJourneyTest, BytesBecomeWhatLabelsShowUnlessItIsChosen) {
    dropModel(save(
        "(x: f32[n,1,16,16]) -> (y)\nc = Conv(x, v: f32[1,1,1,1]{1})\nm = GlobalAveragePool(c)\n"
        "f = Flatten(m)\np = MatMul(f, w: f32[1,5]{-2, -1, 0, 1, 2})\n"
        "y = Add(p, b: f32[5]{-1, -0.25, 0, -0.25, -1})",
        "brightness.onnx"));
    constexpr std::int64_t count = 100;
    std::vector<std::uint8_t> bytes;
    std::vector<std::int64_t> labels;
    for (std::int64_t i = 0; i < count; ++i) {
        bytes.insert(bytes.end(), 16 * 16, std::uint8_t(255 * (i / 5 % 5) / 4));
        labels.push_back(i / 5 % 5);
    }
    const Tensor pictures = Tensor::of<std::uint8_t>({count, 16, 16, 1}, bytes);
    save_npz(folder_ / "grey.npz",
             {{"x", pictures}, {"labels", Tensor::of<std::int64_t>({count}, labels)}});
    dropSamples(folder_ / "grey.npz");
    auto* pixels = find<QComboBox>("samplePixels");
    EXPECT_TRUE(pixels->isVisible());
    EXPECT_EQ(pixels->currentText(), QStringLiteral("as found"));
    EXPECT_TRUE(warning().contains(QStringLiteral("bytes are fed as 0 to 255")))
        << warning().toStdString();
    EXPECT_FALSE(warning().contains(QStringLiteral("--")))
        << "options are those of the command line";
    EXPECT_TRUE(
        find<QLabel>("sampleText")->text().contains(QStringLiteral("have their channels last")));
    keepPicture("8_bytes");

    app::QuantizeChoice choice = quantizing().choice();
    choice.labels = folder_ / "grey.npz";
    quantizing().setChoice(choice);
    ASSERT_TRUE(waitFor([&] { return !quantizing().isPreviewing(); }));
    EXPECT_TRUE(quantizing().isGuessed());
    EXPECT_EQ(pixels->currentText(), QStringLiteral("−1 … 1"));
    const QString text = find<QLabel>("sampleText")->text();
    EXPECT_TRUE(text.contains(QStringLiteral("bytes are fed as -1 to 1"))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("float model: top-1 100.0 %"))) << text.toStdString();
    EXPECT_TRUE(warning().isEmpty()) << warning().toStdString();
    EXPECT_NEAR(quantizing().preview()->samples.at(0).inputs.at(0).low, -1, 1e-6)
        << "shown as the model sees them";
    keepPicture("9_guessed");

    pixels->setCurrentIndex(pixels->findText(QStringLiteral("0 … 255")));
    emit pixels->activated(pixels->currentIndex());
    ASSERT_TRUE(waitFor([&] { return !quantizing().isPreviewing(); }));
    EXPECT_FALSE(quantizing().isGuessed());
    EXPECT_TRUE(warning().contains(QStringLiteral("what was meant may be -1 to 1")))
        << warning().toStdString();
    pixels->setCurrentIndex(pixels->findText(QStringLiteral("own numbers")));
    emit pixels->activated(pixels->currentIndex());
    auto* mean = find<QLineEdit>("sampleMean");
    auto* deviation = find<QLineEdit>("sampleDeviation");
    ASSERT_TRUE(mean->isVisible() && deviation->isVisible());
    for (QLineEdit* edit : {mean, deviation}) {
        edit->setText(QStringLiteral("127.5"));
        emit edit->editingFinished();
    }
    ASSERT_TRUE(waitFor([&] { return !quantizing().isPreviewing(); }));
    EXPECT_EQ(quantizing().choice().samples.images.mean[2], 127.5f);
    EXPECT_TRUE(warning().isEmpty()) << warning().toStdString();
    quantizeWith(app::QuantizeMethod::dynamic8);
    ASSERT_TRUE(quantizing().record()->labelled);
    EXPECT_EQ(quantizing().record()->labelled->original, quantizing().record()->labelled->rows);

    auto* layout = find<QComboBox>("sampleLayout");
    layout->setCurrentIndex(1);
    emit layout->activated(1);
    ASSERT_TRUE(waitFor([&] { return !quantizing().isPreviewing(); }));
    EXPECT_TRUE(warning().contains(QStringLiteral("grey.npz")))
        << "channels are last: " << warning().toStdString();
    EXPECT_TRUE(layout->isVisible()) << "it can be chosen otherwise";
}

TEST_F(QuantizeJourneyTest, NumbersOfChannelsAreOneOrThree) {
    EXPECT_EQ(channelsOf(QStringLiteral(" 127.5 ")),
              (std::array<float, 3>{127.5f, 127.5f, 127.5f}));
    EXPECT_EQ(channelsOf(QStringLiteral("1, 2,3")), (std::array<float, 3>{1, 2, 3}));
    for (const char* wrong : {"", "1,2", "1,2,3,4", "one", "nan", "inf"})
        EXPECT_FALSE(channelsOf(QLatin1String(wrong))) << wrong;
    EXPECT_EQ(channelsText({127.5f, 127.5f, 127.5f}), QStringLiteral("127.5"));
    EXPECT_EQ(channelsText({123.675f, 116.28f, 103.53f}),
              QStringLiteral("123.675, 116.28, 103.53"));
}

TEST_F(QuantizeJourneyTest, LinesOfTextTakeAVocabulary) {
    dropModel(
        save("(input_ids: i64[n,s]) -> (y)\ne = Gather(t: f32[16,64], input_ids)\ny = MatMul(e, w: "
             "f32[64,16])",
             "words.onnx"));
    {
        std::ofstream lines(folder_ / "lines.txt");
        for (int i = 0; i < 20; ++i) lines << (i % 2 == 0 ? "red green\n" : "blue, blue red\n");
        std::ofstream(folder_ / "vocab.txt") << "[UNK]\n[CLS]\n[SEP]\nred\ngreen\nblue\n";
    }
    EXPECT_TRUE(find<QPushButton>("sampleVocabulary")->isHidden());
    dropSamples(folder_ / "lines.txt");
    EXPECT_TRUE(warning().contains(QStringLiteral("vocabulary"))) << warning().toStdString();
    EXPECT_FALSE(find<QPushButton>("sampleVocabulary")->isHidden());
    QTest::mouseClick(find<QPushButton>("sampleVocabulary"), Qt::LeftButton);
    auto* dialog = find<QFileDialog>("sampleVocabularyDialog");
    ASSERT_TRUE(dialog);
    emit dialog->fileSelected(QString::fromStdString((folder_ / "vocab.txt").string()));
    dialog->close();
    ASSERT_TRUE(waitFor([&] { return !quantizing().isPreviewing(); }));
    ASSERT_TRUE(quantizing().preview()) << quantizing().previewFailure().toStdString();
    EXPECT_EQ(quantizing().preview()->total, 20u);
    EXPECT_TRUE(warning().isEmpty()) << warning().toStdString();
    quantizeWith(app::QuantizeMethod::static8);
    EXPECT_TRUE(quantizing().variant()) << "the variant is made from the text again";
}

TEST_F(QuantizeJourneyTest, SoundsAreSamples) {
    dropModel(save("(x: f32[1,64]) -> (y)\ny = MatMul(x, w: f32[64,16])", "sound.onnx"));
    std::filesystem::create_directory(folder_ / "sounds");
    for (int i = 0; i < 10; ++i) {
        std::string data;
        const auto put = [&](std::uint32_t value, int bytes) {
            for (int b = 0; b < bytes; ++b) data += char(value >> (8 * b));
        };
        data += "RIFF";
        put(36 + 128, 4);
        data += "WAVEfmt ";
        put(16, 4);
        put(1, 2);  // PCM, one channel, 16 bits at 16 kHz
        put(1, 2);
        put(16000, 4);
        put(32000, 4);
        put(2, 2);
        put(16, 2);
        data += "data";
        put(128, 4);
        for (int k = 0; k < 64; ++k) put(std::uint32_t((k * 331 + i * 97) % 20000) - 10000, 2);
        std::ofstream(folder_ / ("sounds/" + std::to_string(i) + ".wav"), std::ios::binary) << data;
    }
    dropSamples(folder_ / "sounds");
    ASSERT_TRUE(quantizing().preview()) << quantizing().previewFailure().toStdString();
    EXPECT_EQ(quantizing().preview()->total, 10u);
    quantizeWith(app::QuantizeMethod::dynamic8);
    EXPECT_TRUE(quantizing().variant());
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
