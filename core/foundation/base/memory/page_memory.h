// SPDX-License-Identifier: Apache-2.0
// Blocks of memory in large pages, and pages that are mapped directly.
#pragma once

#include <cstddef>

namespace lapidary {

inline constexpr std::size_t large_page = std::size_t{2} << 20;

/// The pages to use for a block, where the system offers a choice (Linux: madvise MADV_HUGEPAGE).
/// Large pages are read faster in sequence, but a virtual machine's host may need milliseconds to
/// provide one.
enum class Pages { usual, large };

/// Allocates at least `bytes` (and at least one), uninitialised. A block of at least a large page
/// is aligned to one, a smaller block to 64 bytes. Null when refused.
void* allocate_block(std::size_t bytes, Pages pages);
/// Frees a block of allocate_block(); null is allowed.
void free_block(void* block) noexcept;

/// Bytes of a page of the usual size.
std::size_t page_size();

/// How mapped pages are used. `sparse` reserves only address space; memory is used where it is
/// touched, if the system supports that.
enum class PageUse { dense, sparse };

/// Maps pages of zeros; null when refused. unmap_pages() frees them, with the same number of bytes.
void* map_pages(std::size_t bytes, Pages pages, PageUse use = PageUse::dense);
void unmap_pages(void* data, std::size_t bytes) noexcept;
/// Makes mapped pages resident now rather than at the first touch of each, where the system
/// supports that.
void populate_pages(void* data, std::size_t bytes) noexcept;
/// Resets the mapped pages that hold [data, data + bytes) to zeros; `data` begins a page. They use
/// no memory until they are touched.
void clear_pages(void* data, std::size_t bytes) noexcept;

/// Returns the pages that lie wholly in [data, data + bytes), of a block or of a private mapping,
/// to the system. They can still be read and written: pages of a file then hold the file's
/// contents, others hold anything.
void discard_pages(void* data, std::size_t bytes) noexcept;

/// Returns unused pages of the heap to the system, if possible.
void trim_heap() noexcept;

}  // namespace lapidary
