// SPDX-License-Identifier: Apache-2.0
// Blocks of memory that the processor reaches through few page entries.
#pragma once

#include <cstddef>

namespace lapidary {

/// At least `bytes` (and one) of 64-byte alignment, uninitialised; from 2 MB on in pages of 2 MB where the system has
/// them (Linux: madvise MADV_HUGEPAGE), which are filled and streamed several times as fast. Null when refused.
/// std::free() returns it.
void* allocate_block(std::size_t bytes);

/// Gives the pages that lie wholly in [data, data + bytes), of a block or of a private mapping, back to the system. They may
/// be read and written as before: those of a file hold what the file does, others anything.
void discard_pages(void* data, std::size_t bytes) noexcept;

}  // namespace lapidary
