// SPDX-License-Identifier: Apache-2.0
// Why operators on images cannot work on permuted axes (permuted_operator.h); empty: they can.
#pragma once

#include <string>

#include "passes/axis_arguments.h"

namespace lapidary {

std::string permuted_resize_problem(const Scope& scope, const Node& node, const Ints& permutation);
/// For GlobalAveragePool and the like, which become reductions.
std::string permuted_pool_problem(const Scope& scope, const Node& node, const Ints& permutation);

}  // namespace lapidary
