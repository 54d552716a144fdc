// SPDX-License-Identifier: Apache-2.0
// A part of a tensor along its axes, as NumPy writes it: "0,:,3:7,-1".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/tensor/tensor.h>

namespace lapidary {

/// What is taken of one axis. Negative numbers count from its end.
struct AxisSlice {
    bool is_index = false;            // one element, and the axis goes; else a range
    std::int64_t begin = 0;           // the element, or the first one of the range
    std::optional<std::int64_t> end;  // behind the range; nothing: to the end of the axis
};

/// Axes from the outermost on; further ones are taken whole.
using TensorSlice = std::vector<AxisSlice>;

/// Throws invalid_input with what is wrong with the text.
TensorSlice parse_slice(std::string_view text);
/// The text that parse_slice() reads: "0,:,3:7,-1".
std::string text_of(const TensorSlice& slice);

/// The shape of that part of a tensor. Throws as slice_of().
Shape shape_of_slice(const Shape& shape, const TensorSlice& slice);

/// A part to look at first, of at most `most_elements` (at least 1): the first element of the outer
/// axes, all of the last three, or as much of the first of these as there is room for.
TensorSlice first_slice(const Shape& shape, std::int64_t most_elements);

/// A copy of that part. Ranges are cut off at the end of their axis. Elements of types that share
/// bytes come as float32. Throws invalid_input where the tensor has fewer axes, or no such element.
Tensor slice_of(const Tensor& tensor, const TensorSlice& slice);

}  // namespace lapidary
