// SPDX-License-Identifier: Apache-2.0
#include "support/protected_pages.h"

#include <stdexcept>

#include <windows.h>

namespace lapidary::test {

void protect_pages(void* data, std::size_t bytes, bool are_open) {
    DWORD before = 0;
    if (!::VirtualProtect(data, bytes, are_open ? PAGE_READWRITE : PAGE_NOACCESS, &before))
        throw std::runtime_error("pages cannot be protected");
}

}  // namespace lapidary::test
