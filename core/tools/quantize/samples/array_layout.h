// SPDX-License-Identifier: Apache-2.0
// Fits arrays of pictures to the order of dimensions and the size of a model input.
#pragma once

#include <optional>

#include <lapidary/tensor/tensor_file.h>
#include <lapidary/graph/type.h>

namespace lapidary {

/// How an array is changed to fit an input.
struct ArrayFit {
    bool is_nchw = true;                                    // the order of the input
    bool is_transposed = false;                             // the array has the other order
    bool is_cropped = false;                                // cropped to its middle:
    std::int64_t top = 0, left = 0, height = 0, width = 0;  // the part that is kept
};

/// True if the last of four dimensions holds 1 or 3 channels and the second one does not.
bool has_channels_last(const Shape& shape);
/// True for four dimensions with 1 or 3 channels in the second or last one.
bool is_picture_shape(const Shape& shape);

/// Empty if an array of shape `found` does not fit. With `is_stack` the first dimension counts
/// samples and may have any size. ImageOptions::array_layout and ::crop say what may be changed.
std::optional<ArrayFit> array_fit(const SymbolicShape& declared, const Shape& found, bool is_stack,
                                  const ImageOptions& images);

/// The array changed as `fit` says; the array itself if nothing changes. For element types of at
/// least one byte.
Tensor laid_out(const Tensor& array, const ArrayFit& fit);

}  // namespace lapidary
