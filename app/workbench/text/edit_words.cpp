// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/text/edit_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>

#include "workbench/text/bounded_text.h"

namespace lapidary::app {
namespace {

struct EditPhrase {
    const char* pattern;  // regular expression over the English sentence
    const char* text;     // the translated text, in which %1 and so on are the captured parts
};

// Longer phrases before those that they contain.
const EditPhrase editPhrases[] = {
    {"the model has no value (\".*?\")",
     QT_TRANSLATE_NOOP("EditWords", "the model has no value %1")},
    {"the model has no constant (\".*?\")",
     QT_TRANSLATE_NOOP("EditWords", "the model has no constant %1")},
    {"the model has no function (\".*?\")",
     QT_TRANSLATE_NOOP("EditWords", "the model has no function %1")},
    {"the model has no input (\".*?\"); there are: ",
     QT_TRANSLATE_NOOP("EditWords", "the model has no input %1; there are: ")},
    {"the model has no output (\".*?\"); there are: ",
     QT_TRANSLATE_NOOP("EditWords", "the model has no output %1; there are: ")},
    {"no node of the graph matches (\".*?\")",
     QT_TRANSLATE_NOOP("EditWords", "no node of the graph matches %1")},
    {"no value of the graph matches (\".*?\")",
     QT_TRANSLATE_NOOP("EditWords", "no value of the graph matches %1")},
    {"expected one node, (\".*?\") matches (\\d+)",
     QT_TRANSLATE_NOOP("EditWords", "expected one node, %1 matches %2")},
    {"expected one value, (\".*?\") matches (\\d+)",
     QT_TRANSLATE_NOOP("EditWords", "expected one value, %1 matches %2")},
    {"; did you mean (.+?)\\?", QT_TRANSLATE_NOOP("EditWords", "; did you mean %1?")},
    {"no operator is called (\".*?\")", QT_TRANSLATE_NOOP("EditWords", "no operator is called %1")},
    {"operator (\".*?\") does not exist in opset (\\d+)",
     QT_TRANSLATE_NOOP("EditWords", "operator %1 does not exist in opset %2")},
    {"no verb is called (\".*?\")", QT_TRANSLATE_NOOP("EditWords", "no verb is called %1")},
    {"no input is called (\".*?\")", QT_TRANSLATE_NOOP("EditWords", "no input is called %1")},
    {"a node is called (\".*?\") already: the name of the new node has to be free",
     QT_TRANSLATE_NOOP("EditWords",
                       "a node is called %1 already: the name of the new node has to be free")},
    {"a value is called (\".*?\") already",
     QT_TRANSLATE_NOOP("EditWords", "a value is called %1 already")},
    {"no node has a name within the scope (\".*?\")",
     QT_TRANSLATE_NOOP("EditWords", "no node has a name within the scope %1")},
    {"the model would have no output without (\".*?\")",
     QT_TRANSLATE_NOOP("EditWords", "the model would have no output without %1")},
    {"the model would have no output",
     QT_TRANSLATE_NOOP("EditWords", "the model would have no output")},
    {"reads (\".*?\"), which nothing writes",
     QT_TRANSLATE_NOOP("EditWords", "reads %1, which nothing writes")},
    {"nothing writes this output of the model",
     QT_TRANSLATE_NOOP("EditWords", "nothing writes this output of the model")},
    {"leaves the model invalid: ", QT_TRANSLATE_NOOP("EditWords", "leaves the model invalid: ")},
    {"(\".*?\") is an output of the model already",
     QT_TRANSLATE_NOOP("EditWords", "%1 is an output of the model already")},
    {"the model is of opset (\\d+) already",
     QT_TRANSLATE_NOOP("EditWords", "the model is of opset %1 already")},
    {"the model cannot be converted(?: down)? to opset (\\d+): ",
     QT_TRANSLATE_NOOP("EditWords", "the model cannot be converted to opset %1: ")},
    {"the metadata have no entry (\".*?\")",
     QT_TRANSLATE_NOOP("EditWords", "the metadata have no entry %1")},
    {"the type of (\".*?\"), which would be an input, is not known",
     QT_TRANSLATE_NOOP("EditWords", "the type of %1, which would be an input, is not known")},
    {"the new value of (\".*?\") is (.+?), expected (.+)$",
     QT_TRANSLATE_NOOP("EditWords", "the new value of %1 is %2, expected %3")},
    {"(\".*?\") is no constant: a node computes it",
     QT_TRANSLATE_NOOP("EditWords", "%1 is no constant: a node computes it")},
    {"(\".*?\") has a default, which would not fit any more",
     QT_TRANSLATE_NOOP("EditWords", "%1 has a default, which would not fit any more")},
    {"no rule of (\".*?\") applies to the model",
     QT_TRANSLATE_NOOP("EditWords", "no rule of %1 applies to the model")},
    {"its parts are not known", QT_TRANSLATE_NOOP("EditWords", "its parts are not known")},
    {"expected a whole number, found (\".*?\")",
     QT_TRANSLATE_NOOP("EditWords", "expected a whole number, found %1")},
    {"(\\d+) nodes? went with the outputs\\.",
     QT_TRANSLATE_NOOP("EditWords", "nodes that went with the outputs: %1.")},
    {"Converted from opset (\\d+) to (\\d+)\\.",
     QT_TRANSLATE_NOOP("EditWords", "Converted from opset %1 to %2.")},
    // the places in front of a reason
    {"\\bline (\\d+) \\(", QT_TRANSLATE_NOOP("EditWords", "line %1 (")},
    {"\\bnode (\".*?\") \\(", QT_TRANSLATE_NOOP("EditWords", "node %1 (")},
};

}  // namespace

QString editReason(const std::string& sentence) {
    QString text = tipText(sentence);
    if (QLocale().language() == QLocale::English) return text;
    for (const EditPhrase& phrase : editPhrases) {
        const QRegularExpression pattern(QString::fromUtf8(phrase.pattern));
        const QRegularExpressionMatch match = pattern.match(text);
        if (!match.hasMatch()) continue;
        QString said = QCoreApplication::translate("EditWords", phrase.text);
        for (int i = match.lastCapturedIndex(); i >= 1; --i)
            said.replace(QStringLiteral("%%1").arg(i), match.captured(i));
        text.replace(match.capturedStart(), match.capturedLength(), said);
    }
    return text;
}

}  // namespace lapidary::app
