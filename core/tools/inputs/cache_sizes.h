// SPDX-License-Identifier: Apache-2.0
// Sizes that attention operators require of key/value caches that are inputs of the model.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <lapidary/graph/model.h>

namespace lapidary {

/// Symbols among the heads and head sizes of caches [batch, heads, length, head size] that are
/// inputs of the main graph, with the size that follows from the width of the queries and the
/// attributes of GroupQueryAttention or MultiHeadAttention (com.microsoft). Symbols whose size does
/// not follow are absent.
std::map<std::string, std::int64_t> cache_sizes(const Model& model);

}  // namespace lapidary
