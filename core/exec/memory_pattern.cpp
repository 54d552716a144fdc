// SPDX-License-Identifier: Apache-2.0
#include "exec/memory_pattern.h"

#include <limits>

namespace lapidary {

MemoryPattern make_pattern(const Plan& plan, const std::vector<std::uint64_t>& traced_bytes) {
    std::vector<Lifetime> lifetimes;
    std::vector<std::size_t> values;
    for (std::size_t step = 0; step < plan.steps.size(); ++step)
        for (ValueId v : plan.graph->node(plan.steps[step].node).outputs) {
            if (!v || traced_bytes[v.index] == 0 || plan.last_use[v.index] == std::numeric_limits<std::size_t>::max()) continue;
            lifetimes.push_back({step, plan.last_use[v.index], traced_bytes[v.index]});
            values.push_back(v.index);
        }
    const MemoryPlan placed = plan_memory(lifetimes);
    MemoryPattern pattern;
    pattern.offsets.assign(traced_bytes.size(), MemoryPattern::none);
    pattern.bytes.assign(traced_bytes.size(), 0);
    for (std::size_t i = 0; i < values.size(); ++i) {
        pattern.offsets[values[i]] = placed.offsets[i];
        pattern.bytes[values[i]] = lifetimes[i].bytes;
    }
    pattern.total_bytes = placed.total_bytes;
    return pattern;
}

}  // namespace lapidary
