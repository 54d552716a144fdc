// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/interface_font.h"

#include <QApplication>
#include <QFontDatabase>

namespace lapidary::views {
namespace {

/// The font that the desktop gave us, before ours replaced it.
const QFont& desktopFont() {
    static const QFont font = QApplication::font();
    return font;
}

}  // namespace

QStringList interfaceFonts() {
    const QStringList installed = QFontDatabase::families();
    QStringList fonts;
    for (const char* family :
         {"Inter", "Inter Variable", "Noto Sans", "Source Sans 3", "IBM Plex Sans", "Roboto",
          "Ubuntu", "Cantarell", "Open Sans", "DejaVu Sans"})
        if (const QString name = QString::fromLatin1(family); installed.contains(name))
            fonts << name;
    return fonts;
}

void applyInterfaceFont(const QString& family, int percent) {
    QFont font = desktopFont();
    if (!family.isEmpty() && QFontDatabase::hasFamily(family))
        font.setFamilies(QStringList{family} + desktopFont().families());
    if (font.pointSizeF() > 0) font.setPointSizeF(desktopFont().pointSizeF() * percent / 100);
    else font.setPixelSize(qMax(1, desktopFont().pixelSize() * percent / 100));
#if QT_VERSION >= QT_VERSION_CHECK(6, 7, 0)
    font.setFeature(QFont::Tag("tnum"), 1);
#endif
    if (font != QApplication::font()) QApplication::setFont(font);
}

}  // namespace lapidary::views
