// SPDX-License-Identifier: Apache-2.0
#include "mutate/guarded_memory.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)

namespace lapidary::mutate {
bool guard_allocations(std::size_t) { return false; }
void reuse_guarded_memory() {}
}  // namespace lapidary::mutate

#else

#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <cstdint>

extern "C" {
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
}

namespace {

constexpr std::size_t page = 4096, line = 64;
std::byte* region = nullptr;
std::size_t region_bytes = 0;
std::atomic<std::size_t> used{0};

bool is_guarded(const void* block) {
    const auto* at = static_cast<const std::byte*>(block);
    return region != nullptr && at >= region && at < region + region_bytes;
}

/// Pages for the block, one before them for its header, one after them that is out of bounds.
void* take(std::size_t bytes) {
    const std::size_t whole = (bytes + page - 1) / page * page;
    const std::size_t at = used.fetch_add(whole + 2 * page);
    if (whole < bytes || at + whole + 2 * page > region_bytes) return nullptr;
    std::byte* begin = region + at;
    if (::mprotect(begin, whole + page, PROT_READ | PROT_WRITE) != 0) return nullptr;
    return begin + page + whole - (bytes + line - 1) / line * line;
}

/// At the begin of the page before those of a block.
struct Header {
    std::size_t bytes;
};
Header& header_of(void* block) {
    auto at = reinterpret_cast<std::uintptr_t>(block) / page * page - page;
    return *reinterpret_cast<Header*>(at);
}

}  // namespace

extern "C" {

int posix_memalign(void** out, std::size_t alignment, std::size_t bytes) {
    if (region == nullptr || alignment < line) {
        *out = __libc_memalign(alignment, bytes);
        return *out ? 0 : ENOMEM;
    }
    void* block = take(bytes);
    if (block == nullptr) return ENOMEM;
    header_of(block).bytes = bytes;
    *out = block;
    return 0;
}

void free(void* block) {
    if (block == nullptr) return;
    if (!is_guarded(block)) return __libc_free(block);
    Header& header = header_of(block);
    const std::size_t whole = (header.bytes + page - 1) / page * page;
    auto* begin = reinterpret_cast<std::byte*>(&header);
    ::madvise(begin, whole + page, MADV_DONTNEED);
    ::mprotect(begin, whole + page, PROT_NONE);
}

}  // extern "C"

namespace lapidary::mutate {

bool guard_allocations(std::size_t bytes) {
    void* at =
        ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) return false;
    region_bytes = bytes;
    region = static_cast<std::byte*>(at);
    return true;
}

void reuse_guarded_memory() { used = 0; }

}  // namespace lapidary::mutate

#endif
