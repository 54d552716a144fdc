// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/mnemonics.h"

#include <QAction>
#include <QKeySequence>
#include <QRegularExpression>

#include <map>
#include <set>
#include <utility>

namespace lapidary::views {
namespace {

constexpr char16_t last_typed = 0x24f;  // Latin letters: others are not on a keyboard as they are

/// The letter in capitals; null: none.
QChar letterOf(const QString& text) {
    const QKeySequence keys = QKeySequence::mnemonic(text);
    return keys.isEmpty() ? QChar() : QChar(char16_t(keys[0].key()));
}

bool isTyped(QChar letter) { return letter.isLetterOrNumber() && letter.unicode() <= last_typed; }

/// Whether the letter stands in brackets behind a text in Latin letters: "Ab(&C)". Such a letter
/// was given in a menu where none of the text's own was free; other scripts have theirs there
/// always.
bool isMakeshift(const QString& text) {
    static const QRegularExpression behind(QStringLiteral("\\(&\\w\\)"));
    return !text.isEmpty() && isTyped(text[0]) && text.contains(behind);
}

/// As withoutMnemonic(), with "&&" as it is.
QString unmarked(const QString& text) {
    static const QRegularExpression mark(QStringLiteral("\\(&\\w\\)|(?<!&)&(?!&)"));
    return QString(text).remove(mark);
}

/// Where "&" may stand in the text: before letters that begin a word, then before the others.
QList<qsizetype> placesIn(const QString& text) {
    QList<qsizetype> places;
    for (const bool beginsWord : {true, false})
        for (qsizetype i = 0; i < text.size(); ++i)
            if (isTyped(text[i]) && (i == 0 || !text[i - 1].isLetterOrNumber()) == beginsWord)
                places.append(i);
    return places;
}

/// Texts that get a letter of theirs each. A text moves to another letter of its own where that
/// leaves one for a text that has no other.
class LetterChoice {
public:
    LetterChoice(const QStringList& texts, std::set<QChar> taken)
        : texts_(texts), taken_(std::move(taken)), places_(texts.size(), -1) {
        for (qsizetype text = 0; text < texts_.size(); ++text) {
            std::set<QChar> tried;
            choose(text, tried);
        }
    }
    /// The texts with "&"; where none of its letters is free, with a letter in brackets behind it,
    /// before "…".
    QStringList marked() {
        QStringList all;
        for (const auto& [letter, text] : owners_) taken_.insert(letter);
        for (qsizetype i = 0; i < texts_.size(); ++i)
            all.append(places_[i] < 0 ? withFreeLetter(texts_[i])
                                      : QString(texts_[i]).insert(places_[i], u'&'));
        return all;
    }

private:
    bool choose(qsizetype text, std::set<QChar>& tried) {
        for (const qsizetype place : placesIn(texts_[text])) {
            const QChar letter = texts_[text][place].toUpper();
            if (taken_.contains(letter) || !tried.insert(letter).second) continue;
            const auto owner = owners_.find(letter);
            if (owner != owners_.end() && !choose(owner->second, tried)) continue;
            owners_[letter] = text;
            places_[text] = place;
            return true;
        }
        return false;
    }
    QString withFreeLetter(const QString& text) {
        static const QRegularExpression dots(QStringLiteral("\\s*…*$"));
        for (const QChar letter : QStringLiteral("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"))
            if (taken_.insert(letter).second)
                return QString(text).insert(dots.match(text).capturedStart(),
                                            QStringLiteral("(&%1)").arg(letter));
        return text;
    }

    QStringList texts_;
    std::set<QChar> taken_;              // by texts that keep theirs
    std::map<QChar, qsizetype> owners_;  // letter -> text
    QList<qsizetype> places_;            // of "&"; -1: none of its letters is free
};

}  // namespace

QString withoutMnemonic(const QString& text) {
    static const QRegularExpression mark(QStringLiteral("\\(&\\w\\)|&(?!&)"));
    return QString(text).remove(mark);
}

void giveMnemonics(const QMenu& menu) {
    std::set<QChar> taken;
    QList<QAction*> without;
    QStringList texts;
    for (QAction* action : menu.actions()) {
        if (action->isSeparator() || action->text().isEmpty() || !action->isVisible()) continue;
        const QChar letter = letterOf(action->text());
        // a makeshift letter may be from another menu that has the same action
        if (!letter.isNull() && !isMakeshift(action->text()) && taken.insert(letter).second)
            continue;
        without.append(action);
        texts.append(letter.isNull() ? action->text() : unmarked(action->text()));
    }
    const QStringList marked = LetterChoice(texts, taken).marked();
    for (qsizetype i = 0; i < without.size(); ++i)
        if (marked[i] != without[i]->text()) without[i]->setText(marked[i]);
}

void keepMnemonics(QMenu& menu) {
    QObject::connect(&menu, &QMenu::aboutToShow, &menu, [&menu] { giveMnemonics(menu); });
}

}  // namespace lapidary::views
