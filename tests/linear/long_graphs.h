// SPDX-License-Identifier: Apache-2.0
// Generated models of any length: chains, residual chains, wide graphs, subgraphs, functions,
// weights. What costs more than in proportion to a model's size shows on them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <lapidary/graph/model.h>

namespace lapidary::test {

struct LongGraph {
    std::string_view name;
    Model (*make)(std::int64_t size);  // of about so many nodes
};

std::span<const LongGraph> long_graphs();

}  // namespace lapidary::test
