// SPDX-License-Identifier: GPL-3.0-or-later
// Looks every few seconds, on a thread of its own, at how quiet the machine is; never while a job
// runs: that would disturb measurements, and they would disturb it.
#pragma once

#include <QObject>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>

#include <lapidary/internal/joined_threads.h>
#include <lapidary/bench/machine_noise.h>

namespace lapidary::app {

class JobRunner;

class NoiseMonitor : public QObject {
    Q_OBJECT
public:
    /// Begins to look when it is activated. `look`: stands in for the machine in tests.
    explicit NoiseMonitor(JobRunner& jobs, QObject* parent = nullptr,
                          std::function<MachineNoise()> look = {}, int interval_ms = 5000);

    /// Looks only while somebody sees the result.
    void setActive(bool active);
    /// The newest look; nothing: there was none yet.
    const std::optional<MachineNoise>& noise() const { return noise_; }
    /// A job runs: the newest look is from before it.
    bool isHeld() const { return held_; }

signals:
    void changed();

private:
    void serve();
    void quit();
    void hold();

    JobRunner& jobs_;
    std::function<MachineNoise()> look_;
    int interval_ms_;
    std::optional<MachineNoise> noise_;
    bool held_ = false;
    std::mutex mutex_;
    std::condition_variable wake_;
    bool active_ = false, busy_ = false, disturbed_ = false, quit_ = false;  // under the mutex
    JoinedThreads thread_{[this] { quit(); }};  // last: it uses the rest
};

}  // namespace lapidary::app
