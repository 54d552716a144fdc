// SPDX-License-Identifier: Apache-2.0
// Adapts an operator of a library of custom operators to this program's operators.
#pragma once

#include <string>
#include <vector>

#include "custom_ops/custom_op.h"
#include "kernels/added_kernels.h"
#include "ops/schemas/added_operators.h"

namespace lapidary::custom_ops {

/// An operator with its variants in the library, each for other element types.
struct CustomOperator {
    std::string library;  // its file's name
    std::string domain, name;
    std::vector<const CustomOp*> variants;  // that run on the CPU; at least one
};

/// Its schema. Throws invalid_input if the description in the library is inconsistent.
AddedOperator added_operator(const CustomOperator& op);
/// Its kernels.
AddedKernel added_kernel(const CustomOperator& op);

}  // namespace lapidary::custom_ops
