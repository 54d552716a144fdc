// SPDX-License-Identifier: GPL-3.0-or-later
// Settings that are remembered between starts of the window. Views store window geometry
// themselves.
#pragma once

#include <QStringList>

#include <cstdint>

namespace lapidary::app {

struct RunSettings;

constexpr int most_recent_files = 10;

/// Sets organisation, application and INI format for all QSettings objects made afterwards.
void initSettings();

QStringList loadRecentFiles();
void saveRecentFiles(const QStringList& files);

/// The sizes of symbolic dimensions are not stored, because they belong to one model.
RunSettings loadRunSettings();
void saveRunSettings(const RunSettings& settings);

/// Bytes that a run may take; 0: no limit.
quint64 loadMemoryLimit();
void saveMemoryLimit(quint64 bytes);

/// Files of plugins that are switched off.
QStringList loadPluginsOff();
void savePluginsOff(const QStringList& files);

/// "system", "light" or "dark".
QString loadThemeName();
void saveThemeName(const QString& name);

/// The font of the window.
struct TextLook {
    QString family;     // empty: the desktop's
    int percent = 100;  // size of texts, of the desktop's size: 50 to 300
};
TextLook loadTextLook();
void saveTextLook(const TextLook& look);

/// Sizes that free dimensions get when a model is opened; 0: the generator of inputs chooses them.
struct UsualSizes {
    std::int64_t batch = 0, sequence = 0;
};
UsualSizes loadUsualSizes();
void saveUsualSizes(const UsualSizes& sizes);

/// In which cases the window asks for confirmation.
struct Questions {
    bool unsaved = true;  // before unsaved changes are lost
    bool running = true;  // before the window closes while a job measures or saves
};
Questions loadQuestions();
void saveQuestions(const Questions& questions);

/// Whether sizes are reported in kB, MB … (powers of 1000) or in KiB, MiB … (of 1024).
enum class ByteUnits { decimal, binary };
ByteUnits loadByteUnits();
void saveByteUnits(ByteUnits units);

/// Whether models run in a worker process, from the next start on.
bool loadSeparateWorker();
void saveSeparateWorker(bool separate);

/// Whether the levels of models with short runs are measured and compared with the original without
/// a request.
bool loadTriesLevels();
void saveTriesLevels(bool tries);

/// Whether a start without a file opens what was open last.
bool loadReopens();
void saveReopens(bool reopens);

/// "de", "zh_CN", "en"; empty: that of the desktop.
QString loadLanguage();
void saveLanguage(const QString& code);

}  // namespace lapidary::app
