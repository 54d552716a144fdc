// SPDX-License-Identifier: GPL-3.0-or-later
// What is remembered between starts, apart from window geometry (views keep that themselves).
#pragma once

#include <QStringList>

#include <cstdint>

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

/// Sizes that free dimensions get when a model is opened; 0: the input generator chooses.
struct UsualSizes {
    std::int64_t batch = 0, sequence = 0;
};
UsualSizes loadUsualSizes();
void saveUsualSizes(const UsualSizes& sizes);

/// Before what the window asks.
struct Questions {
    bool unsaved = true;  // unsaved changes are lost
    bool running = true;  // the window closes while something is measured or saved
};
Questions loadQuestions();
void saveQuestions(const Questions& questions);

/// Whether sizes are reported in kB, MB … (powers of 1000) or in KiB, MiB … (of 1024).
enum class ByteUnits { decimal, binary };
ByteUnits loadByteUnits();
void saveByteUnits(ByteUnits units);

/// Whether models run in a process of their own, from the next start on.
bool loadSeparateWorker();
void saveSeparateWorker(bool separate);

/// Whether the levels of models that run for a short time are measured and proven without being
/// asked.
bool loadTriesLevels();
void saveTriesLevels(bool tries);

/// "de", "zh_CN", "en"; empty: like the desktop.
QString loadLanguage();
void saveLanguage(const QString& code);

}  // namespace lapidary::app
