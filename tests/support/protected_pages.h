// SPDX-License-Identifier: Apache-2.0
// Pages that tests close to everybody and open again.
#pragma once

#include <cstddef>

namespace lapidary::test {

/// Closes pages of map_pages(), from a page's beginning on, to every access of this process, or
/// opens them again; their contents stay. Throws std::runtime_error where the system refuses.
void protect_pages(void* data, std::size_t bytes, bool are_open);

}  // namespace lapidary::test
