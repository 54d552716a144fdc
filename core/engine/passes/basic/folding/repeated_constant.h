// SPDX-License-Identifier: Apache-2.0
// Constants that hold the same numbers over and over, as Expand, Tile and ConstantOfShape leave
// them, before operators that broadcast: one copy does.
#pragma once

#include <optional>

#include "patterns/scope.h"

namespace lapidary::passes {

/// From so many bytes on a constant is looked at: what a file may grow by for the sake of a
/// constant of the full shape.
inline constexpr std::uint64_t most_repeated_bytes = 64 << 10;

/// `constant`, which takes the place of `value`, with size 1 along every axis along which it
/// repeats and which another operand of each reader has in full, so that all results keep their
/// shapes. Nothing where there is no such axis, where something else than operators that broadcast
/// reads the value, or where it is a graph output.
std::optional<Tensor> without_repetitions(const Scope& scope, ValueId value,
                                          const Tensor& constant);

}  // namespace lapidary::passes
