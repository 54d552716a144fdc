// SPDX-License-Identifier: Apache-2.0
// --shard I/N: a part of work that several processes share.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

namespace lapidary::cli {

/// I and N of "I/N". Throws UsageError unless I is from 0 to N - 1.
std::pair<std::size_t, std::size_t> shard_of(const std::string& text);

}  // namespace lapidary::cli
