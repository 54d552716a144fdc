// SPDX-License-Identifier: Apache-2.0
// Protects pages of memory against all access, and makes them accessible again.
#pragma once

#include <cstddef>

namespace lapidary::test {

/// Protects pages of map_pages() against all access of this process, or makes them accessible again
/// if `are_open`. `data`: the beginning of a page. Their contents stay. Throws std::runtime_error
/// if the system refuses.
void protect_pages(void* data, std::size_t bytes, bool are_open);

}  // namespace lapidary::test
