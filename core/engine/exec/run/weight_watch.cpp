// SPDX-License-Identifier: Apache-2.0
#include "exec/run/weight_watch.h"

#include <lapidary/base/error.h>

#include "base/files/mapping_guard.h"

namespace lapidary {

void WeightWatch::require_files_unchanged(const std::vector<const Plan*>& plans) {
    // changes during the check are for the next check
    const std::uint64_t damage = MappingGuard::damage_count();
    if (damage == damage_seen_.load(std::memory_order_relaxed)) return;
    for (const Plan* p : plans)
        for (const RuntimeValue& constant : p->constants)
            if (constant.is_tensor())
                MappingGuard::require_files_unchanged(constant.tensor().identity());
    damage_seen_.store(damage, std::memory_order_relaxed);
}

void WeightWatch::collapse() {
    const auto pages = usual_pages_.lock();
    if (!pages) return;
    try {
        collapsing_.start(1, "thread for large pages",
                          [pages, stop = stop_.get_token()](int) { pages->collapse(stop); });
    } catch (const Error&) {  // no thread to be had: the pages stay as they are
    }
}

}  // namespace lapidary
