// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs of which only the newest counts. The result of an older or dropped one is discarded, also
// when the owner of the slot is gone. On the GUI thread.
#pragma once

#include <QPointer>

#include <concepts>
#include <memory>

#include "workbench/jobs/job_runner.h"

namespace lapidary::app {

class LatestJob {
public:
    /// Says which start() a message from another thread belongs to. It may be copied to any thread;
    /// isCurrent() is for the GUI thread.
    class Ticket {
    public:
        bool isCurrent() const { return !start_.expired(); }

    private:
        friend class LatestJob;
        explicit Ticket(const std::shared_ptr<char>& start) : start_(start) {}
        std::weak_ptr<char> start_;
    };

    LatestJob() = default;
    LatestJob(const LatestJob&) = delete;
    LatestJob& operator=(const LatestJob&) = delete;
    ~LatestJob() { drop(); }

    /// Null unless running.
    Job* job() const { return job_; }
    bool isRunning() const { return start_ != nullptr; }
    explicit operator bool() const { return isRunning(); }

    /// Drops the previous job. `work` takes (const Progress&), or (const Progress&, const Ticket&)
    /// when it has partial results to send. Exactly one of `done` and `failed` is called, as by
    /// JobRunner::start(); another start() is possible by then.
    template <typename Result, typename Work>
    Job* start(JobRunner& jobs, QString title, Work work, std::function<void(Result)> done,
               std::function<void(const Error&)> failed) {
        drop();
        start_ = std::make_shared<char>();
        const Ticket ticket(start_);
        job_ = jobs.start<Result>(
            std::move(title),
            [work = std::move(work), ticket](const Progress& progress) mutable -> Result {
                if constexpr (std::invocable<Work&, const Progress&, const Ticket&>)
                    return work(progress, ticket);
                else return work(progress);
            },
            [this, ticket, done = std::move(done)](Result result) {
                if (!ticket.isCurrent()) return;
                end();
                done(std::move(result));
            },
            [this, ticket, failed = std::move(failed)](const Error& error) {
                if (!ticket.isCurrent()) return;
                end();
                failed(error);
            });
        return job_;
    }
    /// Its `failed` is called soon after, with ErrorCode::cancelled.
    void cancel() {
        if (job_) job_->cancel();
    }
    /// Cancels it; its result is discarded.
    void drop() {
        if (job_) job_->cancel();
        end();
    }

private:
    void end() {
        job_ = nullptr;
        start_ = nullptr;
    }
    QPointer<Job> job_;
    std::shared_ptr<char> start_;  // of the newest start(); null: none is running
};

}  // namespace lapidary::app
