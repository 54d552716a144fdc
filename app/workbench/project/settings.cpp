// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/project/settings.h"

#include <QCoreApplication>
#include <QSettings>

#include <algorithm>

#include "worker/process/serve.h"
#include "worker/protocol/run_record.h"

namespace lapidary::app {

void initSettings() {
    QCoreApplication::setOrganizationName(QStringLiteral("Lapidary"));
    QCoreApplication::setApplicationName(QStringLiteral("lapidary"));
    QSettings::setDefaultFormat(QSettings::IniFormat);
}

QStringList loadRecentFiles() {
    QStringList files = QSettings().value(QStringLiteral("recentFiles")).toStringList();
    files.removeAll(QString());
    return files.mid(0, most_recent_files);
}

void saveRecentFiles(const QStringList& files) {
    QSettings().setValue(QStringLiteral("recentFiles"), files);
}

RunSettings loadRunSettings() {
    QSettings settings;
    settings.beginGroup(QStringLiteral("run"));
    const RunSettings fallback;
    const auto bounded = [&](const char* key, int initial, int low, int high) {
        return qBound(low, settings.value(QLatin1String(key), initial).toInt(), high);
    };
    RunSettings run;
    run.resources.threads = bounded("threads", fallback.resources.threads, 0, most_run_threads);
    run.repetitions = bounded("repetitions", fallback.repetitions, 1, most_repetitions);
    run.warmups = bounded("warmups", fallback.warmups, 0, most_warmups);
    run.seed = settings.value(QStringLiteral("seed"), quint64(fallback.seed)).toULongLong();
    return run;
}

void saveRunSettings(const RunSettings& run) {
    QSettings settings;
    settings.beginGroup(QStringLiteral("run"));
    settings.setValue(QStringLiteral("threads"), run.resources.threads);
    settings.setValue(QStringLiteral("repetitions"), run.repetitions);
    settings.setValue(QStringLiteral("warmups"), run.warmups);
    settings.setValue(QStringLiteral("seed"), quint64(run.seed));
}

quint64 loadMemoryLimit() {
    const quint64 bytes = QSettings().value(QStringLiteral("run/memoryLimit"), 0).toULongLong();
    return bytes == 0 ? 0 : std::max<quint64>(bytes, least_memory_limit);
}

void saveMemoryLimit(quint64 bytes) {
    QSettings().setValue(QStringLiteral("run/memoryLimit"), bytes);
}

QStringList loadPluginsOff() {
    return QSettings().value(QStringLiteral("pluginsOff")).toStringList();
}

void savePluginsOff(const QStringList& files) {
    QSettings().setValue(QStringLiteral("pluginsOff"), files);
}

QString loadThemeName() {
    return QSettings().value(QStringLiteral("theme"), QStringLiteral("system")).toString();
}

void saveThemeName(const QString& name) { QSettings().setValue(QStringLiteral("theme"), name); }

TextLook loadTextLook() {
    const QSettings settings;
    return {settings.value(QStringLiteral("text/font")).toString(),
            qBound(50, settings.value(QStringLiteral("text/percent"), 100).toInt(), 300)};
}

void saveTextLook(const TextLook& look) {
    QSettings settings;
    settings.setValue(QStringLiteral("text/font"), look.family);
    settings.setValue(QStringLiteral("text/percent"), look.percent);
}

UsualSizes loadUsualSizes() {
    const QSettings settings;
    const auto size = [&](const char* key) {
        return std::int64_t(qBound(0, settings.value(QLatin1String(key), 0).toInt(), 1'000'000));
    };
    return {size("sizes/batch"), size("sizes/sequence")};
}

void saveUsualSizes(const UsualSizes& sizes) {
    QSettings settings;
    settings.setValue(QStringLiteral("sizes/batch"), qint64(sizes.batch));
    settings.setValue(QStringLiteral("sizes/sequence"), qint64(sizes.sequence));
}

Questions loadQuestions() {
    const QSettings settings;
    return {settings.value(QStringLiteral("ask/unsaved"), true).toBool(),
            settings.value(QStringLiteral("ask/running"), true).toBool()};
}

void saveQuestions(const Questions& questions) {
    QSettings settings;
    settings.setValue(QStringLiteral("ask/unsaved"), questions.unsaved);
    settings.setValue(QStringLiteral("ask/running"), questions.running);
}

ByteUnits loadByteUnits() {
    const QString name = QSettings().value(QStringLiteral("units/bytes")).toString();
    return name == QLatin1String("binary") ? ByteUnits::binary : ByteUnits::decimal;
}

void saveByteUnits(ByteUnits units) {
    QSettings().setValue(QStringLiteral("units/bytes"), units == ByteUnits::binary
                                                            ? QStringLiteral("binary")
                                                            : QStringLiteral("decimal"));
}

bool loadSeparateWorker() {
    return QSettings().value(QStringLiteral("run/separateWorker"), true).toBool();
}

void saveSeparateWorker(bool separate) {
    QSettings().setValue(QStringLiteral("run/separateWorker"), separate);
}

bool loadTriesLevels() {
    const bool usual = qgetenv("LAPIDARY_TRY_LEVELS") != "off";
    return QSettings().value(QStringLiteral("optimize/tryLevels"), usual).toBool();
}

void saveTriesLevels(bool tries) {
    QSettings().setValue(QStringLiteral("optimize/tryLevels"), tries);
}

bool loadReopens() { return QSettings().value(QStringLiteral("start/reopen"), false).toBool(); }

void saveReopens(bool reopens) { QSettings().setValue(QStringLiteral("start/reopen"), reopens); }

QString loadLanguage() { return QSettings().value(QStringLiteral("language")).toString(); }

void saveLanguage(const QString& code) { QSettings().setValue(QStringLiteral("language"), code); }

}  // namespace lapidary::app
