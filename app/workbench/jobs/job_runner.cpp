// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/jobs/job_runner.h"

#include <QThreadPool>
#include <QTimer>

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/base/failure.h>

namespace lapidary::app {
namespace {

constexpr int progress_interval_ms = 33;  // 30 reports a second reach the GUI thread
constexpr int most_jobs_at_once = 4;

/// Newest report of one job: written by its worker, read by the GUI thread's timer.
struct Report {
    std::mutex mutex;
    std::string stage;
    double fraction = -1;
    bool changed = false;
};

/// Runs the work and returns what it throws as an Error.
std::optional<Error> run_guarded(const std::function<void(const Progress&)>& work,
                                 const Progress& progress) {
    try {
        work(progress);
        progress.cancel.throw_if_cancelled();  // a result that came too late counts as cancelled
        return std::nullopt;
    } catch (...) { return error_in_flight("this task"); }
}

}  // namespace

struct JobRunner::State {
    struct Running {
        Job* job;
        std::shared_ptr<Report> report;
    };
    QThreadPool pool;
    QTimer timer;
    std::vector<Running> running;
};

JobRunner::JobRunner(QObject* parent) : QObject(parent), state_(std::make_shared<State>()) {
    state_->pool.setMaxThreadCount(qMax(most_jobs_at_once, state_->pool.maxThreadCount()));
    state_->timer.setInterval(progress_interval_ms);
    connect(&state_->timer, &QTimer::timeout, this, [this] {
        const auto running = state_->running;  // a copy, because a slot may start or end jobs
        for (const auto& [job, report] : running) {
            {
                const std::lock_guard lock(report->mutex);
                if (!report->changed) continue;
                report->changed = false;
                job->stage_ = QString::fromStdString(report->stage);
                job->fraction_ = report->fraction;
            }
            emit job->progressed();
        }
    });
}

JobRunner::~JobRunner() {
    for (const auto& [job, report] : state_->running) job->cancel();
    state_->pool.waitForDone();  // queued results are dropped with this object
}

QList<Job*> JobRunner::jobs() const {
    QList<Job*> jobs;
    for (const auto& [job, report] : state_->running) jobs.append(job);
    return jobs;
}

void JobRunner::releaseLater(std::shared_ptr<const void> result) {
    // Posted to the event loop, so that all receivers of the signal about the replacement have
    // released the old one.
    QMetaObject::invokeMethod(
        this,
        [this, result = std::move(result)]() mutable {
            state_->pool.start([held = std::move(result)] {});
        },
        Qt::QueuedConnection);
}

Job* JobRunner::startErased(QString title, std::function<void(const Progress&)> work,
                            std::function<void()> done, std::function<void(const Error&)> failed) {
    auto* job = new Job(std::move(title), this);
    const auto report = std::make_shared<Report>();
    state_->running.push_back({job, report});
    if (!state_->timer.isActive()) state_->timer.start();

    Progress progress;
    progress.cancel = job->token();
    progress.report = [report](std::string_view stage, double fraction) {
        const std::lock_guard lock(report->mutex);
        report->stage = stage;
        report->fraction = fraction;
        report->changed = true;
    };

    auto finish = [this, job, done = std::move(done),
                   failed = std::move(failed)](std::optional<Error> error) {
        // A cancel() that arrived after the work ended still drops the result.
        if (!error && job->token().is_cancelled()) error = Error(ErrorCode::cancelled, "cancelled");
        std::erase_if(state_->running, [job](const State::Running& r) { return r.job == job; });
        if (state_->running.empty()) state_->timer.stop();
        job->finished_ = true;
        if (error) {
            job->cancelled_ = error->code() == ErrorCode::cancelled;
            job->failure_ = QString::fromUtf8(error->what());
            if (failed) failed(*error);
        } else if (done) {
            done();
        }
        emit job->finished();
        job->deleteLater();
    };
    state_->pool.start([this, work = std::move(work), progress, finish]() mutable {
        auto error = run_guarded(work, progress);
        work = nullptr;  // what the work holds is released here, off the GUI thread
        QMetaObject::invokeMethod(
            this, [finish = std::move(finish), error = std::move(error)] { finish(error); },
            Qt::QueuedConnection);
    });
    emit started(job);
    return job;
}

}  // namespace lapidary::app
