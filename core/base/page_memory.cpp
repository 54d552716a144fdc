// SPDX-License-Identifier: Apache-2.0
#include "base/page_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>

namespace lapidary {

void* allocate_block(std::size_t bytes) {
    constexpr std::size_t line = 64, huge_page = std::size_t{2} << 20;
    const std::size_t rounded = std::max((bytes + line - 1) / line * line, line);
    if (rounded < bytes) return nullptr;
    if (bytes < huge_page) return std::aligned_alloc(line, rounded);
    void* block = std::aligned_alloc(huge_page, rounded);
#ifdef MADV_HUGEPAGE
    if (block) madvise(block, rounded / huge_page * huge_page, MADV_HUGEPAGE);  // refused: pages of the usual size
#endif
    return block;
}

}  // namespace lapidary
