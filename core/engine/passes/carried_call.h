// SPDX-License-Identifier: Apache-2.0
// Writes the operation of a node for tensors whose axes are stored in another order.
#pragma once

#include <vector>

#include "passes/permuted_operator.h"

namespace lapidary {

/// The same operation on carried tensors. `inputs`: the node's, with carried ones replaced.
Call carried_call(PassContext& context, const Node& node, const Carried& carried,
                  std::vector<ValueId> inputs);
/// The type of v' when v, of type `type`, is carried.
Type carried_type(const Type& type, const Ints& permutation);

}  // namespace lapidary
