// SPDX-License-Identifier: GPL-3.0-or-later
// Letters by which the entries of a menu are reached.
#pragma once

#include <QMenu>
#include <QString>

namespace lapidary::views {

/// "Save trace …" of "Save &trace …" and of "Save trace …(&T)", as Chinese has it.
QString withoutMnemonic(const QString& text);
/// Gives each entry that has no letter of its own, or one that an entry above it has, a free letter
/// of its text; where there is none, one in brackets behind it.
void giveMnemonics(const QMenu& menu);
/// Does that whenever the menu is about to be shown: texts change, and entries come and go.
void keepMnemonics(QMenu& menu);

}  // namespace lapidary::views
