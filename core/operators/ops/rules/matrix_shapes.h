// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/rules/rule_checks.h"

namespace lapidary {

/// The shape of numpy's matmul; fails where the operands do not fit.
SymbolicShape matmul_shape(const InferenceContext& ctx, SymbolicShape a, SymbolicShape b);
/// Output 0 as the matrix product of inputs `a` and `b`.
void infer_product_of(InferenceContext& ctx, std::size_t a, std::size_t b);

}  // namespace lapidary
