// SPDX-License-Identifier: Apache-2.0
// A user's ways through the Generate page, with real keys, clicks and a dropped text: "how fast
// will it talk" and "how many bits can it lose". Pictures for eyes are kept where
// LAPIDARY_SCREENSHOTS names a folder.
#include <QApplication>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPixmap>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QUrl>

#include <cmath>
#include <fstream>
#include <memory>
#include <string>

#include <lapidary/generation/decoding_advice.h>
#include <lapidary/onnx_io/model_io.h>

#include "generate/decoder_table.h"
#include "generate/decoders_panel.h"
#include "generate/generate_card.h"
#include "generate/generate_page.h"
#include "generate/rate_curve.h"
#include "generate/token_time_bars.h"
#include "generate/token_view.h"
#include "samples/llama.h"
#include "support/test_data.h"
#include "views/window_fixture.h"
#include "workbench/jobs/generating.h"
#include "workbench/jobs/measured_decoders.h"

namespace lapidary::views {
namespace {

constexpr int vocabulary = 211;

class GenerateWalkThrough : public WindowTest {
protected:
    void SetUp() override {
        qputenv("LAPIDARY_WORKER", QByteArray::fromStdString(cli_program()));
        WindowTest::SetUp();
        window_->resize(1400, 900);
        save_model(samples::llama({.name = "small",
                                   .layers = 2,
                                   .width = 128,
                                   .inner = 256,
                                   .heads = 4,
                                   .key_heads = 2,
                                   .vocabulary = vocabulary,
                                   .positions = 2048},
                                  5),
                   folder_ / "llm.onnx");
        std::ofstream tokenizer(folder_ / "tokenizer.json"), text(folder_ / "book.txt");
        tokenizer << R"({"model": {"type": "WordLevel", "unk_token": "w0", "vocab": {)";
        for (int i = 0; i < vocabulary; ++i)
            tokenizer << (i > 0 ? "," : "") << "\"w" << i << "\": " << i;
        tokenizer << R"(}}, "pre_tokenizer": {"type": "Whitespace"}})";
        for (int i = 0; i < 200; ++i) text << 'w' << (i * i * 7 + i * 31 + 11) % vocabulary << ' ';
    }
    void TearDown() override {
        WindowTest::TearDown();
        qputenv("LAPIDARY_WORKER", "off");
        applyTheme(ThemeChoice::light);
    }
    void openByDrop() {
        drop(window_.get(), folder_ / "llm.onnx");
        ASSERT_TRUE(waitFor([&] { return workbench_->opened() && isIdle(); }));
        window_->showPage(QStringLiteral("generate"));
        app::DecodersChoice choice = decoders().choice();
        choice.seconds = 0.02;  // the figures themselves do not matter here
        decoders().setChoice(choice);
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
    bool isIdle() const {
        return workbench_->jobs().jobs().isEmpty() && workbench_->variants().isIdle();
    }
    app::MeasuredDecoders& decoders() const { return workbench_->measuredDecoders(); }
    void measure() {
        find<QTabWidget>("generateTabs")->setCurrentWidget(find<DecodersPanel>("decodersPanel"));
        QTest::mouseClick(find<QPushButton>("decodersStart"), Qt::LeftButton);
        ASSERT_TRUE(decoders().isRunning());
        ASSERT_TRUE(waitFor([&] { return !decoders().isRunning() && isIdle(); }));
        ASSERT_TRUE(decoders().record() && decoders().record()->complete)
            << decoders().notice().toStdString();
    }
    /// Every tab in both themes.
    void lookAround(const char* name) {
        auto* tabs = find<QTabWidget>("generateTabs");
        for (const ThemeChoice theme : {ThemeChoice::light, ThemeChoice::dark}) {
            applyTheme(theme);
            for (int tab = 0; tab < tabs->count(); ++tab) {
                tabs->setCurrentIndex(tab);
                QTest::qWait(30);
                const QPixmap picture = window_->grab();
                EXPECT_FALSE(picture.isNull());
                if (const QString folder = qEnvironmentVariable("LAPIDARY_SCREENSHOTS");
                    !folder.isEmpty())
                    picture.save(QStringLiteral("%1/generate_%2_%3_%4.png")
                                     .arg(folder, QLatin1String(name))
                                     .arg(tab)
                                     .arg(theme == ThemeChoice::dark ? QStringLiteral("dark")
                                                                     : QStringLiteral("light")));
            }
        }
        applyTheme(ThemeChoice::light);
    }
    void addVariant(const QuantizeOptions& options) {
        Recipe recipe = Recipe::plain(Level::all);
        recipe.quantization.emplace().options = options;
        workbench_->variants().requestAlso(recipe);
        ASSERT_TRUE(waitFor([&] { return isIdle(); }));
        ASSERT_TRUE(workbench_->variants().find(recipe))
            << workbench_->variants().failureOf(recipe).toStdString();
    }
    using Recipe = app::Recipe;
    const TemporaryFolder folder_;
};

TEST_F(GenerateWalkThrough, HowFastWillItTalk) {
    openByDrop();
    // A prompt is typed; Return starts.
    auto* prompt = find<QLineEdit>("promptTokens");
    prompt->setFocus();
    prompt->selectAll();
    QTest::keyClicks(prompt, QStringLiteral("w7 w38 w69"));
    find<QSpinBox>("newTokens")->setValue(40);
    QTest::keyClick(prompt, Qt::Key_Return);
    app::Generating& generating = workbench_->generating();
    ASSERT_TRUE(generating.isRunning());
    ASSERT_TRUE(waitFor([&] { return !generating.isRunning(); }));
    ASSERT_TRUE(generating.record() && generating.record()->complete);
    // The answer, what to do about it, and what it rests on.
    auto* card = find<GenerateCard>("generateCard");
    EXPECT_TRUE(card->sentence().contains(QStringLiteral("tokens per second")))
        << card->sentence().toStdString();
    EXPECT_FALSE(card->advice().isEmpty());
    EXPECT_TRUE(find<TokenView>("tokenView")->toPlainText().startsWith(prompt->text()));
    // Where a token's time goes as the context grows, and the memory behind it.
    EXPECT_GE(generating.record()->sides[0].samples.size(), 3u);
    EXPECT_TRUE(
        find<TokenTimeBars>("tokenTimeBars")->description().contains(QStringLiteral("Attention")));
    EXPECT_TRUE(find<QLabel>("generateMemory")->text().contains(QStringLiteral("caches")));
    // At 128 and 1,024 tokens of context, below the roof of memory.
    measure();
    const auto& rows = find<DecoderTable>("decoderTable")->rows();
    ASSERT_EQ(rows.rowCount(), 1);
    for (const std::int64_t context : {short_context, long_context}) {
        const app::DecoderPoint* point = rows.row(0).side.at(context);
        ASSERT_TRUE(point);
        EXPECT_GT(point->tokens_per_second(), 0);
        EXPECT_GT(point->roof_tokens_per_second, 0);
        EXPECT_GT(point->first_ms, 0);
    }
    EXPECT_TRUE(find<QLabel>("decodersSentence")
                    ->text()
                    .contains(QStringLiteral("tokens per second at 1,024 tokens of context")));
    EXPECT_TRUE(find<RateCurve>("rateCurve")
                    ->description()
                    .contains(QStringLiteral("of what memory allows")));
    lookAround("fast");
}

TEST_F(GenerateWalkThrough, HowManyBitsCanItLose) {
    openByDrop();
    addVariant({.mode = QuantizeMode::half});
    addVariant({.mode = QuantizeMode::weights});  // blocks of 4 bits
    // A text is dropped, and every variant has to predict it.
    find<QTabWidget>("generateTabs")->setCurrentWidget(find<DecodersPanel>("decodersPanel"));
    drop(find<DecodersPanel>("decodersPanel"), folder_ / "book.txt");
    measure();
    const app::DecodersRecord& record = *decoders().record();
    EXPECT_EQ(record.text_tokens, 200);
    const auto& rows = find<DecoderTable>("decoderTable")->rows();
    ASSERT_EQ(rows.rowCount(), 3);
    for (int row = 0; row < 3; ++row) {
        const app::DecoderSide& side = rows.row(row).side;
        EXPECT_EQ(side.error, "") << row;
        ASSERT_TRUE(side.quality) << row;
        EXPECT_GT(side.quality->perplexity, 1);
        EXPECT_GT(side.quality->tokens, 190);
    }
    const app::DecoderSide &whole = rows.row(0).side, &half = rows.row(1).side,
                           &four = rows.row(2).side;
    EXPECT_LT(half.weight_bytes, whole.weight_bytes);
    EXPECT_LT(four.weight_bytes, half.weight_bytes);
    // Fewer bits cost more.
    EXPECT_LT(whole.quality->divergence, 0);
    EXPECT_GE(half.quality->divergence, 0);
    EXPECT_GT(four.quality->divergence, half.quality->divergence);
    EXPECT_GE(four.quality->changed, half.quality->changed);
    EXPECT_TRUE(find<QLabel>("decodersGrounds")
                    ->text()
                    .contains(QStringLiteral("the first 200 tokens of book.txt")));
    // The clock decides which sentence it is: one variant is the fastest, or none is beyond noise.
    EXPECT_TRUE(
        find<QLabel>("decodersSentence")->text().contains(QStringLiteral("tokens per second at")));
    lookAround("bits");
}

}  // namespace
}  // namespace lapidary::views
