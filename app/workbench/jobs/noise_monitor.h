// SPDX-License-Identifier: GPL-3.0-or-later
// Measures every few seconds, on a thread of its own, how quiet the machine is. It pauses while a
// job runs, because each would disturb the measurements of the other.
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
    /// Starts to measure when it is activated. `look`: replaces the measurement in tests.
    explicit NoiseMonitor(JobRunner& jobs, QObject* parent = nullptr,
                          std::function<MachineNoise()> look = {}, int interval_ms = 5000);

    /// Active while a widget that shows the result is visible.
    void setActive(bool active);
    /// The newest measurement; empty: none yet.
    const std::optional<MachineNoise>& noise() const { return noise_; }
    /// True while a job runs: the newest measurement is from before it.
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
    JoinedThreads thread_{[this] { quit(); }};  // last, because it uses the other members
};

}  // namespace lapidary::app
