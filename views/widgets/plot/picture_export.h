// SPDX-License-Identifier: GPL-3.0-or-later
// Any drawn widget as a picture: on the clipboard, as PNG, as SVG or as PDF.
#pragma once

#include <QString>

class QMenu;
class QPixmap;
class QWidget;

namespace lapidary::views {

/// The widget as it is drawn now, at `scale` times its size.
QPixmap pictureOf(QWidget& widget, double scale = 2);
void copyPicture(QWidget& widget);
/// Saves as SVG if the name ends in .svg, as PDF if it ends in .pdf, both with text as text, else
/// as PNG; as a whole or not at all. Returns why it failed; empty: it was saved.
QString savePictureTo(QWidget& widget, const QString& path);
/// Asks for a file name and saves; the status bar shows the outcome. `name`: the proposed name
/// without ending.
void savePicture(QWidget& widget, const QString& name);

/// Adds "Copy picture" and "Save picture …" to an existing menu of the widget.
void addPictureActions(QMenu& menu, QWidget& widget, const QString& name);
/// Adds the keys Ctrl+C and Ctrl+Shift+E to a widget whose own menu has these two actions.
void installPictureKeys(QWidget& widget, const QString& name);
/// Gives a widget without a menu one with these two actions, and the keys.
void installPictureMenu(QWidget& widget, const QString& name);
bool offersPicture(const QWidget& widget);

}  // namespace lapidary::views
