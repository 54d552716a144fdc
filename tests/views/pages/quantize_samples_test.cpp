// SPDX-License-Identifier: Apache-2.0
// Samples on the Quantize page: archives, bytes of images, lines of text and sounds, with labels.
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <lapidary/tensor/tensor_file.h>

#include "quantize/pixel_fields.h"
#include "quantize/quantize_card.h"
#include "views/pages/quantize_journey_fixture.h"
#include "workbench/jobs/quantizing.h"

namespace lapidary::views {
namespace {

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

}  // namespace
}  // namespace lapidary::views
