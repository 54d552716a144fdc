// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/jobs/noise_monitor.h"

#include <chrono>
#include <utility>

#include <lapidary/base/error.h>

#include "workbench/jobs/job_runner.h"

namespace lapidary::app {

NoiseMonitor::NoiseMonitor(JobRunner& jobs, QObject* parent, std::function<MachineNoise()> look,
                           int interval_ms)
    : QObject(parent), jobs_(jobs), look_(std::move(look)), interval_ms_(interval_ms) {
    try {
        thread_.start(1, "thread to watch the machine", [this](int) { serve(); });
    } catch (const Error&) {  // without a thread there are no measurements
    }
    connect(&jobs_, &JobRunner::started, this, [this](Job* job) {
        connect(job, &Job::finished, this, &NoiseMonitor::hold);
        hold();
    });
    hold();
}

void NoiseMonitor::quit() {
    {
        const std::lock_guard lock(mutex_);
        quit_ = true;
    }
    wake_.notify_all();
}

void NoiseMonitor::setActive(bool active) {
    {
        const std::lock_guard lock(mutex_);
        if (active_ == active) return;
        active_ = active;
    }
    wake_.notify_all();
}

void NoiseMonitor::hold() {
    const bool busy = !jobs_.jobs().isEmpty();
    {
        const std::lock_guard lock(mutex_);
        busy_ = busy;
        disturbed_ = disturbed_ || busy;
    }
    if (held_ == busy) return;
    held_ = busy;
    emit changed();
}

void NoiseMonitor::serve() {
    std::optional<NoiseProbe> probe;
    std::unique_lock lock(mutex_);
    while (!quit_) {
        wake_.wait_for(lock, std::chrono::milliseconds(interval_ms_), [this] { return quit_; });
        if (!quit_ && !active_) wake_.wait(lock, [this] { return quit_ || active_; });
        if (quit_) return;
        if (busy_) continue;
        const bool disturbed = std::exchange(disturbed_, false);
        lock.unlock();
        MachineNoise noise;
        if (look_) {
            noise = look_();
        } else {
            const bool first = !probe;
            if (first) probe.emplace();
            else if (disturbed)
                probe->skip();  // the job's disturbance was not noise of the machine
            noise = probe->look();
            // there was no time to measure over
            if (first || disturbed) noise.others = noise.stolen = std::nullopt;
        }
        lock.lock();
        // a job began during the measurement, and both disturbed each other
        if (busy_ || quit_) continue;
        QMetaObject::invokeMethod(
            this,
            [this, noise] {
                noise_ = noise;
                emit changed();
            },
            Qt::QueuedConnection);
    }
}

}  // namespace lapidary::app
