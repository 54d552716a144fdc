// SPDX-License-Identifier: Apache-2.0
// The form of an operator whose tensors are stored with their axes in another order.
//
// A value v is "carried" by the permutation p as v' with v = Transpose(v') {perm: p}: axis k of v
// is axis p[k] of v'.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "passes/axis_arguments.h"

namespace lapidary {

/// The permutations that carry a node's inputs and outputs; empty: this one keeps its order.
/// The permutation of a constant of lower rank is that of the constant with leading dimensions
/// of 1.
struct Carried {
    std::vector<Ints> inputs, outputs;
    // false: the operator depends on the order of axes, or has a `problem`
    bool supported = false;
    std::string problem;
};

/// The permutations for all inputs and outputs of the node if its input (or output) `port` is
/// carried by `permutation`.
Carried carry(const Scope& scope, const Node& node, bool is_output, std::size_t port,
              const Ints& permutation);
/// Why Resize cannot work on permuted axes; empty: it can.
std::string permuted_resize_problem(const Scope& scope, const Node& node, const Ints& permutation);
/// For GlobalAveragePool and the like, which become reductions.
std::string permuted_pool_problem(const Scope& scope, const Node& node, const Ints& permutation);

/// The axes of v' that hold these axes of v.
Ints mapped_axes(const Ints& axes, const Ints& permutation);
/// Such a value does not depend on the order of its axes.
bool is_one_element(const Scope& scope, ValueId value);

}  // namespace lapidary
