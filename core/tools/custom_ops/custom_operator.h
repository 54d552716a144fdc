// SPDX-License-Identifier: Apache-2.0
// An operator of a library of custom operators, as the program knows operators.
#pragma once

#include <string>
#include <vector>

#include "custom_ops/custom_op.h"
#include "kernels/added_kernels.h"
#include "ops/schemas/added_operators.h"

namespace lapidary::custom_ops {

/// One name, with the variants that the library has of it: each takes other element types.
struct CustomOperator {
    std::string library;  // its file's name
    std::string domain, name;
    std::vector<const CustomOp*> variants;  // that run on the CPU; at least one
};

/// What models see of it. Throws invalid_input where the library describes it in a way that cannot
/// be right.
AddedOperator added_operator(const CustomOperator& op);
/// What runs it.
AddedKernel added_kernel(const CustomOperator& op);

}  // namespace lapidary::custom_ops
