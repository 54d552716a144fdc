// SPDX-License-Identifier: Apache-2.0
// Large pages need a privilege that programs do not have here: all pages are of the usual size.
#include "base/memory/page_memory.h"

#include <malloc.h>
#include <windows.h>

#include <algorithm>
#include <cstdint>

namespace lapidary {

void* allocate_block(std::size_t bytes, Pages) {
    constexpr std::size_t line = 64;
    const std::size_t rounded = std::max((bytes + line - 1) / line * line, line);
    if (rounded < bytes) return nullptr;
    return ::_aligned_malloc(rounded, bytes < large_page ? line : large_page);
}

void free_block(void* block) noexcept { ::_aligned_free(block); }

std::size_t page_size() {
    static const std::size_t size = [] {
        SYSTEM_INFO info;
        ::GetSystemInfo(&info);
        return static_cast<std::size_t>(info.dwPageSize);
    }();
    return size;
}

void* map_pages(std::size_t bytes, Pages, PageUse) {
    return ::VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void unmap_pages(void* data, std::size_t) noexcept { ::VirtualFree(data, 0, MEM_RELEASE); }

void populate_pages(void*, std::size_t) noexcept {}

void clear_pages(void* data, std::size_t bytes) noexcept {
    if (bytes == 0) return;
    ::VirtualFree(data, bytes, MEM_DECOMMIT);
    ::VirtualAlloc(data, bytes, MEM_COMMIT, PAGE_READWRITE);
}

void discard_pages(void* data, std::size_t bytes) noexcept {
    const std::uintptr_t page = page_size(), at = reinterpret_cast<std::uintptr_t>(data);
    const std::uintptr_t begin = (at + page - 1) / page * page, end = (at + bytes) / page * page;
    if (end <= begin) return;
    void* const first = reinterpret_cast<void*>(begin);
    MEMORY_BASIC_INFORMATION info;
    if (::VirtualQuery(first, &info, sizeof info) == 0) return;
    if (info.Type == MEM_PRIVATE) ::VirtualAlloc(first, end - begin, MEM_RESET, PAGE_READWRITE);
    // unlocking pages that are not locked removes them from the working set
    ::VirtualUnlock(first, end - begin);
}

void trim_heap() noexcept { ::_heapmin(); }

}  // namespace lapidary
