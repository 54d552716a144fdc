// SPDX-License-Identifier: GPL-3.0-or-later
// The unsaved state of a project on disk, for the day the window dies. One file per process, named
// by it; a clean end takes it away, so what lies there and belongs to no living process was left
// behind by a crash. Written whole and synced on a thread of its own: at once when a recipe or what
// the user typed changes, within five seconds for the rest.
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

/// What a process that ended without a goodbye left.
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

    /// Of processes of this machine that are gone, newest first. Of a journal that ends too early
    /// what is whole is offered; one of which nothing can be read stays where it is.
    std::vector<LeftBehind> leftBehind() const;
    /// Takes it over, so that no other window can, and hands its state to the project. It stays on
    /// disk until the project has been journalled anew. Throws what reading it throws;
    /// not_supported when another window was faster.
    void restore(const LeftBehind& left);
    void discard(const LeftBehind& left);

    /// Everything that is to be written is on disk (tests).
    void flush();
    /// As if the process ended here (tests).
    void abandon() { abandoned_ = true; }
    QString file() const { return file_; }
    static constexpr int interval_ms = 5000;

signals:
    void failed(const QString& reason);  // once until it works again

private:
    void note();
    void write();
    void remove();
    Project& project_;
    QString folder_, file_;
    QStringList taken_;   // journals restored here, superseded by the next write
    QThreadPool writer_;  // one thread: in order
    QTimer delay_;
    bool abandoned_ = false, writing_ = false, again_ = false, exists_ = false, hasFailed_ = false;
    int sequence_ = 0;
};

}  // namespace lapidary::app
