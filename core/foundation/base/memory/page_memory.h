// SPDX-License-Identifier: Apache-2.0
// Blocks of memory that the processor reaches through few page entries, and pages taken from the
// system directly.
#pragma once

#include <cstddef>

namespace lapidary {

inline constexpr std::size_t large_page = std::size_t{2} << 20;

/// What a block's memory consists of where the system has a choice (Linux: madvise MADV_HUGEPAGE).
/// Large pages are streamed faster; a virtual machine's host may need milliseconds to give one.
enum class Pages { usual, large };

/// At least `bytes` (and one), uninitialised; with room for a large page aligned for one, else to
/// 64 bytes. Null when refused.
void* allocate_block(std::size_t bytes, Pages pages);
/// Returns what allocate_block() gave; null is none.
void free_block(void* block) noexcept;

/// Of the usual kind, in bytes.
std::size_t page_size();

/// What pages are mapped for: `sparse` takes address space, and memory where it is touched, as far
/// as the system can.
enum class PageUse { dense, sparse };

/// Zeros from a page's beginning on; null when refused. unmap_pages() returns them, with the same
/// number of bytes.
void* map_pages(std::size_t bytes, Pages pages, PageUse use = PageUse::dense);
void unmap_pages(void* data, std::size_t bytes) noexcept;
/// Gives mapped pages their memory now rather than at the first touch of each, where the system
/// knows how.
void populate_pages(void* data, std::size_t bytes) noexcept;
/// Makes mapped pages from `data`, a page's beginning, on to the one that holds the last of `bytes`
/// zeros again; they take no memory until they are touched.
void clear_pages(void* data, std::size_t bytes) noexcept;

/// Gives the pages that lie wholly in [data, data + bytes), of a block or of a private mapping,
/// back to the system. They may be read and written as before: those of a file hold what the file
/// does, others anything.
void discard_pages(void* data, std::size_t bytes) noexcept;

/// Gives unused pages of the heap back to the system, if it can.
void trim_heap() noexcept;

}  // namespace lapidary
