// SPDX-License-Identifier: Apache-2.0
// Tells whether the machine runs at full speed right now. Neighbours on a shared machine slow code by half for seconds
// without showing as waiting time, so a known piece of work is timed beside what is measured.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace lapidary {

/// A matrix product that fits the first-level cache: it keeps the arithmetic units and the load ports of a core busy,
/// so it also shows a neighbour on the same physical core, which a chain of additions would not.
class Canary {
public:
    /// Runs on `threads` threads, the caller's among them, for some tens of microseconds each time; spends about 20 ms
    /// on finding out what the machine can do.
    explicit Canary(int threads);
    Canary(const Canary&) = delete;
    Canary& operator=(const Canary&) = delete;
    ~Canary();

    /// Speed of the slowest thread as a share of the best seen so far.
    double speed();
    /// Best seen, GFLOP/s of one core.
    double best() const { return best_; }

private:
    void serve(std::size_t helper);

    std::vector<std::thread> helpers_;
    std::vector<double> speeds_;
    std::atomic<std::uint32_t> round_{0}, answered_{0};
    std::atomic<bool> quit_{false};
    double best_ = 0;
};

/// One burst on this thread, GFLOP/s.
double float_burst();

}  // namespace lapidary
