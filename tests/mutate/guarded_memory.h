// SPDX-License-Identifier: Apache-2.0
// Stands in for the allocator of tensors (posix_memalign): blocks end where a page begins that
// nobody may touch, so that reading or writing beyond a tensor ends the program at once. Link
// guarded_memory.cpp into a program to have it.
#pragma once

#include <cstddef>

namespace lapidary::mutate {

/// From now on blocks are guarded, `bytes` of address space in all; false where that cannot be
/// (sanitizers have their own).
bool guard_allocations(std::size_t bytes);
/// Starts at the front of the address space again. Nothing allocated before may be in use.
void reuse_guarded_memory();

}  // namespace lapidary::mutate
