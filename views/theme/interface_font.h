// SPDX-License-Identifier: GPL-3.0-or-later
// The font of the window: the desktop's, or one made for interfaces, and the size of its texts.
#pragma once

#include <QString>
#include <QStringList>

namespace lapidary::views {

/// Families made for interfaces that are installed here, by their names in the font database.
QStringList interfaceFonts();

/// Gives the application this font. `family`: empty, or not installed: the desktop's. `percent`:
/// size of the texts, of the desktop's size. Digits have one width where Qt can ask for them
/// (6.7). Widgets that were made before keep sizes derived from the font before.
void applyInterfaceFont(const QString& family, int percent);

}  // namespace lapidary::views
