// SPDX-License-Identifier: Apache-2.0
// Converts arrays of samples to the element type of an input: scripts often store doubles, pixels
// as bytes, and tokens as int32.
#pragma once

#include <optional>
#include <string>

#include <lapidary/quantize/calibrate.h>
#include <lapidary/tensor/tensor_file.h>
#include <lapidary/graph/type.h>

namespace lapidary {

/// True if as_input_type() can convert: between floats of any width, between integers of any width,
/// and from bytes to floats.
bool converts_to_input(DType from, DType to);

/// True if an array with this header can become the input's value: its type converts, and its shape
/// fits (array_fit()), apart from the first dimension if `is_stack`. False for strings, scalars and
/// elements of less than a byte.
bool fits_input(const ArrayHeader& array, const Type& type, bool is_stack,
                const ImageOptions& images);

/// `array` converted for the input. Its dimensions: see array_fit(). Bytes for a float input are
/// pixels; so are floats in the shape of a picture if the mean or deviation of `images` changes
/// anything. Pixels become (value - mean) / stddev, per channel of 1 or 3, in reverse order of
/// channels if `images` says bgr. What does not fit stays as it is, and the session reports what it
/// expected. Throws invalid_input naming `input` for an integer that does not fit into `type`.
Tensor as_input(const Tensor& array, const Type& type, const std::string& input,
                const ImageOptions& images);

/// How as_input() treats these values.
PixelKind pixel_kind(const Tensor& array, const Type& type);

/// A sentence for the user if arrays of this shape are transposed. Empty if they are not.
std::optional<std::string> turned_note(const Type& type, const Shape& array,
                                       const ImageOptions& images);

}  // namespace lapidary
