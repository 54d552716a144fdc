// SPDX-License-Identifier: Apache-2.0
// Arrays of samples in the element type that an input wants: scripts store doubles, pixels as bytes, tokens as int32.
#pragma once

#include <string>

#include <lapidary/tensor_file.h>

namespace lapidary {

/// Whether as_input_type() can make one of the other: floats of any width, integers of any width, bytes as floats.
bool converts_to_input(DType from, DType to);

/// `array` in element type `to`. Bytes for floats are pixels: (value - mean) / stddev of `pixels`, per channel where
/// the second dimension of four has 1 or 3. Types that do not convert stay as they are: the session says what it
/// expected. Throws invalid_input for an integer that `to` has no room for, naming `input`.
Tensor as_input_type(const Tensor& array, DType to, const std::string& input, const ImageOptions& pixels);

}  // namespace lapidary
