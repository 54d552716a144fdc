// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include <lapidary/quantize/calibrate.h>

namespace lapidary {

/// Samples from the arrays of one .npz, one behind the other along their first dimension. `arrays`:
/// by input; an input that is not in it takes the array of its name, and the only input of a model
/// the only array that fits its shape. Pixels are converted to (value - mean) / stddev. Bytes for a
/// float input count as pixels, and so do floats with the shape of pictures if mean or deviation of
/// `pixels` were chosen. Other floats and integers are converted to the type of the input. Arrays
/// are transposed to the order of the input's dimensions and cut to its size as ImageOptions says.
/// Throws invalid_input naming arrays and shapes that do not fit, before memory is taken for any;
/// cancelled.
SampleSourcePtr array_samples(const Model& model, const std::filesystem::path& file,
                              const std::map<std::string, std::string>& arrays = {},
                              const ImageOptions& pixels = {}, const CancelToken& cancel = {});

}  // namespace lapidary
