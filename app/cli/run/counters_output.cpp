// SPDX-License-Identifier: Apache-2.0
#include "cli/run/counters_output.h"

#include <string_view>

namespace lapidary::cli {
namespace {

std::string_view access_name(CounterAccess access) {
    switch (access) {
    case CounterAccess::counted: return "counted";
    case CounterAccess::forbidden: return "forbidden";
    case CounterAccess::too_many_threads: return "too_many_threads";
    case CounterAccess::absent: break;
    }
    return "absent";
}

Json number_or_null(std::optional<double> value) { return value ? json_number(*value) : Json(); }

/// Null where nothing is counted, or the figure is 0 for "not known".
Json number_if(bool is_known, double value) { return is_known ? json_number(value) : Json(); }

}  // namespace

Json counters_json(const RunCounters& counters) {
    const bool counts = counters.events == CounterAccess::counted;
    return {{"summary", text_of(counters)},
            {"counters", access_name(counters.events)},
            {"cycles", number_if(counts, counters.cycles)},
            {"instructions", number_if(counts, counters.instructions)},
            {"instructions_per_cycle", number_if(counts, counters.instructions_per_cycle())},
            {"cache_misses", number_or_null(counters.cache_misses)},
            {"memory_gb_per_s", number_or_null(counters.memory_gb_per_s())},
            {"frontend_share", number_or_null(counters.frontend_share())},
            {"ghz", number_if(counters.ghz > 0, counters.ghz)},
            {"highest_ghz", number_if(counters.highest_ghz > 0, counters.highest_ghz)},
            {"throttled", number_or_null(counters.throttled)},
            {"energy", access_name(counters.energy)},
            {"joules_per_run", number_or_null(counters.joules_per_run())}};
}

}  // namespace lapidary::cli
