// SPDX-License-Identifier: Apache-2.0
// Watches the GUI thread: a second thread posts an event every few milliseconds and measures how long it
// waits until it is handled.
#pragma once

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QObject>
#include <QSemaphore>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

namespace lapidary::views {

/// Make it on the GUI thread; it watches until stop() or its end. A busy machine delays events too: time in
/// which the GUI thread was ready but got no processor (Linux counts it) is not the window's fault and is left
/// out; time in which it computed or waited for something is not.
class GuiWatchdog {
public:
    struct Longest {
        double held_ms = 0;  // wall time less the time without a processor
        double wall_ms = 0;
    };

    GuiWatchdog() : schedule_("/proc/self/task/" + std::to_string(gettid()) + "/schedstat") {
        thread_ = std::thread([this] { watch(); });
    }
    ~GuiWatchdog() { stop(); }
    GuiWatchdog(const GuiWatchdog&) = delete;
    GuiWatchdog& operator=(const GuiWatchdog&) = delete;

    /// The longest time between two turns of the event loop.
    Longest stop() {
        running_ = false;
        while (thread_.joinable() && !finished_) QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
        if (thread_.joinable()) thread_.join();
        return longest_;
    }

private:
    /// Milliseconds for which the GUI thread has waited for a processor since it began; 0 where unknown.
    double waited() const {
        std::ifstream file(schedule_);
        double run = 0, wait = 0;
        return file >> run >> wait ? wait / 1e6 : 0;
    }
    void watch() {
        using Clock = std::chrono::steady_clock;
        while (running_) {
            const auto start = Clock::now();
            const double before = waited();
            QMetaObject::invokeMethod(&receiver_, [this] { answered_.release(); }, Qt::QueuedConnection);
            while (!answered_.tryAcquire(1, 20) && running_) {}
            const double wall = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
            longest_.wall_ms = std::max(longest_.wall_ms, wall);
            longest_.held_ms = std::max(longest_.held_ms, wall - (waited() - before));
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        finished_ = true;
    }

    QObject receiver_;
    QSemaphore answered_;
    std::string schedule_;
    std::atomic<bool> running_{true}, finished_{false};
    Longest longest_;
    std::thread thread_;
};

/// Turns the event loop until `done` or the time is up; returns done().
inline bool wait_until(const std::function<bool()>& done, int milliseconds = 10000) {
    QElapsedTimer timer;
    timer.start();
    while (!done() && timer.elapsed() < milliseconds) QCoreApplication::processEvents(QEventLoop::AllEvents, 10);
    return done();
}

}  // namespace lapidary::views
