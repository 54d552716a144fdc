// SPDX-License-Identifier: GPL-3.0-or-later
// Notices that the file of the open model, or one of the first 255 files of its weights, is another
// one than was read.
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

#include <cstdint>
#include <filesystem>
#include <vector>

#include "workbench/document/opened_model.h"

namespace lapidary::app {

class FileWatch : public QObject {
    Q_OBJECT
public:
    explicit FileWatch(OpenedModel& opened, QObject* parent = nullptr);

signals:
    /// Files were written or replaced, all of them are there, and none changed between two looks,
    /// so that whoever writes them is done. Emitted once for each such state. `path`: one of the
    /// files that changed.
    void changed(const QString& path);

private:
    /// Size and time of a file. Reading a file leaves both as they are.
    struct Stamp {
        std::uint64_t bytes = 0;
        std::int64_t modified = 0;  // in the file clock's ticks
        bool exists = false;
        friend bool operator==(const Stamp&, const Stamp&) = default;
    };
    struct Watched {
        std::filesystem::path file;
        Stamp known;  // when it was read, or when changed() was emitted for it
        Stamp seen;   // at the last look
    };
    static Stamp stampOf(const std::filesystem::path& file);
    void follow();
    void watchPaths();
    void look();

    OpenedModel& opened_;
    QFileSystemWatcher watcher_;
    QTimer untilLook_;
    std::vector<Watched> files_;
};

}  // namespace lapidary::app
