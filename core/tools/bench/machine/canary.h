// SPDX-License-Identifier: Apache-2.0
// Detects whether the machine runs at full speed now. Other users of a shared machine can slow code
// by half for seconds, which does not show as waiting time. So a known piece of work is timed next
// to each measurement.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include <lapidary/internal/joined_threads.h>

namespace lapidary {

/// There are two pieces of work. A matrix product in the first-level cache uses the vector units:
/// it shows the clock rate, and programs that share these units. Independent additions use all
/// instruction slots of a core: they show any program on the other hardware thread of the core. The
/// product hardly shows that, since its few wide instructions leave slots free.
class Canary {
public:
    /// Rates of the slowest thread: GFLOP/s and 10^9 additions per second.
    struct Reading {
        double product = 0, additions = 0;
    };

    /// Uses `threads` threads, including the caller's, for some tens of microseconds each time.
    /// Takes about 20 ms now to measure the full speed.
    explicit Canary(int threads);
    Canary(const Canary&) = delete;
    Canary& operator=(const Canary&) = delete;

    /// Speed of the slowest thread in the piece it was slower in, as a share of the best seen so
    /// far.
    double speed();
    /// The best of a few bursts, since a single slow one may be due to an interrupt. Stops at the
    /// first at full speed.
    Reading look();
    /// Repeats look() until the machine is at full speed, for some tens of milliseconds at most;
    /// for less if waiting did not help before.
    Reading wait();
    /// True if the machine was at full speed at that reading, by the best rate until now. Call it
    /// at the end, when the best is known.
    bool is_full_speed(const Reading& reading) const { return share_of(reading) >= least_speed; }
    /// The best rate until now, GFLOP/s of one core.
    double best() const { return best_.product; }

private:
    static constexpr double least_speed = 0.93;  // below, a neighbour has the core
    static Reading burst();
    Reading read();
    double share_of(const Reading& reading) const;
    void serve(std::size_t helper);
    void quit();

    std::vector<Reading> readings_;  // by thread
    std::atomic<std::uint32_t> round_{0}, answered_{0};
    std::atomic<bool> quit_{false};
    Reading best_;
    int patience_;
    JoinedThreads helpers_;  // last: they use the rest
};

/// One burst on this thread, GFLOP/s.
double float_burst();
/// Independent 64-bit additions on this thread, 10^9 a second.
double addition_burst();

}  // namespace lapidary
