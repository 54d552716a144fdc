// SPDX-License-Identifier: Apache-2.0
// The program of a lapidary::ElementwiseChain node: a list of functions of one or two elements.
// Each step reads inputs of the node, results of earlier steps or a constant. The last step
// computes the output; its shape is the one to which all inputs broadcast.
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
    /// The register that holds each step's result until its last reader; -1 for the last step.
    /// Empty when there are not enough registers.
    std::optional<std::vector<int>> places() const;

    /// Converts to and from the attributes "steps" (is_binary, kind, a, b each) and "parameters"
    /// (alpha, beta each). Throws invalid_model when they are not a program over `inputs` inputs.
    std::vector<Attribute> attributes() const;
    static ChainProgram of(const Node& node);
};

}  // namespace lapidary
