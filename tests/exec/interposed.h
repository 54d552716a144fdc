// SPDX-License-Identifier: Apache-2.0
// Counts what the program asks of the allocator and of mutexes, by standing in for malloc() and
// pthread_mutex_lock().
#pragma once

#include <cstddef>
#include <vector>

namespace lapidary::test {

struct Counted {
    std::size_t allocations = 0;
    std::size_t bytes = 0;
    std::size_t locks = 0;
};

/// False under sanitizers, which stand in for malloc() themselves.
bool can_count();
/// From here on, on this thread. `sizes`: where to put the size of each aligned_alloc() and
/// posix_memalign() (may be null; must have capacity).
void begin_counting(std::vector<std::size_t>* sizes = nullptr);
Counted end_counting();

}  // namespace lapidary::test
