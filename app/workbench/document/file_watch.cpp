// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/document/file_watch.h"

#include <QFileInfo>

#include <algorithm>
#include <chrono>

namespace lapidary::app {
namespace {

// a file that keeps its size and time for so long is written to its end
constexpr std::chrono::milliseconds between_looks{400};
// of one model; some have a file for each of thousands of weights
constexpr std::size_t most_watched = 256;

QString textOf(const std::filesystem::path& path) {
    return QFileInfo(QString::fromStdU16String(path.u16string())).absoluteFilePath();
}

}  // namespace

FileWatch::FileWatch(OpenedModel& opened, QObject* parent) : QObject(parent), opened_(opened) {
    untilLook_.setSingleShot(true);
    untilLook_.setInterval(between_looks);
    const auto lookSoon = [this] {
        if (!untilLook_.isActive()) untilLook_.start();
    };
    connect(&untilLook_, &QTimer::timeout, this, &FileWatch::look);
    connect(&watcher_, &QFileSystemWatcher::fileChanged, this, lookSoon);
    connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, lookSoon);
    connect(&opened_, &OpenedModel::openedChanged, this, &FileWatch::follow);
    follow();
}

FileWatch::Stamp FileWatch::stampOf(const std::filesystem::path& file) {
    std::error_code size, time;
    Stamp stamp;
    stamp.bytes = std::filesystem::file_size(file, size);
    stamp.modified = std::filesystem::last_write_time(file, time).time_since_epoch().count();
    stamp.exists = !size && !time;
    return stamp.exists ? stamp : Stamp();
}

/// Watches the files of the model that is open now, and no others.
void FileWatch::follow() {
    untilLook_.stop();
    files_.clear();
    if (const QStringList paths = watcher_.files() + watcher_.directories(); !paths.isEmpty())
        watcher_.removePaths(paths);
    const DocumentPtr opened = opened_.opened();
    if (!opened || opened->source.file.empty()) return;
    // as it was before it was read: a change since then is noticed too
    const Stamp read{opened->source.file_bytes, opened->source.file_modified, true};
    files_.push_back({opened->source.file, read, read});
    for (const std::filesystem::path& file : opened->model->external_files) {
        if (files_.size() == most_watched) break;
        const Stamp now = stampOf(file);
        files_.push_back({file, now, now});
    }
    watchPaths();
    untilLook_.start();
}

/// A file that was replaced has to be watched anew. The folder is watched because a file may be
/// gone for a moment.
void FileWatch::watchPaths() {
    const QStringList watched = watcher_.files() + watcher_.directories();
    QStringList paths;
    for (const Watched& one : files_) {
        const QString file = textOf(one.file), folder = QFileInfo(file).absolutePath();
        for (const QString& path : {file, folder})
            if (!watched.contains(path) && !paths.contains(path) && QFileInfo::exists(path))
                paths << path;
    }
    if (!paths.isEmpty()) watcher_.addPaths(paths);
}

void FileWatch::look() {
    watchPaths();
    bool isSettled = true;
    for (Watched& one : files_) {
        const Stamp now = stampOf(one.file);
        isSettled = isSettled && now == one.seen;
        one.seen = now;
    }
    if (!isSettled) return untilLook_.start();
    // where a file is missing, its folder reports when it is there again
    if (!std::ranges::all_of(files_, [](const Watched& one) { return one.seen.exists; })) return;
    QString first;
    for (Watched& one : files_) {
        if (one.known != one.seen && first.isEmpty()) first = textOf(one.file);
        one.known = one.seen;
    }
    if (!first.isEmpty()) emit changed(first);
}

}  // namespace lapidary::app
