// SPDX-License-Identifier: Apache-2.0
#include "base/threads/thread_affinity.h"

#include <bit>

namespace lapidary {

int ProcessorSet::count() const {
    int number = 0;
    for (const std::uint64_t word : words_) number += std::popcount(word);
    return number;
}

}  // namespace lapidary
