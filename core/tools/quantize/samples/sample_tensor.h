// SPDX-License-Identifier: Apache-2.0
// Arrays of samples in the element type that an input wants: scripts store doubles, pixels as
// bytes, tokens as int32.
#pragma once

#include <optional>
#include <string>

#include <lapidary/quantize/calibrate.h>
#include <lapidary/tensor/tensor_file.h>
#include <lapidary/graph/type.h>

namespace lapidary {

/// Whether as_input_type() can make one of the other: floats of any width, integers of any width,
/// bytes as floats.
bool converts_to_input(DType from, DType to);

/// Whether an array that is announced so can become the input's: by its type, and but for the first
/// dimension where `is_stack` by its shape (array_fit()). False for strings, elements of less than
/// a byte and scalars.
bool fits_input(const ArrayHeader& array, const Type& type, bool is_stack,
                const ImageOptions& images);

/// `array` as the input wants it. Its dimensions: see array_fit(). Its values: bytes for floats are
/// pixels, and so are floats of the shape of pictures where mean or deviation of `images` change
/// something: (value - mean) / stddev, per channel of 1 or 3, in the other order of channels where
/// `images` says bgr. What does not fit stays as it is: the session says what it expected. Throws
/// invalid_input for an integer that `type` has no room for, naming `input`.
Tensor as_input(const Tensor& array, const Type& type, const std::string& input,
                const ImageOptions& images);

/// What as_input() makes of these values.
PixelKind pixel_kind(const Tensor& array, const Type& type);

/// A sentence where arrays of the shape are brought into another order of dimensions; nothing: they
/// are not.
std::optional<std::string> turned_note(const Type& type, const Shape& array,
                                       const ImageOptions& images);

}  // namespace lapidary
