// SPDX-License-Identifier: Apache-2.0
// Blocks of memory that the processor reaches through few page entries.
#pragma once

#include <cstddef>

namespace lapidary {

/// At least `bytes` (and one) of 64-byte alignment, uninitialised; from 2 MB on in pages of 2 MB where the system has
/// them (Linux: madvise MADV_HUGEPAGE), which are filled and streamed several times as fast. Null when refused.
/// std::free() returns it.
void* allocate_block(std::size_t bytes);

}  // namespace lapidary
