// SPDX-License-Identifier: Apache-2.0
#include "support/protected_pages.h"

#include <stdexcept>

#include <sys/mman.h>

namespace lapidary::test {

void protect_pages(void* data, std::size_t bytes, bool are_open) {
    if (::mprotect(data, bytes, are_open ? PROT_READ | PROT_WRITE : PROT_NONE) != 0)
        throw std::runtime_error("pages cannot be protected");
}

}  // namespace lapidary::test
