// SPDX-License-Identifier: Apache-2.0
#include "worker/process/worker_limits.h"

#include <algorithm>

namespace lapidary::app {

Limits limits_for(std::uint64_t memory_bytes) {
    Limits limits;
    if (memory_bytes == 0) return limits;
    limits.run_bytes = std::min(limits.run_bytes, memory_bytes);
    limits.tensor_bytes = std::min(limits.tensor_bytes, memory_bytes);
    return limits;
}

std::string memory_limit_text(std::uint64_t memory_bytes) {
    return "the memory limit of runs is " + std::to_string(memory_bytes >> 20) + " MiB";
}

}  // namespace lapidary::app
