// SPDX-License-Identifier: Apache-2.0
// Counters of the processor: cycles, instructions, misses of the last cache.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace lapidary {

/// Sums over threads, in user mode. Where the processor counts more kinds than it has counters, the
/// system lets them take turns; the sums are then scaled to the whole time.
struct CounterValues {
    std::uint64_t cycles = 0, instructions = 0;
    std::optional<std::uint64_t> cache_misses;     // of the last level
    std::optional<std::uint64_t> frontend_stalls;  // cycles that waited for instructions
};

/// Counts for the threads that this process has when it is made, and for threads that these start.
class HardwareCounters {
public:
    /// Why nothing is counted.
    enum class Problem : std::uint8_t { none, forbidden, absent, too_many_threads };
    HardwareCounters();
    ~HardwareCounters();
    HardwareCounters(const HardwareCounters&) = delete;
    HardwareCounters& operator=(const HardwareCounters&) = delete;

    Problem problem() const { return problem_; }
    void start();          // from 0; nothing where there is a problem
    CounterValues stop();  // since start(); zeros where there is a problem

private:
    void close();
    std::array<std::vector<int>, 4> files_;  // by kind: cycles, instructions, misses, stalls
    Problem problem_ = Problem::none;
};

/// The level to which the system restricts counters: Linux allows those of user mode up to 2.
/// Empty: the system has no such level.
std::optional<int> counter_restriction();

}  // namespace lapidary
