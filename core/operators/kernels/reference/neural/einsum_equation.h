// SPDX-License-Identifier: Apache-2.0
// The equation of Einsum, read against the shapes of its operands.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include <lapidary/tensor/tensor.h>

namespace lapidary::reference {

/// Labels are letters (their character code) and ellipsis axes (256 + distance from the last one).
struct EinsumEquation {
    std::vector<std::vector<int>> operands;  // one label per axis, may repeat
    std::vector<int> output;                 // unique labels
    std::map<int, std::int64_t> sizes;       // of every label; size-1 axes broadcast

    Shape output_shape() const;
};

/// Throws invalid_model for a malformed equation, invalid_input when it does not fit the shapes.
EinsumEquation read_equation(std::string_view text, const std::vector<Shape>& shapes);

}  // namespace lapidary::reference
