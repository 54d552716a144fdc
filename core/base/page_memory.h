// SPDX-License-Identifier: Apache-2.0
// Blocks of memory that the processor reaches through few page entries.
#pragma once

#include <cstddef>

namespace lapidary {

inline constexpr std::size_t large_page = std::size_t{2} << 20;

/// What a block's memory consists of where the system has a choice (Linux: madvise MADV_HUGEPAGE). Large pages are
/// streamed faster; a virtual machine's host may need milliseconds to give one.
enum class Pages { usual, large };

/// At least `bytes` (and one), uninitialised; with room for a large page aligned for one, else to 64 bytes. Null when
/// refused. std::free() returns it.
void* allocate_block(std::size_t bytes, Pages pages);

/// Gives the pages that lie wholly in [data, data + bytes), of a block or of a private mapping, back to the system.
/// They may be read and written as before: those of a file hold what the file does, others anything.
void discard_pages(void* data, std::size_t bytes) noexcept;

}  // namespace lapidary
