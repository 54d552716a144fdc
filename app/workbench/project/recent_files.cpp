// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/project/recent_files.h"

#include <QFileInfo>

#include "workbench/project/settings.h"

namespace lapidary::app {

QStringList filesToReopen(const QStringList& recent) {
    if (!loadReopens() || recent.isEmpty() || !QFileInfo::exists(recent.front())) return {};
    return {recent.front()};
}

RecentFiles::RecentFiles(QObject* parent) : QObject(parent), files_(loadRecentFiles()) {}

void RecentFiles::remember(const QString& path) {
    files_.removeAll(path);
    files_.prepend(path);
    files_ = files_.mid(0, most_recent_files);
    keep();
}

void RecentFiles::note(const QString& path) {
    if (path.isEmpty()) return;
    noted_ << path << QFileInfo(path).absoluteFilePath();
}

void RecentFiles::clear() {
    files_.clear();
    keep();
}

void RecentFiles::keep() {
    saveRecentFiles(files_);
    emit changed();
}

}  // namespace lapidary::app
