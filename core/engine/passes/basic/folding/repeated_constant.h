// SPDX-License-Identifier: Apache-2.0
// Shrinks constants that repeat the same numbers, as folded Expand, Tile and ConstantOfShape do.
// Operators that broadcast only need one copy.
#pragma once

#include <optional>

#include "patterns/scope.h"

namespace lapidary::passes {

/// Smaller constants are not shrunk: a file may grow by so many bytes for a constant of the full
/// shape.
inline constexpr std::uint64_t most_repeated_bytes = 64 << 10;

/// `constant`, the folded `value`, with size 1 along every axis along which it repeats, if another
/// operand of each reader has that axis in full, so that all results keep their shapes. Nothing:
/// there is no such axis, the value is a graph output, or an operator that does not broadcast reads
/// it.
std::optional<Tensor> without_repetitions(const Scope& scope, ValueId value,
                                          const Tensor& constant);

}  // namespace lapidary::passes
