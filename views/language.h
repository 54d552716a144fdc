// SPDX-License-Identifier: GPL-3.0-or-later
// The language of the window: the texts and how numbers are written.
#pragma once

#include <QList>
#include <QString>

namespace lapidary::views {

struct Language {
    QString code;  // "de", "zh_CN"; "en": the texts in the sources; empty: that of the desktop
    QString name;  // in the language itself
};
/// The languages that the program has a catalogue for, English first. Without the entry for the
/// desktop's language.
QList<Language> languages();

/// Loads the catalogue, also Qt's own if it is installed, and sets the locale for numbers. Call it
/// before the first window is made, because existing texts do not change. `code` empty or unknown:
/// the language of the desktop.
void applyLanguage(const QString& code);
/// The code whose catalogue is in use.
QString currentLanguage();

}  // namespace lapidary::views
