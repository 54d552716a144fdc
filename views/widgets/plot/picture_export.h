// SPDX-License-Identifier: GPL-3.0-or-later
// Any drawn widget as a picture: on the clipboard, as PNG or as SVG.
#pragma once

#include <QString>

class QMenu;
class QPixmap;
class QWidget;

namespace lapidary::views {

/// The widget as it is drawn now, at `scale` times its size.
QPixmap pictureOf(QWidget& widget, double scale = 2);
void copyPicture(QWidget& widget);
/// PNG or, where the name ends in .svg, SVG; atomic. Returns why not, empty when it was saved.
QString savePictureTo(QWidget& widget, const QString& path);
/// Asks for a file name; `name` is proposed, without its ending. Tells the window's status bar what
/// came of it.
void savePicture(QWidget& widget, const QString& name);

/// Adds "Copy picture" and "Save picture …" to a menu the widget has.
void addPictureActions(QMenu& menu, QWidget& widget, const QString& name);
/// Ctrl+C and Ctrl+Shift+E while the widget has the focus, for one whose own menu has these two.
void installPictureKeys(QWidget& widget, const QString& name);
/// Gives a widget without a menu one with these two, and the keys.
void installPictureMenu(QWidget& widget, const QString& name);
bool offersPicture(const QWidget& widget);

}  // namespace lapidary::views
