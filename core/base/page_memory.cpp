// SPDX-License-Identifier: Apache-2.0
#include "base/page_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace lapidary {

void* allocate_block(std::size_t bytes, Pages pages) {
    constexpr std::size_t line = 64;
    const std::size_t rounded = std::max((bytes + line - 1) / line * line, line);
    if (rounded < bytes) return nullptr;
    void* block = nullptr;  // aligned_alloc() may insist on a multiple of the alignment
    if (posix_memalign(&block, bytes < large_page ? line : large_page, rounded) != 0) return nullptr;
#ifdef MADV_HUGEPAGE
    if (pages == Pages::large && bytes >= large_page)
        ::madvise(block, rounded / large_page * large_page, MADV_HUGEPAGE);  // refused: pages of the usual size
#else
    (void)pages;
#endif
    return block;
}

void discard_pages(void* data, std::size_t bytes) noexcept {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE)), at = reinterpret_cast<std::uintptr_t>(data);
    const std::uintptr_t begin = (at + page - 1) / page * page, end = (at + bytes) / page * page;
    if (end > begin) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

}  // namespace lapidary
