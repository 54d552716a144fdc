// SPDX-License-Identifier: Apache-2.0
// Says whether the machine runs at full speed right now. Neighbours on a shared machine slow code
// by half for seconds without showing as waiting time, so a known piece of work is timed beside
// what is measured.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include <lapidary/internal/joined_threads.h>

namespace lapidary {

/// Two pieces of work. A matrix product that fits the first-level cache keeps the vector units
/// busy: it shows the clock and who shares those. Additions that do not wait for each other take
/// every slot a core has for instructions: they show a neighbour on the other hardware thread of
/// the core, whatever it does; the product hardly does, as its few wide instructions leave slots.
class Canary {
public:
    /// What the slowest thread did, GFLOP/s and 10^9 additions a second.
    struct Reading {
        double product = 0, additions = 0;
    };

    /// Runs on `threads` threads, the caller's among them, for some tens of microseconds each time;
    /// spends about 20 ms on finding out what the machine can do.
    explicit Canary(int threads);
    Canary(const Canary&) = delete;
    Canary& operator=(const Canary&) = delete;

    /// Speed of the slowest thread in the piece it was slower in, as a share of the best seen so
    /// far.
    double speed();
    /// The best of a few bursts, no more than it takes: a single slow one may be an interrupt.
    Reading look();
    /// Looks until the machine is at full speed, some tens of milliseconds at most; less where
    /// waiting was in vain before.
    Reading wait();
    /// Whether the machine was at full speed then, by the best seen until now: what is best is
    /// known only at the end.
    bool is_full_speed(const Reading& reading) const { return share_of(reading) >= least_speed; }
    /// Best seen, GFLOP/s of one core.
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
