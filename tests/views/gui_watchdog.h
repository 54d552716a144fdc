// SPDX-License-Identifier: Apache-2.0
// Watches the GUI thread: a second thread posts an event every few milliseconds and measures how
// long it waits until it is handled.
#pragma once

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QObject>
#include <QSemaphore>
#include <QTimer>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

namespace lapidary::views {

/// Construct it on the GUI thread; it watches until stop() or its destruction. A busy machine
/// delays events too, so time in which the GUI thread was ready but had no processor (Linux counts
/// it) is left out. Time in which it computed or waited for something counts. The GUI thread itself
/// records when it answered, so that a late wake-up of the watching thread does not matter.
class GuiWatchdog {
public:
    struct Longest {
        double held_ms = 0;  // wall time minus the time without a processor
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
        while (thread_.joinable() && !finished_)
            QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
        if (thread_.joinable()) thread_.join();
        return longest_;
    }

private:
    using Clock = std::chrono::steady_clock;
    struct Answer {
        Clock::time_point at;
        double waited = 0;
    };
    /// Milliseconds for which the GUI thread has waited for a processor since it began; 0 where
    /// unknown.
    double waited() const {
        std::ifstream file(schedule_);
        double run = 0, wait = 0;
        return file >> run >> wait ? wait / 1e6 : 0;
    }
    void watch() {
        while (running_) {
            const double before = waited();
            const auto start = Clock::now();
            QMetaObject::invokeMethod(
                &receiver_,
                [this] {
                    answer_ = {Clock::now(), waited()};
                    answered_.release();
                },
                Qt::QueuedConnection);
            bool answered = false;
            while (!(answered = answered_.tryAcquire(1, 20)) && running_) {}
            const Answer now = answered ? answer_ : Answer{Clock::now(), waited()};
            const double wall = std::chrono::duration<double, std::milli>(now.at - start).count();
            longest_.wall_ms = std::max(longest_.wall_ms, wall);
            longest_.held_ms = std::max(longest_.held_ms, wall - (now.waited - before));
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        finished_ = true;
    }

    QObject receiver_;
    QSemaphore answered_;
    Answer answer_;  // written by the GUI thread before it releases answered_
    std::string schedule_;
    std::atomic<bool> running_{true}, finished_{false};
    Longest longest_;
    std::thread thread_;
};

/// Runs the event loop until `done` or the time is up; returns done(). Unlike QTest's waits it does
/// not sleep 10 ms between turns, which a watchdog would count.
inline bool wait_until(const std::function<bool()>& done, int milliseconds = 60'000) {
    if (done()) return true;
    QElapsedTimer timer;
    timer.start();
    QEventLoop loop;
    QTimer check;
    QObject::connect(&check, &QTimer::timeout, &loop, [&] {
        if (done() || timer.elapsed() >= milliseconds) loop.quit();
    });
    check.start(5);
    loop.exec();
    return done();
}

}  // namespace lapidary::views
