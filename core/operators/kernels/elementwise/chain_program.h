// SPDX-License-Identifier: Apache-2.0
// What a lapidary::ElementwiseChain node computes: functions of one or two elements one after the
// other, each reading inputs of the node, results of steps before it or a constant. The last step
// gives the output, of the shape that all inputs broadcast to.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <lapidary/graph/attribute.h>
#include <lapidary/graph/graph.h>

#include "kernels/vector/elementwise/elementwise.h"

namespace lapidary {

struct ChainProgram {
    static constexpr std::int32_t constant = INT32_MAX;  // an operand: the step's alpha
    static constexpr std::size_t max_steps = 24, max_inputs = 6;
    static std::int32_t result_of(std::size_t step) { return -1 - static_cast<std::int32_t>(step); }

    struct Step {
        bool is_binary = false;
        std::uint8_t kind = 0;  // UnaryKind or BinaryKind
        // an input of the node (>= 0), result_of(a step before) or `constant`
        std::int32_t a = 0, b = 0;
        float alpha = 0, beta = 0;
    };
    std::vector<Step> steps;

    static constexpr std::size_t registers = 8;
    /// Where each step's result is kept until its last reader: a register, -1 for the last step;
    /// nothing when they do not suffice.
    std::optional<std::vector<int>> places() const;

    /// As attributes "steps" (is_binary, kind, a, b each) and "parameters" (alpha, beta each), and
    /// back. Throws invalid_model when they are no program over `inputs` inputs.
    std::vector<Attribute> attributes() const;
    static ChainProgram of(const Node& node);
};

}  // namespace lapidary
