// SPDX-License-Identifier: Apache-2.0
#include <lapidary/bench/run_counters.h>

#include <chrono>
#include <vector>

#include <fmt/format.h>

#include <lapidary/base/quantity_text.h>

#include "base/process/hardware_counters.h"
#include "base/processor_state.h"

namespace lapidary {
namespace {

constexpr double line_bytes = 64;  // of a cache
constexpr int allowed_restriction = 2;

CounterAccess access_of(HardwareCounters::Problem problem) {
    using Problem = HardwareCounters::Problem;
    switch (problem) {
    case Problem::none: return CounterAccess::counted;
    case Problem::forbidden: return CounterAccess::forbidden;
    case Problem::too_many_threads: return CounterAccess::too_many_threads;
    case Problem::absent: break;
    }
    return CounterAccess::absent;
}

std::string events_text(const RunCounters& counters) {
    switch (counters.events) {
    case CounterAccess::forbidden:
        return counters.restriction.value_or(0) > allowed_restriction
                   ? fmt::format(
                         "no hardware counters: the system forbids them "
                         "(kernel.perf_event_paranoid is {}, at most {} allows them)",
                         *counters.restriction, allowed_restriction)
                   : "no hardware counters: the system forbids them, as containers do";
    case CounterAccess::absent:
        return "no hardware counters: this machine shows none, as most virtual machines";
    case CounterAccess::too_many_threads:
        return "no hardware counters: the process has too many threads for its limit of open files";
    case CounterAccess::counted: break;
    }
    std::string text =
        fmt::format("{:.2f} instructions per cycle", counters.instructions_per_cycle());
    if (const auto share = counters.frontend_share())
        text += fmt::format("; {:.1f} % of the cycles waited for instructions", 100 * *share);
    if (const auto rate = counters.memory_gb_per_s())
        text += fmt::format("; {:.3g} misses of the last cache in a run, {:.2f} GB/s",
                            *counters.cache_misses / counters.runs, *rate);
    return text;
}

std::string frequency_text(const RunCounters& counters) {
    std::string text = counters.ghz <= 0 ? std::string("frequency not known")
                       : counters.highest_ghz > 0
                           ? fmt::format("{:.2f} of {:.2f} GHz", counters.ghz, counters.highest_ghz)
                           : fmt::format("{:.2f} GHz", counters.ghz);
    if (!counters.throttled) return text;
    return text + (*counters.throttled > 0
                       ? ", slowed down by heat " +
                             count_text(static_cast<std::int64_t>(*counters.throttled), "time")
                       : ", not slowed down by heat");
}

std::string energy_text(const RunCounters& counters) {
    if (const auto joules = counters.joules_per_run())
        return fmt::format("{:.3g} J in a run, of the whole processor", *joules);
    return counters.energy == CounterAccess::forbidden
               ? "energy not known: only an administrator may read the meter"
               : "energy not known: the system shows no meter";
}

}  // namespace

double RunCounters::instructions_per_cycle() const {
    return events == CounterAccess::counted && cycles > 0 ? instructions / cycles : 0;
}

std::optional<double> RunCounters::frontend_share() const {
    if (events != CounterAccess::counted || !frontend_stalls || cycles <= 0) return std::nullopt;
    return *frontend_stalls / cycles;
}

std::optional<double> RunCounters::memory_gb_per_s() const {
    if (events != CounterAccess::counted || !cache_misses || runs <= 0 || seconds <= 0)
        return std::nullopt;
    return *cache_misses * line_bytes / seconds / 1e9;
}

std::optional<double> RunCounters::joules_per_run() const {
    if (energy != CounterAccess::counted || runs <= 0) return std::nullopt;
    return joules / runs;
}

struct RunWatch::Open {
    HardwareCounters counters;
    ProcessorState before;
    std::chrono::steady_clock::time_point begin;
};

RunWatch::RunWatch() : open_(std::make_unique<Open>()) {}
RunWatch::~RunWatch() = default;

void RunWatch::begin() {
    open_->before = processor_state();
    open_->begin = std::chrono::steady_clock::now();
    open_->counters.start();
}

RunCounters RunWatch::end(int runs) {
    const CounterValues values = open_->counters.stop();
    RunCounters counters;
    counters.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - open_->begin).count();
    const ProcessorState after = processor_state();
    const ProcessorState& before = open_->before;
    counters.runs = runs;
    counters.events = access_of(open_->counters.problem());
    counters.restriction = counter_restriction();
    // some virtual machines open counters that never count
    if (counters.events == CounterAccess::counted && values.cycles == 0)
        counters.events = CounterAccess::absent;
    if (counters.events == CounterAccess::counted) {
        counters.cycles = static_cast<double>(values.cycles);
        counters.instructions = static_cast<double>(values.instructions);
        if (values.cache_misses) counters.cache_misses = static_cast<double>(*values.cache_misses);
        if (values.frontend_stalls)
            counters.frontend_stalls = static_cast<double>(*values.frontend_stalls);
    }
    counters.ghz = after.ghz;
    counters.highest_ghz = after.highest_ghz;
    // cores that were switched off meanwhile no longer count
    if (before.throttled && after.throttled && *after.throttled >= *before.throttled)
        counters.throttled = static_cast<double>(*after.throttled - *before.throttled);
    if (!before.meters.empty() && !after.meters.empty()) {
        counters.energy = CounterAccess::counted;
        counters.joules = joules_between(before.meters, after.meters);
    } else if (after.energy_is_forbidden) {
        counters.energy = CounterAccess::forbidden;
    }
    return counters;
}

std::string text_of(const RunCounters& counters) {
    return events_text(counters) + "; " + frequency_text(counters) + "; " + energy_text(counters);
}

}  // namespace lapidary
