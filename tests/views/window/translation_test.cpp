// SPDX-License-Identifier: Apache-2.0
// The catalogues are complete and in use, and no text of the window escapes them.
#include <gtest/gtest.h>

#include <QAbstractItemView>
#include <QCoreApplication>
#include <QFile>
#include <QLocale>
#include <QRegularExpression>
#include <QXmlStreamReader>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include <lapidary/edit/edit_verbs.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/export/export_model.h>
#include <lapidary/export/requirement.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/quantize/calibrate.h>
#include <lapidary/quantize/quantize.h>

#include "language.h"
#include "memory/memory_words.h"
#include "start/sample_texts.h"
#include "support/test_data.h"
#include "widgets/cards/card_button.h"
#include "widgets/text/quantity.h"
#include "views/window_fixture.h"
#include "workbench/text/core_words.h"
#include "workbench/text/edit_words.h"

namespace lapidary::views {
namespace {

namespace fs = std::filesystem;

/// "%1", "%2", "%n" in any order and number.
std::multiset<QString> placesOf(const QString& text) {
    static const QRegularExpression place(QStringLiteral("%L?(\\d|n)"));
    std::multiset<QString> places;
    for (auto it = place.globalMatch(text); it.hasNext();) places.insert(it.next().captured(1));
    return places;
}

struct Entry {
    QString context, source;
    QStringList texts;  // more than one: plural forms
    bool plural = false, finished = true;
};

std::vector<Entry> entriesOf(const fs::path& file) {
    std::vector<Entry> entries;
    QFile in(QString::fromStdString(file.string()));
    EXPECT_TRUE(in.open(QIODevice::ReadOnly)) << file;
    QXmlStreamReader xml(&in);
    QString context;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) continue;
        if (xml.name() == QLatin1String("name")) context = xml.readElementText();
        else if (xml.name() == QLatin1String("message")) {
            entries.push_back({context});
            entries.back().plural =
                xml.attributes().value(QLatin1String("numerus")) == QLatin1String("yes");
        } else if (xml.name() == QLatin1String("source"))
            entries.back().source = xml.readElementText();
        else if (xml.name() == QLatin1String("translation")) {
            entries.back().finished = xml.attributes().value(QLatin1String("type")).isEmpty();
            if (!entries.back().plural) entries.back().texts << xml.readElementText();
        } else if (xml.name() == QLatin1String("numerusform"))
            entries.back().texts << xml.readElementText();
    }
    EXPECT_FALSE(xml.hasError()) << file << ": " << xml.errorString().toStdString();
    return entries;
}

TEST(Translation, CataloguesAreFinished) {
    for (const char* code : {"de", "zh_CN", "en"}) {
        const auto entries = entriesOf(source_folder() / "resources/translations" /
                                       ("lapidary_" + std::string(code) + ".ts"));
        // English: plurals alone
        EXPECT_GT(entries.size(), std::string(code) == "en" ? 20u : 700u);
        for (const Entry& entry : entries) {
            const std::string what = std::string(code) + ": " + entry.source.toStdString();
            EXPECT_TRUE(entry.finished) << what << " is not finished";
            ASSERT_FALSE(entry.texts.isEmpty()) << what;
            for (const QString& text : entry.texts) {
                EXPECT_FALSE(text.isEmpty()) << what << " is empty";
                // "one node" may do without the number
                if (entry.plural && entry.texts.size() > 1) continue;
                EXPECT_EQ(placesOf(text), placesOf(entry.source))
                    << what << " -> " << text.toStdString();
            }
        }
    }
}

TEST(Translation, EnglishHasPlurals) {
    std::size_t plurals = 0;
    for (const Entry& entry : entriesOf(source_folder() / "resources/translations/lapidary_de.ts"))
        plurals += entry.plural;
    const auto entries = entriesOf(source_folder() / "resources/translations/lapidary_en.ts");
    EXPECT_EQ(entries.size(), plurals) << "resources/translations/update.sh brings it up to date";
    for (const Entry& entry : entries)
        for (const QString& text : entry.texts)
            EXPECT_FALSE(text.contains(QStringLiteral("(s)"))) << text.toStdString();
}

// A menu or a dialog with two equal mnemonics is no error for Qt, but a text that lost its only one
// is harder to reach.
TEST(Translation, MnemonicsAreKept) {
    static const QRegularExpression mnemonic(QStringLiteral("(^|[^&])&[^& ]"));
    for (const char* code : {"de", "zh_CN"})
        for (const Entry& entry : entriesOf(source_folder() / "resources/translations" /
                                            ("lapidary_" + std::string(code) + ".ts")))
            if (entry.source.contains(mnemonic) && !entry.texts.isEmpty())
                EXPECT_TRUE(entry.texts.first().contains(mnemonic))
                    << code << ": " << entry.source.toStdString();
}

// Chinese writes an ellipsis of two characters, without a space before it.
TEST(Translation, ChineseEllipsesAreChinese) {
    static const QRegularExpression other(QStringLiteral("(\\s…+|(?<!…)…|\\.\\.\\.)$"));
    for (const Entry& entry :
         entriesOf(source_folder() / "resources/translations" / "lapidary_zh_CN.ts"))
        for (const QString& text : entry.texts)
            EXPECT_FALSE(text.contains(other)) << text.toStdString();
}

// German writes them as English does, apart from the word before.
TEST(Translation, GermanEllipsesAreThoseOfTheSource) {
    const QString ellipsis = QStringLiteral(" …");
    for (const Entry& entry :
         entriesOf(source_folder() / "resources/translations" / "lapidary_de.ts"))
        for (const QString& text : entry.texts)
            if (entry.source.endsWith(ellipsis))
                EXPECT_TRUE(text.endsWith(ellipsis)) << text.toStdString();
}

// lupdate names the context by the scope it sees; a free function called tr() or an alias of a
// class leads it astray.
TEST(Translation, TextsHaveTheContextTheyAreLookedUpUnder) {
    for (const Entry& entry :
         entriesOf(source_folder() / "resources/translations/lapidary_de.ts")) {
        EXPECT_GT(entry.context.size(), 1) << entry.source.toStdString();
        EXPECT_FALSE(entry.context.endsWith(QLatin1String("::app")) ||
                     entry.context.endsWith(QLatin1String("::views")))
            << entry.source.toStdString();
    }
}

/// Text in quotes that people may read: words, not names of things.
bool isReadable(const QString& text) {
    static const QRegularExpression words(
        QStringLiteral("[A-Za-z]{2,} [A-Za-z]{2,}|^[A-Z][a-z]+[.:!?…]?$"));
    return text.contains(words);
}

/// The beginning of a form of an edit, up to a place for a name: "remove output %1".
bool isEdit(const QString& text) {
    const std::string words = text.section(u'%', 0, 0).trimmed().toStdString();
    return !words.empty() && std::ranges::any_of(edit_verbs(), [&](const EditVerb& verb) {
        return verb.form == words || verb.form.starts_with(words + ' ');
    });
}

/// A file that is a list of operators, or of what the engine says.
bool isList(const std::string& name) {
    return name == "operator_family.cpp" || name == "model_facts.cpp" || name == "core_words.cpp" ||
           name == "edit_words.cpp" || name.ends_with("_phrases.cpp");
}

// A literal is fine inside tr(), translate(), QT_TR_NOOP and the like. Everything else that reads
// like a sentence is listed below.
TEST(Translation, NoTextEscapes) {
    const std::set<std::string> allowed{
        "Fusion",
        "Lapidary",
        "ONNX Runtime",
        "ONNX Runtime ",
        "Python",
        "Rust",
        "English",
        // names
        "Deutsch",
        "Azure",
        // operators
        "Reshape",
        "Flatten",
        "Squeeze",
        "Unsqueeze",
        "Identity",
        "Constant",
        "Dropout",
        // of processes
        "exit code 0",
        // fonts
        "Inter",
        "Inter Variable",
        "Noto Sans",
        "Source Sans 3",
        "IBM Plex Sans",
        "Roboto",
        "Ubuntu",
        "Cantarell",
        "Open Sans",
        "DejaVu Sans",
    };
    static const QRegularExpression literal(QStringLiteral("\"((?:[^\"\\\\]|\\\\.)*)\""));
    static const QRegularExpression keeper(
        QStringLiteral("(\\btr\\(|translate\\(|QT_TR_NOOP|QT_TRANSLATE_NOOP|LAPIDARY_PAGE|#include|"
                       "step\\(|objectName|setObjectName|"
                       "qWarning|setProperty\\(\"|fail\\w*\\(|Error\\(|error_in_flight\\(|thread_"
                       "\\.start\\(|words\\(|parse_json\\(|read_json<)"));
    std::string escaped;
    for (const char* folder : {"views", "app/workbench"})
        for (const auto& file : fs::recursive_directory_iterator(source_folder() / folder)) {
            if (file.path().extension() != ".cpp" && file.path().extension() != ".h") continue;
            std::ifstream in(file.path());
            int number = 0;
            bool inside = false;  // a call that goes on over the line's end
            for (std::string raw; std::getline(in, raw);) {
                ++number;
                QString line = QString::fromStdString(raw);
                if (const qsizetype comment = line.indexOf(QStringLiteral("//"));
                    comment >= 0 && line.left(comment).count(u'"') % 2 == 0)
                    line.truncate(comment);
                const bool kept = inside || line.contains(keeper);
                const QString code = QString(line).remove(literal);  // a text may hold any of these
                const QRegularExpressionMatch call = keeper.match(code);
                const QString rest = call.hasMatch() ? code.mid(call.capturedEnd()) : code;
                inside = kept && !rest.contains(u';') && !rest.contains(u'{') &&
                         !code.trimmed().endsWith(u'}');
                if (kept || isList(file.path().filename().string())) continue;
                for (auto it = literal.globalMatch(line); it.hasNext();) {
                    const QString text = it.next().captured(1);
                    const bool markup = text.startsWith(u'<') || text.contains(u'{') ||
                                        // commands and edits are none either
                                        text.startsWith(QLatin1String("lapidary-cli ")) ||
                                        isEdit(text);
                    if (isReadable(text) && !markup && !allowed.contains(text.toStdString()))
                        escaped += fs::relative(file.path(), source_folder()).string() + ":" +
                                   std::to_string(number) + ": " + text.toStdString() + "\n";
                }
            }
        }
    EXPECT_TRUE(escaped.empty()) << "not translated:\n" << escaped;
}

class InLanguage : public WindowTest {
protected:
    void SetUp() override {}  // the window comes after the language
    void TearDown() override {
        WindowTest::TearDown();
        applyLanguage(QStringLiteral("en"));
        QLocale::setDefault(QLocale::c());
    }
    void start(const char* code) {
        applyLanguage(QString::fromLatin1(code));
        WindowTest::SetUp();
    }
};

TEST_F(InLanguage, GermanWindowSpeaksGerman) {
    if (languages().size() < 2) GTEST_SKIP() << "built without lrelease";
    start("de");
    EXPECT_EQ(currentLanguage(), QStringLiteral("de"));
    EXPECT_EQ(QCoreApplication::translate("Pages", "Compare"), QStringLiteral("Vergleich"));
    EXPECT_NE(command(QStringLiteral("Öffnen …")), nullptr);
    EXPECT_EQ(formatMilliseconds(1.25), QStringLiteral("1,25 ms"));
    for (const QString& id : window_->pageIds()) window_->showPage(id);
    openSample("bert-tiny");
    runModel();
    const QAbstractItemModel* phases = find<QAbstractItemView>("phaseTable")->model();
    QStringList names;
    for (int row = 0; row < phases->rowCount(); ++row)
        names << phases->index(row, 0).data().toString().trimmed();
    EXPECT_TRUE(names.contains(QStringLiteral("Kernel wählen"))) << names.join(u' ').toStdString();
    for (const char* english : {"infer shapes", "choose kernels", "pack weights"})
        EXPECT_FALSE(names.contains(QString::fromLatin1(english))) << english;
}

/// Help of edits, and why they are refused.
TEST_F(InLanguage, WhatIsSaidOfEditsIsTranslated) {
    if (languages().size() < 2) GTEST_SKIP() << "built without lrelease";
    for (const EditVerb& verb : edit_verbs())
        EXPECT_TRUE(std::ranges::any_of(app::knownEditHelp(),
                                        [&](const char* help) { return help == verb.help; }))
            << "not in edit_help.cpp: " << verb.help;
    start("de");
    for (const EditVerb& verb : edit_verbs())
        EXPECT_NE(app::editHelp(verb.help).toStdString(), verb.help) << "it is not translated";
    EXPECT_EQ(
        app::editReason("line 1 (\"input w\"): the model has no constant \"w\"").toStdString(),
        "Zeile 1 (\"input w\"): das Modell hat keine Konstante \"w\"");
    EXPECT_EQ(app::editReason("node \"/conv2/Conv\" (Conv): the model would have no output")
                  .toStdString(),
              "Knoten \"/conv2/Conv\" (Conv): das Modell hätte keinen Ausgang");
    EXPECT_EQ(app::editReason("reads \"h\", which nothing writes").toStdString(),
              "liest \"h\", das nichts schreibt");
    EXPECT_EQ(app::editReason("expected one node, \"op:Relu\" matches 3: a, b, c").toStdString(),
              "erwartet wird ein Knoten, zu \"op:Relu\" passen 3: a, b, c");
}

/// Sentences of the engine, which are English.
TEST_F(InLanguage, SentencesOfTheEngineAreTranslated) {
    if (languages().size() < 2) GTEST_SKIP() << "built without lrelease";
    start("de");
    const auto said = [](const char* sentence) {
        return app::inWindowLanguage(sentence).toStdString();
    };
    EXPECT_EQ(said("ONNX Runtime 1.20 or newer on any platform"),
              "ONNX Runtime 1.20 oder neuer auf jeder Plattform");
    EXPECT_EQ(said("any ONNX implementation of opset 14"),
              "jede ONNX-Implementierung mit Opset 14");
    EXPECT_EQ(
        said("1 thread, batch 1: 128 µs [12.4, 20.1], 1.82 times as fast as batch 2 [1.18, 2.54]; "
             "the number of "
             "threads makes no difference beyond noise; no slower beyond noise is 2 threads."),
        "1 Thread, batch 1: 128 µs [12,4; 20,1], 1,82-mal so schnell wie batch 2 [1,18; 2,54]; die "
        "Zahl der "
        "Threads macht keinen Unterschied über das Rauschen hinaus; nicht messbar langsamer: 2 "
        "Threads.");
    EXPECT_EQ(said("Nothing was measured."), "Nichts wurde gemessen.");
    EXPECT_EQ(said("pi@board cannot be reached: Connection refused; `ssh pi@board true` in a "
                   "terminal shows more"),
              "pi@board ist nicht erreichbar: Connection refused; `ssh pi@board true` in einem "
              "Terminal zeigt mehr");
    openSample("bert-tiny");
    Requirement requirement;
    for (const Level level : {Level::basic, Level::all}) {
        OptimizeOptions options;
        options.level = level;
        requirement = requirement_of(optimize(build_sample("bert-tiny"), options).model);
        EXPECT_NE(said(requirement.sentence.c_str()), requirement.sentence)
            << "it is not translated";
    }
    window_->showPage(QStringLiteral("memory"));
    ASSERT_TRUE(waitFor([&] { return workbench_->jobs().jobs().isEmpty(); }));
    const auto* memory = find<QWidget>("memoryCard");
    QStringList words;
    for (const QLabel* label : memory->findChildren<QLabel*>()) words << label->text();
    EXPECT_TRUE(words.join(u' ').contains(QStringLiteral("Spitze ")))
        << words.join(u' ').toStdString();
    EXPECT_FALSE(words.join(u' ').contains(QStringLiteral("alive")))
        << words.join(u' ').toStdString();
}

/// Why nodes are quantized or not, warnings about the result, and targets of exports.
TEST_F(InLanguage, WhatIsSaidOfQuantizationIsTranslated) {
    if (languages().size() < 2) GTEST_SKIP() << "built without lrelease";
    start("de");
    const auto said = [](const std::string& sentence) {
        return app::inWindowLanguage(sentence).toStdString();
    };
    EXPECT_EQ(said("slower than the original here: 1.25 ms against 0.731 ms a run, 1.71 times "
                   "(1.60 to 1.80)"),
              "langsamer als das Original hier: 1,25 ms gegen 0,731 ms je Lauf, das 1,71-Fache "
              "(1,60 bis 1,80)");
    EXPECT_EQ(said("converted from opset 13 to 17"), "von Opset 13 auf 17 umgestellt");
    EXPECT_EQ(said("kept float as asked for (sec*)"), "bleibt wie verlangt Gleitkomma (sec*)");
    EXPECT_EQ(said("input \"x\": f32[1, 784] is not what a decoder has under this name"),
              "Eingang \"x\": f32[1, 784] ist nicht, was ein Decoder unter diesem Namen hat")
        << "a shape is no interval";
    const auto model = std::make_shared<const Model>(build_sample("lenet"));
    const SampleSourcePtr samples = generated_samples(model, 2, 1);
    for (const QuantizeMode mode :
         {QuantizeMode::dynamic, QuantizeMode::static_qdq, QuantizeMode::weights}) {
        QuantizeOptions options;
        options.mode = mode;
        for (const NodeDecision& node : quantize_model(*model, options, samples.get()).nodes)
            EXPECT_NE(said(node.reason), node.reason) << node.node;
    }
    for (const ExportTargetInfo& info : export_targets())
        for (const std::string_view text : {info.summary, info.requirement})
            EXPECT_NE(said(std::string(text)), text) << info.name;
}

TEST_F(InLanguage, ChineseWindowSpeaksChinese) {
    if (languages().size() < 2) GTEST_SKIP() << "built without lrelease";
    start("zh_CN");
    EXPECT_EQ(QCoreApplication::translate("Pages", "Compare"), QStringLiteral("比较"));
    EXPECT_EQ(QCoreApplication::translate("Columns", "Operator"), QStringLiteral("算子"));
    for (const QString& id : window_->pageIds()) window_->showPage(id);
    openSample("bert-tiny");
    runModel();
}

TEST(SampleTexts, AreThoseOfTheSamples) {
    std::set<std::string> known(sampleTexts().begin(), sampleTexts().end());
    for (const SampleInfo& sample : list_samples()) {
        EXPECT_EQ(known.erase(std::string(sample.summary)), 1u) << sample.summary;
        // names of architectures are the same in every language
        known.erase(std::string(sample.title));
    }
    EXPECT_TRUE(known.empty()) << *known.begin() << ": no sample says that";
}

TEST_F(InLanguage, SamplesAreTranslated) {
    if (languages().size() < 2) GTEST_SKIP() << "built without lrelease";
    start("zh_CN");
    for (const SampleInfo& sample : list_samples()) {
        const QString summary = sampleText(sample.summary);
        EXPECT_NE(summary,
                  QString::fromUtf8(sample.summary.data(), qsizetype(sample.summary.size())));
        const auto* card = find<CardButton>(("sample_" + std::string(sample.name)).c_str());
        EXPECT_EQ(card->accessibleDescription(), summary);
    }
    EXPECT_NE(sampleText("Multi-layer perceptron"), QStringLiteral("Multi-layer perceptron"));
}

TEST_F(InLanguage, WorkingMemoryIsNamedInIt) {
    if (languages().size() < 2) GTEST_SKIP() << "built without lrelease";
    start("de");
    TensorLifetime tensor;
    tensor.role = TensorRole::workspace;
    tensor.name = "working memory of /conv/Conv";
    tensor.written_by = "/conv/Conv";
    EXPECT_EQ(nameOf(tensor), QStringLiteral("Arbeitsspeicher von /conv/Conv"));
    tensor.name = "subgraphs of /conv/Conv";
    EXPECT_EQ(nameOf(tensor), QStringLiteral("Untergraphen von /conv/Conv"));
    tensor.role = TensorRole::activation;
    tensor.name = "/conv/Conv_output_0";
    EXPECT_EQ(nameOf(tensor), QStringLiteral("/conv/Conv_output_0"));
}

TEST(Language, UnknownCodesFallBackToTheDesktop) {
    applyLanguage(QStringLiteral("xx"));
    bool known = false;
    for (const Language& language : languages()) known |= language.code == currentLanguage();
    EXPECT_TRUE(known);
    applyLanguage(QStringLiteral("en"));
    EXPECT_EQ(currentLanguage(), QStringLiteral("en"));
    QLocale::setDefault(QLocale::c());
}

}  // namespace
}  // namespace lapidary::views
