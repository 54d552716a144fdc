// SPDX-License-Identifier: GPL-3.0-or-later
// The language of the window: the texts and how numbers are written.
#pragma once

#include <QList>
#include <QString>

namespace lapidary::views {

struct Language {
    QString code;  // "de", "zh_CN"; "en": as the sources are written; empty: like the desktop
    QString name;  // in the language itself
};
/// Those the program has a catalogue for, English first. Without "like the desktop".
QList<Language> languages();

/// Takes the texts of the catalogue, Qt's own with them where they are installed, and the locale
/// for numbers. Call before the first window is made: texts that exist already stay. Empty or
/// unknown: what the desktop prefers.
void applyLanguage(const QString& code);
/// The code whose catalogue is in use.
QString currentLanguage();

}  // namespace lapidary::views
