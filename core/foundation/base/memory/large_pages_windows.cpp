// SPDX-License-Identifier: Apache-2.0
// Blocks have no pieces here.
#include "base/memory/large_pages.h"

#include "base/memory/page_memory.h"

namespace lapidary {

LargePages::LargePages(std::size_t bytes)
    : data_(static_cast<std::byte*>(allocate_block(bytes, Pages::large))) {}

LargePages::~LargePages() { free_block(data_); }

void LargePages::back(std::int64_t) noexcept {}

bool LargePages::has_usual() const { return false; }

void LargePages::collapse(const std::stop_token&) noexcept {}

}  // namespace lapidary
