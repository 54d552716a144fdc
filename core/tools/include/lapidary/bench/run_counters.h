// SPDX-License-Identifier: Apache-2.0
// What the processor counted while a model ran: instructions, misses of the last cache, frequency,
// throttling, energy.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace lapidary {

/// Whether figures were counted, and if not, why.
enum class CounterAccess : std::uint8_t {
    counted,           // the figures hold
    forbidden,         // the system does not let this user read them
    absent,            // this system or processor shows none, as in most virtual machines
    too_many_threads,  // the process has more threads than it may open counters for
};

/// Sums over the threads of the process, in user mode, from the begin of the first run to the end
/// of the last.
struct RunCounters {
    int runs = 0;        // that were counted
    double seconds = 0;  // wall time of all of them

    CounterAccess events = CounterAccess::absent;  // of the four figures below
    double cycles = 0;                             // of the cores
    double instructions = 0;                       // that were completed
    std::optional<double> cache_misses;            // of the last level. Empty: not counted
    std::optional<double> frontend_stalls;  // cycles that waited for instructions. Empty: likewise
    /// Linux's kernel.perf_event_paranoid, at most 2 of which lets programs count. Empty: there is
    /// no such setting.
    std::optional<int> restriction;

    double ghz = 0;          // of the core that called the last run, right after it. 0: not known
    double highest_ghz = 0;  // that this core can reach. 0: not known
    /// How often cores slowed down because they were hot. Empty: not known.
    std::optional<double> throttled;

    CounterAccess energy = CounterAccess::absent;  // of the meters of the packages (RAPL)
    double joules = 0;  // of the whole processor, whatever else ran on it meanwhile

    /// 0: not counted.
    double instructions_per_cycle() const;
    /// Of the cycles. Empty: not counted.
    std::optional<double> frontend_share() const;
    /// Misses of the last cache, 64 bytes each, by the wall time: what was read from memory,
    /// without what the processor fetched in advance. GB/s of 1e9 bytes. Empty: not counted.
    std::optional<double> memory_gb_per_s() const;
    /// Energy of one run, J. Empty: not read.
    std::optional<double> joules_per_run() const;
};

/// Counts from begin() to end() for all threads that the process has when this object is made.
class RunWatch {
public:
    RunWatch();    // opens the counters; the session should have its threads by then
    ~RunWatch();   // closes them
    void begin();  // right before the first run
    /// `runs`: how many ran since begin().
    RunCounters end(int runs);

private:
    struct Open;
    std::unique_ptr<Open> open_;
};

/// One sentence without a period: "1.82 instructions per cycle; ...". Where figures are missing, it
/// says why.
std::string text_of(const RunCounters& counters);

}  // namespace lapidary
