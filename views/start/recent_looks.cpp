// SPDX-License-Identifier: GPL-3.0-or-later
#include "start/recent_looks.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QSettings>

#include <filesystem>

#include <lapidary/base/error.h>

#include "canvas/graph_outline.h"
#include "graph/graph_thumbnail.h"
#include "run/verdict_text.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr qsizetype longest_verdict = 200;  // characters
// groups of the settings
constexpr const char* sizes = "recentSizes";
constexpr const char* verdicts = "recentVerdicts";

QString folder() {
    return QFileInfo(QSettings().fileName()).absoluteDir().filePath(QStringLiteral("recent"));
}

/// The key of a file in the folder and in the settings, because a path may contain characters that
/// neither allows.
QString keyOf(const QString& path) {
    return QString::fromLatin1(
        QCryptographicHash::hash(path.toUtf8(), QCryptographicHash::Sha1).toHex());
}

/// The path as in the list of recent files; empty: the model has no file.
QString pathOf(const app::DocumentPtr& opened) {
    if (!opened || opened->source.file.empty()) return {};
    const std::u8string path = opened->source.file.u8string();  // it opens a file, and is not shown
    return QFileInfo(exactText({reinterpret_cast<const char*>(path.data()), path.size()}))
        .absoluteFilePath();
}

QString settingOf(const QString& path, const char* group) {
    return QLatin1String(group) + QLatin1Char('/') + keyOf(path);
}

QString textOf(const QString& path, const char* group) {
    return labelText(QSettings().value(settingOf(path, group)).toString(), longest_verdict);
}

/// Removes the keys of the settings' group that are not among those.
void removeOthers(QSettings& group, const QStringList& known) {
    for (const QString& key : group.childKeys())
        if (!known.contains(key)) group.remove(key);
}

void removeSizes(const QStringList& known) {
    QSettings settings;
    settings.beginGroup(QStringLiteral("recentSizes"));
    removeOthers(settings, known);
}

void removeVerdicts(const QStringList& known) {
    QSettings settings;
    settings.beginGroup(QStringLiteral("recentVerdicts"));
    removeOthers(settings, known);
}

}  // namespace

RecentLooks::RecentLooks(app::Workbench& workbench, QObject* parent)
    : QObject(parent), workbench_(workbench) {
    connect(&workbench_, &app::Workbench::openedChanged, this, &RecentLooks::draw);
    connect(&workbench_, &app::Workbench::runChanged, this, &RecentLooks::keepVerdict);
    connect(&workbench_, &app::Workbench::recentFilesChanged, this, &RecentLooks::forgetOthers);
}

QString RecentLooks::pictureFile(const QString& path) const {
    return QDir(folder()).filePath(keyOf(path) + QStringLiteral(".png"));
}

QIcon RecentLooks::pictureOf(const QString& path) const {
    const QString file = pictureFile(path);
    return QFileInfo::exists(file) ? QIcon(QPixmap(file)) : QIcon();
}

QString RecentLooks::sizeOf(const QString& path) const { return textOf(path, sizes); }

QString RecentLooks::verdictOf(const QString& path) const { return textOf(path, verdicts); }

/// Draws the picture of the model as opened from a file.
void RecentLooks::draw() {
    drawing_.drop();
    const app::DocumentPtr opened = workbench_.opened();
    const QString path = pathOf(opened);
    if (path.isEmpty()) return;
    keep(path, sizes,
         QStringLiteral("%1, %2").arg(
             nodeCountText(std::uint64_t(opened->summary.nodes)),
             formatBytes(opened->summary.file_bytes + opened->summary.external_bytes)));
    drawing_.start<bool>(
        workbench_.jobs(), tr("Draw a small picture of %1").arg(opened->title),
        [model = opened->model, file = pictureFile(path), palette = QGuiApplication::palette(),
         fonts = GraphFonts::standard()](const Progress& progress) {
            const QImage image = thumbnailOf(model, fonts, palette, picture_size, progress);
            std::error_code exists;
            std::filesystem::create_directories(std::filesystem::path(folder().toStdU16String()),
                                                exists);
            saveThumbnail(image, file);
            return true;
        },
        // then the list has no picture of it
        [this](bool) { emit changed(); }, [](const Error&) {});
}

void RecentLooks::keepVerdict() {
    const app::DocumentPtr opened = workbench_.opened();
    const app::RunRecordPtr run = workbench_.run();
    const QString path = pathOf(opened);
    if (path.isEmpty() || !run || !run->model || run->summary.operators.empty()) return;
    const OperatorTotal& most = run->summary.operators.front();
    keep(path, verdicts,
         tr("%1: %2, most of it %3 (%4)")
             .arg(app::runNameOf(workbench_.recipeInForce()),
                  formatMilliseconds(run->summary.wall_ms), operatorWords(most.op),
                  formatPercent(most.share)));
}

void RecentLooks::keep(const QString& path, const char* group, const QString& text) {
    if (!workbench_.recentFiles().contains(path) || textOf(path, group) == text) return;
    QSettings().setValue(settingOf(path, group), text);
    emit changed();
}

/// Removes pictures and sentences of files that are no longer in the list.
void RecentLooks::forgetOthers() {
    QStringList known;
    for (const QString& path : workbench_.recentFiles()) known << keyOf(path);
    removeSizes(known);
    removeVerdicts(known);
    QDir pictures(folder());
    for (const QString& file : pictures.entryList({QStringLiteral("*.png")}, QDir::Files))
        if (!known.contains(QFileInfo(file).completeBaseName())) pictures.remove(file);
}

}  // namespace lapidary::views
