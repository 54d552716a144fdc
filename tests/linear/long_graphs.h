// SPDX-License-Identifier: Apache-2.0
// Generated models of any length: chains, residual chains, wide graphs, subgraphs, functions,
// weights. They show which operations take more than linear time in the size of a model.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <lapidary/graph/model.h>

namespace lapidary::test {

struct LongGraph {
    std::string_view name;
    Model (*make)(std::int64_t size);  // with about `size` nodes
};

std::span<const LongGraph> long_graphs();

}  // namespace lapidary::test
