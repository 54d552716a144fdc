// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/mnemonics.h"

#include <QAction>
#include <QKeySequence>
#include <QRegularExpression>

#include <set>

namespace lapidary::views {
namespace {

constexpr char16_t last_typed = 0x24f;  // Latin letters: others are not on a keyboard as they are

/// The letter in capitals; null: none.
QChar letterOf(const QString& text) {
    const QKeySequence keys = QKeySequence::mnemonic(text);
    return keys.isEmpty() ? QChar() : QChar(char16_t(keys[0].key()));
}

bool isTyped(QChar letter) { return letter.isLetterOrNumber() && letter.unicode() <= last_typed; }

/// The text with "&" before a letter that is not taken: of those that begin a word, else of any.
QString marked(const QString& text, const std::set<QChar>& taken) {
    for (const bool beginsWord : {true, false})
        for (qsizetype i = 0; i < text.size(); ++i) {
            if (!isTyped(text[i]) || taken.contains(text[i].toUpper())) continue;
            if (beginsWord && i > 0 && text[i - 1].isLetterOrNumber()) continue;
            return QString(text).insert(i, u'&');
        }
    for (const QChar letter : QStringLiteral("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"))
        if (!taken.contains(letter)) return text + QStringLiteral("(&%1)").arg(letter);
    return text;
}

}  // namespace

QString withoutMnemonic(const QString& text) {
    static const QRegularExpression mark(QStringLiteral("\\(&\\w\\)|&(?!&)"));
    return QString(text).remove(mark);
}

void giveMnemonics(const QMenu& menu) {
    std::set<QChar> taken;
    QList<QAction*> without;
    for (QAction* action : menu.actions()) {
        if (action->isSeparator() || action->text().isEmpty() || !action->isVisible()) continue;
        const QChar letter = letterOf(action->text());
        if (letter.isNull() || !taken.insert(letter).second) without.append(action);
    }
    for (QAction* action : without) {
        const QString plain =
            letterOf(action->text()).isNull() ? action->text() : withoutMnemonic(action->text());
        const QString text = marked(plain, taken);
        if (text != action->text()) action->setText(text);
        if (const QChar letter = letterOf(text); !letter.isNull()) taken.insert(letter);
    }
}

void keepMnemonics(QMenu& menu) {
    QObject::connect(&menu, &QMenu::aboutToShow, &menu, [&menu] { giveMnemonics(menu); });
}

}  // namespace lapidary::views
