// SPDX-License-Identifier: Apache-2.0
#include "base/memory/page_memory.h"

#include <sys/mman.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace lapidary {

void* allocate_block(std::size_t bytes, Pages pages) {
    constexpr std::size_t line = 64;
    const std::size_t rounded = std::max((bytes + line - 1) / line * line, line);
    if (rounded < bytes) return nullptr;
    void* block = nullptr;  // aligned_alloc() may insist on a multiple of the alignment
    if (posix_memalign(&block, bytes < large_page ? line : large_page, rounded) != 0)
        return nullptr;
#ifdef MADV_HUGEPAGE
    if (pages == Pages::large && bytes >= large_page)
        ::madvise(block, rounded / large_page * large_page,
                  MADV_HUGEPAGE);  // refused: pages of the usual size
#else
    (void)pages;
#endif
    return block;
}

void free_block(void* block) noexcept { std::free(block); }

std::size_t page_size() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

void* map_pages(std::size_t bytes, Pages pages, PageUse use) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
#ifdef MAP_NORESERVE
    if (use == PageUse::sparse) flags |= MAP_NORESERVE;
#else
    (void)use;
#endif
    void* data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (data == MAP_FAILED) return nullptr;
#ifdef MADV_HUGEPAGE
    if (pages == Pages::large) ::madvise(data, bytes, MADV_HUGEPAGE);
#else
    (void)pages;
#endif
    return data;
}

void unmap_pages(void* data, std::size_t bytes) noexcept { ::munmap(data, bytes); }

void populate_pages(void* data, std::size_t bytes) noexcept {
#ifdef MADV_POPULATE_WRITE
    ::madvise(data, bytes, MADV_POPULATE_WRITE);
#else
    (void)data;
    (void)bytes;
#endif
}

void clear_pages(void* data, std::size_t bytes) noexcept {
    if (bytes != 0) ::madvise(data, bytes, MADV_DONTNEED);
}

void discard_pages(void* data, std::size_t bytes) noexcept {
    const auto page = static_cast<std::uintptr_t>(page_size()),
               at = reinterpret_cast<std::uintptr_t>(data);
    const std::uintptr_t begin = (at + page - 1) / page * page, end = (at + bytes) / page * page;
    if (end > begin) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

void trim_heap() noexcept {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

}  // namespace lapidary
