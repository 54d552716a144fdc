// SPDX-License-Identifier: Apache-2.0
// Reshape of a tensor whose axes are stored in another order.
#pragma once

#include <optional>

#include "passes/axis_arguments.h"

namespace lapidary {

/// Two permutations p and q such that Reshape(Transpose(x') {p}) = Transpose(Reshape(x')) {q}.
struct PermutedReshape {
    Ints input, output;
};

/// `from` and `to` are split into runs of dimensions with equal products; the axes of a run must
/// stay side by side. Nothing when they do not, or when the shapes are not known well enough.
/// `given` is p, or q when `is_output`.
std::optional<PermutedReshape> permuted_reshape(const SymbolicShape& from, const SymbolicShape& to,
                                                bool is_output, const Ints& given);

/// The target shape for permutations of the two sides (empty: unchanged). Nothing: no constant can
/// express it.
std::optional<Ints> permuted_target(const SymbolicShape& from, const SymbolicShape& to,
                                    const Ints& input, const Ints& output);

}  // namespace lapidary
