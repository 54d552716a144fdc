// SPDX-License-Identifier: Apache-2.0
// The Generate page: tokens as they come, their figures, two variants, and models that are no
// decoders.
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QTemporaryDir>

#include <atomic>
#include <chrono>
#include <fstream>
#include <memory>
#include <thread>

#include <lapidary/onnx_io/model_io.h>

#include "generate/generate_card.h"
#include "generate/generate_page.h"
#include "generate/generate_words.h"
#include "generate/prompt_bar.h"
#include "generate/side_table.h"
#include "generate/token_time_bars.h"
#include "generate/token_view.h"
#include "samples/llama.h"
#include "support/answering_engine.h"
#include "views/window_fixture.h"
#include "widgets/cards/empty_state.h"
#include "widgets/cards/message_banner.h"
#include "widgets/plot/context_memory_plot.h"
#include "workbench/jobs/comparison.h"
#include "workbench/jobs/generating.h"

namespace lapidary::views {
namespace {

ModelPtr smallLlama() {
    static const ModelPtr model = std::make_shared<const Model>(samples::llama({.name = "small",
                                                                                .layers = 2,
                                                                                .width = 32,
                                                                                .inner = 64,
                                                                                .heads = 4,
                                                                                .key_heads = 2,
                                                                                .vocabulary = 97,
                                                                                .positions = 4096},
                                                                               5));
    return model;
}

class GeneratePageTest : public WindowTest {
protected:
    GeneratePage* page() const {
        return qobject_cast<GeneratePage*>(window_->page(QStringLiteral("generate")));
    }
    app::Generating& generating() const { return workbench_->generating(); }
    void openLlama(int newTokens = 24) {
        workbench_->adopt(smallLlama(), QStringLiteral("small"));
        window_->showPage(QStringLiteral("generate"));
        find<QLineEdit>("promptTokens")->setText(QStringLiteral("7, 38 69"));
        find<QSpinBox>("newTokens")->setValue(newTokens);
    }
    QPushButton* button() const { return find<QPushButton>("generateStart"); }
    void generate() {
        QTest::mouseClick(button(), Qt::LeftButton);
        ASSERT_TRUE(generating().isRunning());
        ASSERT_TRUE(waitFor([&] { return !generating().isRunning(); }));
        ASSERT_TRUE(generating().record());
    }
};

/// An engine whose generation waits after its third state until it is cancelled.
class HeldGeneration : public test::AnsweringEngine {
public:
    HeldGeneration() {
        answer<app::GenerateJob>([](const test::Asked<app::GenerateJob>& asked) {
            app::GenerateRecord record;
            record.prompt = asked.job.prompt;
            record.capacity = 100;
            record.sides.resize(1);
            for (int i = 0; i < 3; ++i) {
                record.sides[0].tokens.push_back(10 + i);
                if (i == 0) record.sides[0].first_ms = 5;
                else record.sides[0].token_ms.push_back(2);
                asked.report(record);
            }
            for (;;) {
                asked.progress.cancel.throw_if_cancelled();
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
            }
            return record;
        });
    }
};

TEST_F(GeneratePageTest, SaysWhatToOpenWhereThereIsNoDecoder) {
    window_->showPage(QStringLiteral("generate"));
    EXPECT_EQ(page()->state(), GeneratePage::State::nothingOpen);
    openSample("mlp");
    window_->showPage(QStringLiteral("generate"));
    EXPECT_EQ(page()->state(), GeneratePage::State::noDecoder);
    auto* empty = page()->findChild<EmptyState*>();
    EXPECT_TRUE(empty->text().contains(QStringLiteral("input_ids"))) << empty->text().toStdString();
    EXPECT_TRUE(empty->text().contains(QStringLiteral("Llama-160m")));
    QSignalSpy pages(page(), &Page::pageRequested);
    empty->button()->click();
    EXPECT_EQ(pages.value(0).value(0).toString(), QStringLiteral("start"));
    QSignalSpy failed(&generating(), &app::Generating::failed);
    generating().start();
    EXPECT_EQ(failed.count(), 1) << "it says so too";
}

TEST_F(GeneratePageTest, TokensAppearWithTheirFigures) {
    openLlama();
    EXPECT_EQ(page()->state(), GeneratePage::State::ready);
    generate();
    const app::GenerateRecord& record = *generating().record();
    ASSERT_EQ(record.sides.size(), 1u);
    EXPECT_TRUE(record.complete);
    ASSERT_EQ(record.sides[0].tokens.size(), 24u);
    EXPECT_EQ(record.prompt, (std::vector<std::int64_t>{7, 38, 69}));
    QStringList words{QStringLiteral("7"), QStringLiteral("38"), QStringLiteral("69"),
                      QStringLiteral("→")};
    for (const std::int64_t token : record.sides[0].tokens) words << QString::number(token);
    EXPECT_EQ(find<TokenView>("tokenView")->toPlainText(), words.join(u' '));
    auto* card = find<GenerateCard>("generateCard");
    EXPECT_TRUE(card->sentence().contains(QStringLiteral("tokens per second")))
        << card->sentence().toStdString();
    EXPECT_FALSE(card->advice().isEmpty());
    EXPECT_TRUE(find<QLabel>("generateMemory")->text().contains(QStringLiteral("weights")));
    EXPECT_TRUE(
        find<TokenTimeBars>("tokenTimeBars")->description().contains(QStringLiteral("Attention")));
    const auto& rows = find<SideTable>("sideTable")->rows();
    ASSERT_EQ(rows.rowCount(), 1);
    EXPECT_EQ(rows.row(0).changed, -1);
    EXPECT_EQ(rows.row(0).weight_bytes, record.sides[0].weight_bytes);
    command(QStringLiteral("Copy the tokens"))->trigger();
    EXPECT_EQ(QApplication::clipboard()->text(), app::textOf(record.sides[0].tokens));
    window_->grab();
    generate();  // the same again, from the beginning
    EXPECT_EQ(find<TokenView>("tokenView")->toPlainText(), words.join(u' '));
    workbench_->closeModel();
    EXPECT_EQ(page()->state(), GeneratePage::State::nothingOpen);
    EXPECT_EQ(generating().record(), nullptr);
    EXPECT_TRUE(find<TokenView>("tokenView")->toPlainText().isEmpty());
}

TEST_F(GeneratePageTest, TheTunePageLeadsToTokensByThreads) {
    auto* link = find<QLabel>("tuneDecoder");
    EXPECT_TRUE(link->isHidden()) << "nothing is open";
    workbench_->adopt(smallLlama(), QStringLiteral("llama"));
    ASSERT_TRUE(waitFor([&] { return workbench_->document() != nullptr; }));
    window_->showPage(QStringLiteral("tune"));
    EXPECT_FALSE(link->isHidden());
    EXPECT_TRUE(link->text().contains(QStringLiteral("generate/variants")));
    emit link->linkActivated(QStringLiteral("generate/variants"));
    EXPECT_EQ(window_->currentPage(), QStringLiteral("generate"));
    EXPECT_EQ(find<QTabWidget>("generateTabs")->currentWidget()->objectName(),
              QStringLiteral("decodersPanel"));
    openSample("mlp");
    EXPECT_TRUE(link->isHidden()) << "it is no decoder";
}

TEST_F(GeneratePageTest, ATokenizerBesideTheModelTakesAText) {
    const QTemporaryDir folder;
    ASSERT_TRUE(QDir(folder.path()).mkpath(QStringLiteral("onnx")));
    const QString file = folder.filePath(QStringLiteral("onnx/model.onnx"));
    save_model(*smallLlama(), file.toStdString());
    std::string vocabulary;
    for (int i = 0; i < 97; ++i) {
        const std::string number = std::to_string(i);
        vocabulary += (i == 0 ? "\"w" : ",\"w") + number + "\":" + number;
    }
    std::ofstream(folder.filePath(QStringLiteral("tokenizer.json")).toStdString())
        << R"({"version":"1.0","truncation":null,"padding":null,"added_tokens":[],)"
           R"("normalizer":null,"pre_tokenizer":{"type":"WhitespaceSplit"},)"
           R"("post_processor":null,"decoder":null,"model":{"type":"WordLevel","vocab":{)"
        << vocabulary << R"(},"unk_token":"w0"}})";
    workbench_->openModel(file);
    ASSERT_TRUE(waitFor([&] { return workbench_->document() != nullptr; }));
    window_->showPage(QStringLiteral("generate"));
    EXPECT_TRUE(find<QComboBox>("promptKind")->isVisible());
    find<QSpinBox>("newTokens")->setValue(8);
    find<QLineEdit>("promptTokens")->setText(QStringLiteral("w7 w38 w69"));
    generate();
    const app::GenerateRecord& record = *generating().record();
    EXPECT_EQ(record.prompt, (std::vector<std::int64_t>{7, 38, 69}));
    QString text = QStringLiteral("w7 w38 w69");
    for (const std::string& piece : record.pieces) text += QString::fromStdString(piece);
    EXPECT_EQ(find<TokenView>("tokenView")->toPlainText(), text);
    EXPECT_TRUE(text.endsWith(QStringLiteral("w%1").arg(record.sides[0].tokens.back())));
    EXPECT_TRUE(generating().commandLine().contains(QStringLiteral("'--prompt=w7 w38 w69'")))
        << generating().commandLine().toStdString();
    // The same as tokens.
    find<QComboBox>("promptKind")->setCurrentIndex(1);
    find<QLineEdit>("promptTokens")->setText(QStringLiteral("7,38,69"));
    const std::vector<std::int64_t> tokens = record.sides[0].tokens;
    generate();
    EXPECT_EQ(generating().record()->sides[0].tokens, tokens);
    openSample("mlp");
    EXPECT_TRUE(generating().tokenizer().empty());
}

TEST_F(GeneratePageTest, BIsGivenTheTokensOfA) {
    openLlama();
    find<QComboBox>("generateWith")->setCurrentIndex(1);
    generate();
    const app::GenerateRecord& record = *generating().record();
    ASSERT_EQ(record.sides.size(), 2u) << "variants that were missing were made";
    EXPECT_EQ(generating().names().size(), 2);
    EXPECT_NE(workbench_->comparison().a(), workbench_->comparison().b());
    EXPECT_EQ(record.changed_tokens(), 0) << "levels choose alike";
    EXPECT_LT(meanDivergence(record), 1e-6);
    const auto& rows = find<SideTable>("sideTable")->rows();
    ASSERT_EQ(rows.rowCount(), 2);
    EXPECT_EQ(rows.row(1).changed, 0);
    EXPECT_TRUE(rows.row(0).name.startsWith(u'A'));
    EXPECT_EQ(find<TokenView>("tokenView")->markedCount(), 0u);
}

TEST_F(GeneratePageTest, RefusesWhatAreNoTokens) {
    openLlama();
    auto* prompt = find<QLineEdit>("promptTokens");
    for (const char* wrong : {"", "a, b", "1, -2", " , "}) {
        prompt->setText(QString::fromLatin1(wrong));
        EXPECT_FALSE(button()->isEnabled()) << wrong;
        EXPECT_TRUE(find<QLabel>("promptProblem")->isVisible()) << wrong;
    }
    prompt->setText(QStringLiteral("1"));
    EXPECT_TRUE(button()->isEnabled());
    EXPECT_FALSE(find<QLabel>("promptProblem")->isVisible());
    find<QLineEdit>("stopTokens")->setText(QStringLiteral("x"));
    EXPECT_FALSE(button()->isEnabled());
}

TEST_F(GeneratePageTest, WhatTheModelRefusesIsSaid) {
    openLlama();
    find<QSpinBox>("cacheCapacity")->setValue(5);
    QTest::mouseClick(button(), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return !generating().isRunning(); }));
    auto* banner = page()->findChild<MessageBanner*>();
    EXPECT_TRUE(banner->isVisible());
    EXPECT_TRUE(banner->text().contains(QStringLiteral("room for")))
        << banner->text().toStdString();
}

TEST_F(GeneratePageTest, TokensStreamAndStopKeepsThem) {
    window_.reset();
    workbench_ = std::make_unique<app::Workbench>(std::make_unique<HeldGeneration>());
    window_ = std::make_unique<MainWindow>(*workbench_);
    window_->resize(1300, 850);
    window_->show();
    openLlama();
    QTest::mouseClick(button(), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] {
        return generating().record() && generating().record()->sides[0].tokens.size() == 3;
    }));
    EXPECT_TRUE(generating().isRunning());
    EXPECT_EQ(find<TokenView>("tokenView")->toPlainText(), QStringLiteral("7 38 69 → 10 11 12"));
    EXPECT_EQ(button()->text(), QStringLiteral("&Stop"));
    QTest::mouseClick(button(), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return !generating().isRunning(); }));
    EXPECT_EQ(find<TokenView>("tokenView")->toPlainText(), QStringLiteral("7 38 69 → 10 11 12"));
    EXPECT_FALSE(generating().record()->complete);
    EXPECT_EQ(button()->text(), QStringLiteral("&Generate"));
    EXPECT_FALSE(page()->findChild<MessageBanner*>()->isVisible()) << "a stop is no failure";
}

/// A record whose only token spends its time on one part.
app::GenerateRecord recordOf(double TokenTime::*part, CacheStorage storage = CacheStorage::fixed) {
    app::GenerateRecord record;
    record.sides.resize(1);
    app::GeneratedSide& side = record.sides[0];
    side.head_type = "f32";
    side.storage = storage;
    side.weight_bytes = 1000;
    app::TokenSample sample;
    sample.context = 128;
    sample.time.wall_ms = 10;
    sample.time.*part = 6;
    sample.cache_bytes = 256;
    sample.activation_bytes = 100;
    side.samples.push_back(sample);
    return record;
}

TEST(GenerateWords, AdviseWhatStandsOut) {
    const auto says = [](const app::GenerateRecord& record, const char* word) {
        return generateAdvice(record).contains(QString::fromLatin1(word));
    };
    app::GenerateRecord head = recordOf(&TokenTime::head_ms);
    EXPECT_EQ(generateAdvice(head),
              QStringLiteral("The head is 60 % of a token and float: quantize it."));
    EXPECT_TRUE(adviseQuantizing(head));
    head.sides[0].head_type = "u8";
    EXPECT_TRUE(says(head, "stands out")) << "it is quantized already";
    EXPECT_FALSE(adviseQuantizing(head));
    EXPECT_TRUE(says(recordOf(&TokenTime::cache_ms, CacheStorage::growing), "Copying caches"));
    EXPECT_TRUE(says(recordOf(&TokenTime::overhead_ms), "between the nodes"));
    EXPECT_TRUE(says(recordOf(&TokenTime::attention_ms), "128 tokens"));
    EXPECT_TRUE(adviseQuantizing(recordOf(&TokenTime::products_ms)));
    EXPECT_TRUE(generateAdvice({}).isEmpty());
}

TEST(GenerateWords, MemoryIsTheSumOfItsParts) {
    const app::GenerateRecord record = recordOf(&TokenTime::head_ms);
    const DecoderMemory memory = memoryOf(record, record.sides[0]);
    ASSERT_EQ(memory.points.size(), record.sides[0].samples.size());
    EXPECT_EQ(contextMemoryBytes(memory, memory.points[0]), 1356u);
    EXPECT_TRUE(memorySentence(record).startsWith(contextMemorySum(memory, memory.points.back())))
        << "the words of the Memory page";
    EXPECT_TRUE(memorySentence(record).endsWith(contextMemoryLeftOut()));
    EXPECT_TRUE(memorySentence({}).isEmpty());
}

TEST(GenerateTokens, AreNumbersWithGapsBetweenThem) {
    EXPECT_EQ(app::tokensFrom(QStringLiteral(" 1,2;  3\t4 ")),
              (std::vector<std::int64_t>{1, 2, 3, 4}));
    EXPECT_TRUE(app::tokensFrom(QStringLiteral("1 two")).empty());
    EXPECT_TRUE(app::tokensFrom(QStringLiteral("-1")).empty());
    EXPECT_TRUE(app::tokensFrom(QStringLiteral("99999999999999999999")).empty());
    EXPECT_EQ(app::textOf(std::vector<std::int64_t>{1, 2}), QStringLiteral("1, 2"));
}

}  // namespace
}  // namespace lapidary::views
