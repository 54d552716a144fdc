// SPDX-License-Identifier: GPL-3.0-or-later
// Core calls off the GUI thread: progress, cancel, one result.
#pragma once

#include <QObject>
#include <QString>

#include <functional>
#include <memory>

#include <lapidary/base/error.h>
#include <lapidary/base/progress.h>

namespace lapidary::app {

/// One running job, shown in the Tasks dock. Lives on the GUI thread.
class Job : public QObject {
    Q_OBJECT
public:
    explicit Job(QString title, QObject* parent = nullptr)
        : QObject(parent), title_(std::move(title)) {}
    QString title() const { return title_; }
    /// What the job is doing; "starting" until the work reports a stage.
    QString stage() const { return stage_.isEmpty() ? tr("starting") : stage_; }
    double fraction() const { return fraction_; }  // negative: unknown
    bool isFinished() const { return finished_; }
    QString failure() const { return failure_; }  // empty when it went well
    bool wasCancelled() const { return cancelled_; }
    /// The lapidary-cli command that does the same; empty: none does.
    QString command() const { return command_; }
    void setCommand(const QString& command) {
        command_ = command;
        emit commandChanged();
    }
    /// True if the user requested it and a project keeps its result, so that its time is lost if
    /// the project is not saved.
    bool isKept() const { return kept_; }
    void setKept() { kept_ = true; }
    /// Safe from any thread; the job ends soon after.
    void cancel() { token_.cancel(); }
    CancelToken token() const { return token_; }

signals:
    void progressed();
    void finished();
    void commandChanged();

private:
    friend class JobRunner;
    QString title_, stage_, failure_, command_;
    double fraction_ = -1;
    bool finished_ = false, cancelled_ = false, kept_ = false;
    CancelToken token_;
};

/// Starts jobs on a thread pool. `work` runs on a worker thread and returns any value; `done` gets
/// it on the GUI thread; `failed` gets the error (cancellation included) there. Progress reaches
/// the GUI thread at most 30 times a second.
class JobRunner : public QObject {
    Q_OBJECT
public:
    explicit JobRunner(QObject* parent = nullptr);
    ~JobRunner() override;  // cancels and waits

    template <typename Result>
    Job* start(QString title, std::function<Result(const Progress&)> work,
               std::function<void(Result)> done, std::function<void(const Error&)> failed) {
        auto slot = std::make_shared<std::unique_ptr<Result>>();
        return startErased(
            std::move(title),
            [work = std::move(work), slot](const Progress& p) {
                *slot = std::make_unique<Result>(work(p));
            },
            [done = std::move(done), slot] { done(std::move(**slot)); }, std::move(failed));
    }
    QList<Job*> jobs() const;  // running ones
    /// Drops one reference on a worker thread, so that freeing a large result does not hold up the
    /// window.
    void releaseLater(std::shared_ptr<const void> result);

signals:
    void started(lapidary::app::Job* job);

private:
    Job* startErased(QString title, std::function<void(const Progress&)> work,
                     std::function<void()> done, std::function<void(const Error&)> failed);
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace lapidary::app
