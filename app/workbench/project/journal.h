// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the unsaved state of a project on disk, so that it survives a crash of the window. Each
// process has one file, named after it, and deletes it when it ends normally. A file that belongs
// to no running process was left by a crash. The file is always written as a whole, on a separate
// thread: at once when a recipe or typed text changes, within five seconds otherwise.
#pragma once

#include <QDateTime>
#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <memory>

#include "workbench/project/project_state.h"

namespace lapidary::app {

class Project;

/// $XDG_STATE_HOME/lapidary/journals, ~/.local/state/lapidary/journals, or the system's place for
/// such things.
QString journalFolder();

/// A journal left by a process that crashed.
struct LeftBehind {
    QString file;         // of the journal
    QString projectPath;  // empty: never saved
    QString title;        // the project's name, else the model's
    QDateTime written;    // local time
};

class Journal : public QObject {
    Q_OBJECT
public:
    Journal(Project& project, QString folder, QObject* parent = nullptr);
    ~Journal() override;  // leaves nothing behind unless abandon() was called

    /// Journals of processes of this machine that have ended, newest first. From a journal that is
    /// cut off, the complete part is offered. One that cannot be read at all stays where it is.
    std::vector<LeftBehind> leftBehind() const;
    /// Claims the journal, so that no other window can, and gives its state to the project. It
    /// stays on disk until the project's own journal is written. Throws what reading it throws, and
    /// not_supported if another window has claimed it.
    void restore(const LeftBehind& left);
    void discard(const LeftBehind& left);

    /// Waits until everything is written to disk. For tests.
    void flush();
    /// Leaves the file behind, as a crash would. For tests.
    void abandon() { abandoned_ = true; }
    QString file() const { return file_; }
    static constexpr int interval_ms = 5000;

signals:
    void failed(const QString& reason);  // emitted once, and again only after a write succeeded

private:
    void note();
    void write();
    void remove();
    Project& project_;
    QString folder_, file_;
    QStringList taken_;   // journals restored here; deleted after the next write
    QThreadPool writer_;  // one thread, so that writes stay in order
    QTimer delay_;
    bool abandoned_ = false, writing_ = false, again_ = false, exists_ = false, hasFailed_ = false;
    int sequence_ = 0;
};

}  // namespace lapidary::app
