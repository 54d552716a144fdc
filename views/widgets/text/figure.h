// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocale>
#include <QString>

namespace lapidary::views {

/// A number without a unit in the language of the window, with a minus sign and no hyphen:
/// "−0.5899", "1e−05". For what is shown; a number that is copied keeps its hyphen.
inline QString figureText(double value, int digits) {
    return QLocale().toString(value, 'g', digits).replace(u'-', QChar(0x2212));
}

}  // namespace lapidary::views
