// SPDX-License-Identifier: Apache-2.0
// Variants of a decoder side by side on the Generate page: table, curve, sentences, a text that is
// dropped, progress and stop.
#include <QApplication>
#include <QCheckBox>
#include <QDropEvent>
#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QTemporaryDir>
#include <QUrl>

#include <chrono>
#include <fstream>
#include <memory>
#include <thread>

#include "generate/decoder_table.h"
#include "generate/decoder_words.h"
#include "generate/decoders_panel.h"
#include "generate/generate_words.h"
#include "generate/rate_curve.h"
#include "samples/llama.h"
#include "support/answering_engine.h"
#include "views/window_fixture.h"
#include "workbench/jobs/measured_decoders.h"

namespace lapidary::views {
namespace {

app::DecoderSide sideOf(std::size_t model, double shortMs, double longMs) {
    app::DecoderSide side;
    side.model = model;
    side.weight_bytes = 4'000'000;
    side.cache_bytes = 1'000'000;
    for (const std::int64_t context : {short_context, long_context}) {
        app::DecoderPoint point;
        point.context = context;
        point.first_ms = double(context) / 10;
        point.token_ms = context == short_context ? shortMs : longMs;
        point.token_low_ms = point.token_ms * 0.9;
        point.token_high_ms = point.token_ms * 1.1;
        point.roof_tokens_per_second = 1250 / point.token_ms;
        point.activation_bytes = 30'000;
        point.recorded.context = context;
        point.recorded.head_type = "f32";
        point.recorded.storage = CacheStorage::fixed;
        point.recorded.time.wall_ms = 10;
        point.recorded.time.head_ms = 5.8;
        side.points.push_back(point);
    }
    return side;
}

app::DecodersRecord twoDecoders() {
    app::DecodersRecord record;
    record.contexts = {short_context, long_context};
    record.capacity = 1056;
    record.text_tokens = 500;
    record.sides = {sideOf(0, 10, 20), sideOf(1, 5, 8)};
    record.sides[0].quality.emplace(app::DecoderQuality{.tokens = 499, .perplexity = 12.5});
    record.sides[1].quality.emplace(app::DecoderQuality{.tokens = 499,
                                                        .perplexity = 13,
                                                        .perplexity_error = 0.25,
                                                        .divergence = 0.031,
                                                        .most_divergence = 0.2,
                                                        .changed = 25});
    record.complete = true;
    return record;
}

const QStringList twoNames{QStringLiteral("All"), QStringLiteral("4-bit")};

TEST(DecoderWords, NameTheFastestAndWhatItCosts) {
    const app::DecodersRecord record = twoDecoders();
    const QString said = decodersSentence(record, twoNames);
    EXPECT_EQ(said, QStringLiteral("4-bit is the fastest: 125 tokens per second at 1,024 tokens of "
                                   "context, 2.50 times as fast as All. It costs a divergence of "
                                   "0.031 nats; 5.0 % of the tokens change."));
    EXPECT_EQ(decoderAdvice(record.sides[0]),
              QStringLiteral("The head is 58 % of a token and float: quantize it."));
    const QString grounds =
        decodersGrounds(record, QStringLiteral("/x/book.txt")).join(QStringLiteral(" · "));
    EXPECT_TRUE(grounds.contains(QStringLiteral("the first 500 tokens of book.txt")))
        << grounds.toStdString();
    EXPECT_TRUE(decodersSentence({}, {}).isEmpty());
    app::DecodersRecord one = record;
    one.sides.resize(1);
    EXPECT_EQ(decodersSentence(one, twoNames),
              QStringLiteral("All: 50.0 tokens per second at 1,024 tokens of context."));
    app::DecodersRecord slower = record;
    std::swap(slower.sides[0], slower.sides[1]);
    EXPECT_TRUE(
        decodersSentence(slower, twoNames).startsWith(QStringLiteral("All is the fastest")));
    app::DecodersRecord swept = record;
    swept.sides[1].model = 0;
    swept.sides[1].threads = 2;
    EXPECT_EQ(sideNames(swept, twoNames).join(u'|'),
              QStringLiteral("All, threads: 1|All, threads: 2"));
    EXPECT_EQ(decodersGrounds(swept, {}).value(0), QStringLiteral("threads: 1, 2"));
    app::DecodersRecord failed = record;
    failed.sides.push_back({});
    failed.sides.back().model = 2;
    failed.sides.back().threads = 0;
    failed.sides.back().error = "the model has no caches";
    const QStringList threeNames = QStringList(twoNames) << QStringLiteral("8-bit");
    EXPECT_EQ(sideNames(failed, threeNames), threeNames) << "no number of threads was chosen";
    EXPECT_EQ(decodersGrounds(failed, {}).value(0), QStringLiteral("threads: 1"));
    const QString headline = decodersSentence(failed, threeNames);
    EXPECT_TRUE(headline.startsWith(said)) << headline.toStdString();
    EXPECT_TRUE(headline.contains(QStringLiteral("could not run"))) << headline.toStdString();
    EXPECT_EQ(failureText(failed.sides.back()),
              QStringLiteral("could not run: the model has no caches"));
    EXPECT_TRUE(failureText(failed.sides.front()).isEmpty());
    one.sides[0].half_caches = true;
    EXPECT_EQ(sideNames(one, twoNames).value(0), QStringLiteral("All, caches in float16"));
}

TEST(DecoderWords, NumbersHaveNoExponent) {
    EXPECT_EQ(plainNumber(0.031, 4), QStringLiteral("0.031"));
    EXPECT_EQ(plainNumber(12.3456, 4), QStringLiteral("12.35"));
    EXPECT_EQ(plainNumber(1234567, 4), QStringLiteral("1,234,567"));
    EXPECT_EQ(plainNumber(0.0001, 4), QStringLiteral("0.0001"));
    EXPECT_EQ(plainNumber(3e-6, 4), QStringLiteral("< 0.0001"));
    EXPECT_EQ(plainNumber(0, 4), QStringLiteral("0"));
}

// The command line says the same sentences.
TEST(DecoderWords, AdviceIsTheEnginesOwn) {
    for (const DecodingFinding finding :
         {DecodingFinding::none, DecodingFinding::head, DecodingFinding::caches,
          DecodingFinding::overhead, DecodingFinding::attention, DecodingFinding::products,
          DecodingFinding::nothing}) {
        const DecodingAdvice advice{finding, 0.58, 128};
        EXPECT_EQ(adviceText(advice).toStdString(), sentence_of(advice));
    }
}

TEST(RateCurveTest, SaysEachPointAndItsRoof) {
    RateCurve curve;
    curve.resize(500, 300);
    curve.grab();  // with nothing
    const app::DecodersRecord record = twoDecoders();
    curve.setRecord(&record, twoNames);
    EXPECT_TRUE(curve.description().contains(
        QStringLiteral("4-bit: 125 tokens per second at 1,024 tokens of context, 80 % of what "
                       "memory allows (156)")))
        << curve.description().toStdString();
    curve.grab();
    curve.setRecord(nullptr, {});
    EXPECT_TRUE(curve.description().isEmpty());
}

TEST(RateCurveTest, AFarRoofDoesNotFlattenTheLines) {
    app::DecodersRecord record = twoDecoders();
    for (app::DecoderSide& side : record.sides)
        for (app::DecoderPoint& point : side.points) point.roof_tokens_per_second *= 1000;
    // Pixels that differ between a picture with fast and with slow first variant show that lines
    // use the height: with the far roof in scale both would lie at the bottom.
    const auto picture = [&] {
        RateCurve curve;
        curve.resize(500, 300);
        curve.setRecord(&record, {});
        return curve.grab().toImage();
    };
    const QImage before = picture();
    for (app::DecoderSide& side : record.sides) side.points.front().token_ms = 6;
    const QImage after = picture();
    int differing = 0;
    for (int y = 0; y < before.height() / 2; ++y)
        for (int x = 0; x < before.width(); ++x)
            differing += before.pixel(x, y) != after.pixel(x, y) ? 1 : 0;
    EXPECT_GT(differing, 50) << "in the upper half";
}

TEST(RateCurveTest, SaysThatItIsMeasuring) {
    RateCurve curve;
    curve.resize(500, 300);
    const QImage before = curve.grab().toImage();
    curve.setMeasuring(true);
    EXPECT_NE(curve.grab().toImage(), before);
}

TEST(DecoderTableTest, HasALineForEachVariant) {
    app::DecodersRecord record = twoDecoders();
    record.sides.push_back({});
    record.sides.back().error = "the model has no caches";
    DecoderTable table;
    table.setRecord(&record, QStringList(twoNames) << QStringLiteral("other"));
    ASSERT_EQ(table.rows().rowCount(), 3);
    const auto cell = [&](int row, int column) {
        return table.rows().index(row, column).data().toString();
    };
    EXPECT_EQ(cell(0, 0), QStringLiteral("All"));
    EXPECT_EQ(cell(0, 1), QStringLiteral("100"));
    EXPECT_EQ(cell(1, 2), QStringLiteral("125"));
    EXPECT_EQ(cell(1, 3), QStringLiteral("80 %"));
    EXPECT_EQ(cell(1, 6), QStringLiteral("0.25")) << "the error of its perplexity";
    EXPECT_EQ(cell(0, 7), QStringLiteral("–")) << "it is what others are compared with";
    EXPECT_EQ(cell(1, 7), QStringLiteral("0.031"));
    EXPECT_EQ(cell(1, 8), QStringLiteral("25 / 499"));
    EXPECT_EQ(cell(2, 1), QStringLiteral("–"));
    EXPECT_EQ(cell(2, 0), QStringLiteral("other: could not run: the model has no caches"));
    const auto header = [&](int column) {
        return table.rows().headerData(column, Qt::Horizontal).toString();
    };
    EXPECT_EQ(header(3), QStringLiteral("Roof reached at 1,024"));
    EXPECT_EQ(header(4), QStringLiteral("First token at 1,024"));
    EXPECT_EQ(header(6), QStringLiteral("Perplexity, +-"));
    EXPECT_EQ(header(7), QStringLiteral("KL (nats)"));
    for (int column = 0; column < table.rows().columnCount(); ++column)
        EXPECT_GE(table.columnWidth(column),
                  table.header()->fontMetrics().horizontalAdvance(header(column)))
            << column;
    ASSERT_TRUE(table.chosen());
    EXPECT_EQ(table.chosen()->name, QStringLiteral("All")) << "the first";
    table.setCurrentIndex(table.rows().index(1, 0));
    record.contexts = {short_context};
    table.setRecord(&record, twoNames);
    EXPECT_EQ(table.chosen()->name, QStringLiteral("4-bit")) << "it stays";
    EXPECT_EQ(header(3), QStringLiteral("Roof reached at 128"));
    EXPECT_EQ(cell(1, 4), QStringLiteral("12.8 ms"));
    table.setRecord(nullptr, {});
    EXPECT_EQ(table.chosen(), nullptr);
}

/// An engine that measures one variant and then waits until it is cancelled.
class HeldDecoders : public test::AnsweringEngine {
public:
    HeldDecoders() {
        answer<app::DecodersJob>([](const test::Asked<app::DecodersJob>& asked) {
            app::DecodersRecord record = twoDecoders();
            record.sides.resize(1);
            record.complete = false;
            asked.report(record);
            for (;;) {
                asked.progress.cancel.throw_if_cancelled();
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
            }
            return record;
        });
    }
};

class DecodersPanelTest : public WindowTest {
protected:
    app::MeasuredDecoders& decoders() const { return workbench_->measuredDecoders(); }
    QPushButton* button() const { return find<QPushButton>("decodersStart"); }
    void openLlama() {
        const auto model = std::make_shared<const Model>(samples::llama({.name = "small",
                                                                         .layers = 1,
                                                                         .width = 32,
                                                                         .inner = 64,
                                                                         .heads = 2,
                                                                         .key_heads = 1,
                                                                         .vocabulary = 97,
                                                                         .positions = 2048},
                                                                        5));
        workbench_->adopt(model, QStringLiteral("small"));
        window_->showPage(QStringLiteral("generate"));
        app::DecodersChoice choice = decoders().choice();
        choice.seconds = 0.01;
        decoders().setChoice(choice);
    }
};

TEST_F(DecodersPanelTest, MeasuresTheOpenModel) {
    openLlama();
    EXPECT_EQ(decoders().recipes().size(), 1u) << "nothing was quantized";
    command(QStringLiteral("Measure the decoder's variants"))->trigger();
    ASSERT_TRUE(decoders().isRunning());
    EXPECT_EQ(button()->text(), QStringLiteral("Sto&p"));
    ASSERT_TRUE(waitFor([&] { return !decoders().isRunning(); }));
    ASSERT_TRUE(decoders().record());
    EXPECT_TRUE(decoders().record()->complete);
    const auto& rows = find<DecoderTable>("decoderTable")->rows();
    ASSERT_EQ(rows.rowCount(), 1);
    EXPECT_EQ(rows.row(0).name, decoders().names().value(0));
    EXPECT_TRUE(rows.row(0).side.at(short_context));
    EXPECT_TRUE(rows.row(0).side.at(long_context));
    EXPECT_TRUE(find<QLabel>("decodersSentence")->text().contains(QStringLiteral("1,024")));
    EXPECT_TRUE(find<QLabel>("decodersGrounds")->text().contains(QStringLiteral("only variant")));
    EXPECT_TRUE(find<QLabel>("decodersAdvice")->text().startsWith(decoders().names().value(0)));
    window_->grab();
    workbench_->closeModel();
    EXPECT_EQ(decoders().record(), nullptr);
    EXPECT_EQ(rows.rowCount(), 0);
}

TEST_F(DecodersPanelTest, StopKeepsWhatWasMeasuredAndADroppedTextIsTaken) {
    window_.reset();
    workbench_ = std::make_unique<app::Workbench>(std::make_unique<HeldDecoders>());
    window_ = std::make_unique<MainWindow>(*workbench_);
    window_->show();
    openLlama();
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("book.ids"));
    std::ofstream(file.toStdString()) << "1 2 3";
    auto* panel = find<DecodersPanel>("decodersPanel");
    window_->setAcceptDrops(false);  // which opens what its parts do not take
    const auto drop = [&](const QString& path) {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter({20, 20}, Qt::CopyAction, &data, Qt::LeftButton, {});
        enter.ignore();
        QApplication::sendEvent(panel, &enter);
        if (!enter.isAccepted()) return false;
        QDropEvent dropped({20, 20}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(panel, &dropped);
        return true;
    };
    EXPECT_FALSE(drop(folder.filePath(QStringLiteral("picture.png")))) << "it is no text";
    ASSERT_TRUE(drop(file));
    EXPECT_EQ(find<QLineEdit>("decodersText")->text(), file);
    find<QCheckBox>("decodersHalf")->setChecked(true);
    find<QLineEdit>("decodersThreads")->setText(QStringLiteral("1, 2"));
    panel->toggle();
    ASSERT_TRUE(waitFor([&] { return decoders().record() != nullptr; }));
    EXPECT_EQ(decoders().choice().text, file);
    EXPECT_TRUE(decoders().choice().halfCaches);
    EXPECT_EQ(decoders().choice().threads, (std::vector<int>{1, 2}));
    EXPECT_FALSE(find<QLineEdit>("decodersText")->isEnabled());
    EXPECT_FALSE(drop(file)) << "while it runs";
    panel->toggle();
    ASSERT_TRUE(waitFor([&] { return !decoders().isRunning(); }));
    EXPECT_EQ(find<DecoderTable>("decoderTable")->rows().rowCount(), 1);
    EXPECT_FALSE(decoders().record()->complete);
    EXPECT_TRUE(find<QLabel>("decodersGrounds")->text().contains(QStringLiteral("Stopped")));
}

}  // namespace
}  // namespace lapidary::views
