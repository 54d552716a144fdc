// SPDX-License-Identifier: Apache-2.0
// Arrays of pictures in the order of dimensions and the size that an input has.
#pragma once

#include <optional>

#include <lapidary/tensor/tensor_file.h>
#include <lapidary/graph/type.h>

namespace lapidary {

/// How an array becomes the input's.
struct ArrayFit {
    bool is_nchw = true;                                    // order that the input has
    bool is_turned = false;                                 // the array has the other order
    bool is_cut = false;                                    // to its middle:
    std::int64_t top = 0, left = 0, height = 0, width = 0;  // where that lies
};

/// Whether the last dimension of four holds 1 or 3 channels, and the second does not.
bool has_channels_last(const Shape& shape);
/// Four dimensions, 1 or 3 channels second or last.
bool is_picture_shape(const Shape& shape);

/// Nothing: an array of shape `found` does not fit. The first dimension counts samples where
/// `is_stack`, and fits any. ImageOptions::array_layout and ::crop say what may be changed.
std::optional<ArrayFit> array_fit(const SymbolicShape& declared, const Shape& found, bool is_stack,
                                  const ImageOptions& images);

/// The array as `fit` has it: itself where nothing changes. Element types of one byte or more.
Tensor laid_out(const Tensor& array, const ArrayFit& fit);

}  // namespace lapidary
