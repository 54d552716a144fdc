// SPDX-License-Identifier: GPL-3.0-or-later
// Mnemonics: the underlined letters that select entries of a menu.
#pragma once

#include <QMenu>
#include <QString>

namespace lapidary::views {

/// Returns "Save trace …" for "Save &trace …", and for "Save trace …(&T)" as in Chinese.
QString withoutMnemonic(const QString& text);
/// Gives each entry without a unique mnemonic a free letter of its text, or else a letter in
/// brackets at its end.
void giveMnemonics(const QMenu& menu);
/// Does the same whenever the menu is about to be shown, because texts and entries change.
void keepMnemonics(QMenu& menu);

}  // namespace lapidary::views
