// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/text/core_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>

#include <vector>

#include "workbench/text/bounded_text.h"
#include "workbench/text/core_phrases.h"

namespace lapidary::app {
namespace {

// Longer phrases before those that they contain.
const CorePhrase generalPhrases[] = {
    {"^any ONNX implementation of opset (\\d+)$",
     QT_TRANSLATE_NOOP("CoreWords", "any ONNX implementation of opset %1")},
    {"^ONNX Runtime on any platform$",
     QT_TRANSLATE_NOOP("CoreWords", "ONNX Runtime on any platform")},
    {"^ONNX Runtime ([\\d.]+) or newer on any platform$",
     QT_TRANSLATE_NOOP("CoreWords", "ONNX Runtime %1 or newer on any platform")},
    {"^a program that was given the operators of (.+)$",
     QT_TRANSLATE_NOOP("CoreWords", "a program that was given the operators of %1")},
    {"^ONNX Runtime on a CPU of the vector width that its channels are laid out for$",
     QT_TRANSLATE_NOOP(
         "CoreWords",
         "ONNX Runtime on a CPU of the vector width that its channels are laid out for")},
    {"^ONNX Runtime on a CPU that lays channels out in blocks of (\\d+), as (.+) does$",
     QT_TRANSLATE_NOOP("CoreWords",
                       "ONNX Runtime on a CPU that lays channels out in blocks of %1, as %2 does")},
    {"^ONNX Runtime on a CPU that lays channels out in blocks of (\\d+)$",
     QT_TRANSLATE_NOOP("CoreWords",
                       "ONNX Runtime on a CPU that lays channels out in blocks of %1")},
    {"^Nothing was measured\\.$", QT_TRANSLATE_NOOP("CoreWords", "Nothing was measured.")},
    {"^No setting stays under (\\S+) ms; the nearest is (.+) with (.+)\\.$",
     QT_TRANSLATE_NOOP("CoreWords", "No setting stays under %1 ms; the nearest is %2 with %3.")},
    {"^No recommendation: the fastest, (.+), is known only as (.+) ±(\\d+) %, and what differs by "
     "less is noise\\. "
     "Close "
     "other programs, or measure each setting for longer\\.$",
     QT_TRANSLATE_NOOP(
         "CoreWords",
         "No recommendation: the fastest, %1, is known only as %2 ±%3 %, and what differs by "
         "less is noise. Close other programs, or measure each setting for longer.")},
    {"the number of threads makes no difference beyond noise",
     QT_TRANSLATE_NOOP("CoreWords", "the number of threads makes no difference beyond noise")},
    {"the execution mode makes no difference beyond noise",
     QT_TRANSLATE_NOOP("CoreWords", "the execution mode makes no difference beyond noise")},
    {"spinning makes no difference beyond noise",
     QT_TRANSLATE_NOOP("CoreWords", "spinning makes no difference beyond noise")},
    {"the batch size makes no difference beyond noise",
     QT_TRANSLATE_NOOP("CoreWords", "the batch size makes no difference beyond noise")},
    {"the level makes no difference beyond noise",
     QT_TRANSLATE_NOOP("CoreWords", "the level makes no difference beyond noise")},
    {"takes ([\\d.e+-]+) times as long", QT_TRANSLATE_NOOP("CoreWords", "takes %1 times as long")},
    {"; not known of (.+?), between ([\\d.e+-]+) and ([\\d.e+-]+) times as long",
     QT_TRANSLATE_NOOP("CoreWords", "; not known of %1, between %2 and %3 times as long")},
    {"; not known of (.+?), with so few runs",
     QT_TRANSLATE_NOOP("CoreWords", "; not known of %1, with so few runs")},
    {"; cannot be told apart from it: ",
     QT_TRANSLATE_NOOP("CoreWords", "; cannot be told apart from it: ")},
    {"No other setting is known to give more inferences per second\\.",
     QT_TRANSLATE_NOOP("CoreWords",
                       "No other setting is known to give more inferences per second.")},
    {"No other setting is known to have a shorter run\\.",
     QT_TRANSLATE_NOOP("CoreWords", "No other setting is known to have a shorter run.")},
    {"([\\d.e+-]+) times as many inferences per second as ",
     QT_TRANSLATE_NOOP("CoreWords", "%1 times as many inferences per second as ")},
    {"Most inferences per second: (.+): ([\\d.e+]+), ([\\d.e+-]+) times as many",
     QT_TRANSLATE_NOOP("CoreWords", "Most inferences per second: %1: %2, %3 times as many")},
    {"Shortest run: (.+), ([\\d.e+-]+) times as long",
     QT_TRANSLATE_NOOP("CoreWords", "Shortest run: %1, %2 times as long")},
    {"([\\d.]+) times as fast as ", QT_TRANSLATE_NOOP("CoreWords", "%1 times as fast as ")},
    {"([\\d.e+]+) inferences per second",
     QT_TRANSLATE_NOOP("CoreWords", "%1 inferences per second")},
    {"no slower beyond noise (?:is|are) ",
     QT_TRANSLATE_NOOP("CoreWords", "no slower beyond noise: ")},
    {"(\\S+) cannot be reached: ", QT_TRANSLATE_NOOP("CoreWords", "%1 cannot be reached: ")},
    {"(\\S+) could not do what was asked: ",
     QT_TRANSLATE_NOOP("CoreWords", "%1 could not do what was asked: ")},
    {"ssh asks no password here: add a key, for example by `ssh-copy-id (\\S+)`",
     QT_TRANSLATE_NOOP("CoreWords",
                       "ssh asks no password here: add a key, for example by `ssh-copy-id %1`")},
    {"run `ssh (\\S+)` in a terminal once and compare its key",
     QT_TRANSLATE_NOOP("CoreWords", "run `ssh %1` in a terminal once and compare its key")},
    {"`ssh (\\S+) true` in a terminal shows more",
     QT_TRANSLATE_NOOP("CoreWords", "`ssh %1 true` in a terminal shows more")},
    {" and (\\d+) more", QT_TRANSLATE_NOOP("CoreWords", " and %1 more")},
    {"a thread per core", QT_TRANSLATE_NOOP("CoreWords", "a thread per core")},
    {"\\b1 thread\\b", QT_TRANSLATE_NOOP("CoreWords", "1 thread")},
    {"\\b(\\d+) threads\\b", QT_TRANSLATE_NOOP("CoreWords", "%1 threads")},
    {"parallel(?: execution)? with (\\d+) at a time",
     QT_TRANSLATE_NOOP("CoreWords", "parallel with %1 at a time")},
    {"sequential execution", QT_TRANSLATE_NOOP("CoreWords", "sequential execution")},
    {"no spinning", QT_TRANSLATE_NOOP("CoreWords", "no spinning")},
    {"(?:the )?batch as it comes", QT_TRANSLATE_NOOP("CoreWords", "batch as it comes")},
};

/// Writes "1.82" in the format of the language. If that has a comma, ends of intervals are
/// separated by semicolons. Shapes such as "f32[1, 784]" stay as they are.
void localizeNumbers(QString& text) {
    const QString point = QLocale().decimalPoint();
    if (point == QLatin1String(".")) return;
    static const QRegularExpression interval(
        QStringLiteral("(?<!\\w)\\[(-?[\\d.]+), (-?[\\d.]+)\\]"));
    text.replace(interval, QStringLiteral("[\\1; \\2]"));
    static const QRegularExpression number(QStringLiteral("(?<![\\w.])(\\d+)\\.(\\d+)(?![\\w.])"));
    text.replace(number, QStringLiteral("\\1%1\\2").arg(point));
}

struct CompiledPhrase {
    QRegularExpression pattern;
    const char* text;
};

/// All phrases, sentences before the parts of sentences.
const std::vector<CompiledPhrase>& compiledPhrases() {
    static const std::vector<CompiledPhrase> all = [] {
        std::vector<CompiledPhrase> made;
        for (const std::span<const CorePhrase> some :
             {decisionPhrases(), quantizePhrases(), targetPhrases(),
              std::span<const CorePhrase>(generalPhrases)})
            for (const CorePhrase& phrase : some)
                made.push_back(
                    {QRegularExpression(QString::fromUtf8(phrase.pattern)), phrase.text});
        return made;
    }();
    return all;
}

}  // namespace

QString inWindowLanguage(const std::string& sentence) {
    QString text = tipText(sentence);
    if (QLocale().language() == QLocale::English) return text;
    static const QRegularExpression version(QStringLiteral("ONNX Runtime \\d"));
    bool isVersion = false;
    for (const auto& [pattern, english] : compiledPhrases()) {
        for (qsizetype from = 0;;) {
            const QRegularExpressionMatch match = pattern.match(text, from);
            if (!match.hasMatch()) break;
            QString said = QCoreApplication::translate("CoreWords", english);
            for (int i = 1; i <= match.lastCapturedIndex(); ++i)
                said.replace(QStringLiteral("%%1").arg(i), match.captured(i));
            isVersion = isVersion || said.contains(version);
            text.replace(match.capturedStart(), match.capturedLength(), said);
            from = match.capturedStart() + said.size();
        }
    }
    if (!isVersion) localizeNumbers(text);  // version numbers stay unchanged
    return text;
}

}  // namespace lapidary::app
