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
/// The same operation on carried tensors: `inputs` are the node's with carried ones in place.
Call carried_call(PassContext& context, const Node& node, const Carried& carried,
                  std::vector<ValueId> inputs);
/// The type of v' when v, of type `type`, is carried.
Type carried_type(const Type& type, const Ints& permutation);

}  // namespace lapidary
