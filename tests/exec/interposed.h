// SPDX-License-Identifier: Apache-2.0
// Counts allocations and mutex locks of the program by replacing malloc() and pthread_mutex_lock().
#pragma once

#include <cstddef>
#include <vector>

namespace lapidary::test {

struct Counted {
    std::size_t allocations = 0;
    std::size_t bytes = 0;
    std::size_t locks = 0;
};

/// False under sanitizers, which replace malloc() themselves.
bool can_count();
/// Starts to count on this thread. `sizes`: receives the size of each aligned_alloc() and
/// posix_memalign(); may be null; must have capacity.
void begin_counting(std::vector<std::size_t>* sizes = nullptr);
Counted end_counting();

}  // namespace lapidary::test
