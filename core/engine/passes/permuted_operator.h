// SPDX-License-Identifier: Apache-2.0
// What an operator becomes when its tensors are kept with their axes in another order.
//
// A value v is "carried" by the permutation p as v' with v = Transpose(v') {perm: p}: axis k of v
// is axis p[k] of v'.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "passes/axis_arguments.h"

namespace lapidary {

/// Permutations by which a node's inputs and outputs are carried; empty: that one stays as it is.
/// The permutation of a constant of lower rank is that of the constant with leading dimensions
/// of 1.
struct Carried {
    std::vector<Ints> inputs, outputs;
    // false: the operator depends on the order of axes, or `problem` says what is in the way
    bool supported = false;
    std::string problem;
};

/// How the node would have to be carried for its input (or output) `port` to be carried by
/// `permutation`.
Carried carry(const Scope& scope, const Node& node, bool is_output, std::size_t port,
              const Ints& permutation);
/// Where axes of v are in v'.
Ints mapped_axes(const Ints& axes, const Ints& permutation);
/// Such a value is the same in every order of its axes.
bool is_one_element(const Scope& scope, ValueId value);

}  // namespace lapidary
