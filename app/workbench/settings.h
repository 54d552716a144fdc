// SPDX-License-Identifier: GPL-3.0-or-later
// What is remembered between starts, apart from window geometry (views keep that themselves).
#pragma once

#include <QStringList>

namespace lapidary::app {

struct RunSettings;

constexpr int most_recent_files = 10;

/// Names organisation and application for every QSettings made afterwards, in INI format.
void initSettings();

QStringList loadRecentFiles();
void saveRecentFiles(const QStringList& files);

/// Without the symbolic dimensions: those belong to one model.
RunSettings loadRunSettings();
void saveRunSettings(const RunSettings& settings);

/// Bytes that a run may take; 0: no limit.
quint64 loadMemoryLimit();
void saveMemoryLimit(quint64 bytes);

/// Files of plugins that are not to be opened.
QStringList loadPluginsOff();
void savePluginsOff(const QStringList& files);

/// "system", "light" or "dark".
QString loadThemeName();
void saveThemeName(const QString& name);

/// "de", "zh_CN", "en"; empty: like the desktop.
QString loadLanguage();
void saveLanguage(const QString& code);

}  // namespace lapidary::app
