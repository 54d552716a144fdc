// SPDX-License-Identifier: Apache-2.0
// Replaces the allocator of tensors (posix_memalign). Each block ends at the beginning of a
// protected page, so that reading or writing beyond a tensor crashes the program at once. Link
// guarded_memory.cpp into a program to use it.
#pragma once

#include <cstddef>

namespace lapidary::mutate {

/// Guards blocks from now on, within `bytes` of address space. False if that is not possible,
/// because sanitizers replace the allocator themselves.
bool guard_allocations(std::size_t bytes);
/// Starts at the beginning of the address space again. No earlier block may be in use.
void reuse_guarded_memory();

}  // namespace lapidary::mutate
