// SPDX-License-Identifier: Apache-2.0
// Options for the inputs of a model: files, generated values, sizes, pixels of images.
#pragma once

#include <lapidary/inputs/text_samples.h>

#include "cli/models/model_inputs.h"
#include "cli/options/option_list.h"

namespace lapidary::cli {

/// --input, --inputs, --seed, --dim, --image-layout, --mean, --std, --bgr, --crop
void add_input_options(OptionList& options, InputOptions& inputs);

/// --input, --inputs, --image-layout, --mean, --std, --bgr, --crop: for given inputs. The command
/// decides about other inputs.
void add_given_inputs(OptionList& options, InputOptions& inputs);

/// --mean, --std, --bgr, --crop
void add_pixel_options(OptionList& options, ImageOptions& images);
/// --layout of arrays of samples
void add_array_layout(OptionList& options, ImageOptions& images);
/// --vocabulary, --tokens
void add_text_options(OptionList& options, TextOptions& text);
/// --inputs F.npz
Option& add_input_archive(OptionList& options, std::filesystem::path& archive,
                          const std::string& help);
/// --seed of generated inputs
Option& add_input_seed(OptionList& options, std::uint64_t& seed);

}  // namespace lapidary::cli
