// SPDX-License-Identifier: GPL-3.0-or-later
// Light and dark palettes, the colours that QPalette has no role for, and icons that follow the
// theme. Views read colours when they paint, from their own palette(), and repaint on
// QEvent::PaletteChange.
#pragma once

#include <QColor>
#include <QFont>
#include <QIcon>
#include <QPalette>
#include <QString>

#include <lapidary/ops/operator_family.h>

namespace lapidary::views {

enum class ThemeChoice { system, light, dark };

ThemeChoice themeFromName(const QString& name);  // "light", "dark", anything else: system
QString nameOf(ThemeChoice choice);

/// Sets style, palette and style sheet of the application. Call again to change the theme while
/// running.
void applyTheme(ThemeChoice choice);
ThemeChoice currentTheme();

/// The palette of the light theme, whichever theme is in force: for paper.
const QPalette& lightPalette();
bool isDark(const QPalette& palette);

struct ThemeColors {
    QColor canvas;     // behind graph and timeline
    QColor card;       // raised areas
    QColor border;     // hairlines around cards and between panes
    QColor mutedText;  // secondary text, at least 4.5:1 on card
    QColor accent;     // links, the current page, primary buttons
    QColor onAccent;   // text on accent
    QColor selection;  // translucent fill of a selected range
    QColor good, warning, error;
    QColor goodFill, warningFill, errorFill, infoFill;  // banner backgrounds
    QColor heat;                                        // the bar behind numbers in tables
};
const ThemeColors& themeColors(const QPalette& palette);

/// The family an operator belongs to: it gives the colour in graph, bars and timeline.
using lapidary::OperatorFamily;
OperatorFamily operatorFamily(const QString& op);  // "Conv", "com.microsoft::Gelu"
QString nameOf(OperatorFamily family);             // translated
QString withoutDomain(const QString& op);          // "com.microsoft::Gelu" -> "Gelu"
QColor operatorColor(OperatorFamily family, const QPalette& palette);
QColor operatorColor(const QString& op, const QPalette& palette);

/// A line icon of resources/icons in the text colour of the palette in force when it is painted.
QIcon themedIcon(const QString& name);
QIcon themedIcon(const QString& name, QPalette::ColorRole role);
QIcon themedIcon(const QString& name, QColor ThemeColors::*color);

QFont monospaceFont();
/// The sizes of text, as shares of the window font: caption, body, headline, title, display.
inline constexpr double text_scale[] = {0.9, 1.0, 1.1, 1.3, 1.8};
/// The window font in that one of these sizes that is nearest to the factor.
QFont scaledFont(double factor, bool bold = false);

/// A property of a tab bar whose titles are close to each other.
inline constexpr const char* compactTabs = "compactTabs";
inline constexpr int compactTabSpace = 6;  // sum of both sides of a title
inline constexpr int spacing = 8;          // between controls; margins of cards are twice that

}  // namespace lapidary::views
