// SPDX-License-Identifier: Apache-2.0
#include "cli/options/input_options.h"

#include <array>

#include "cli/options/size_options.h"
#include "cli/options/value_checks.h"
#include "cli/exit_code.h"

namespace lapidary::cli {
namespace {

/// Parses one number for all channels, or one for each.
std::array<float, 3> per_channel(const std::string& option, const std::vector<float>& values) {
    if (!std::ranges::all_of(values, [](float value) { return std::isfinite(value); }))
        throw UsageError(option + ": expected finite numbers");
    if (values.size() == 1) return {values[0], values[0], values[0]};
    if (values.size() != 3)
        throw UsageError(option + ": expected one number or three, found " +
                         std::to_string(values.size()));
    return {values[0], values[1], values[2]};
}

void add_image_options(OptionList& options, InputOptions& inputs) {
    options
        .take(
            "--image-layout", "nchw|nhwc",
            [&inputs](const std::string& layout) {
                inputs.has_image_layout = true;
                inputs.image.layout =
                    layout == "nhwc" ? ImageOptions::Layout::nhwc : ImageOptions::Layout::nchw;
            },
            "Layout of image inputs; derived from the shape unless given")
        .one_of({"nchw", "nhwc"});
    add_pixel_options(options, inputs.image);
}

}  // namespace

namespace {
constexpr int most_text_tokens = 1'000'000;
}  // namespace

void add_pixel_options(OptionList& options, ImageOptions& images) {
    options
        .take_numbers(
            "--mean", "a,b,c",
            [&images](const std::vector<float>& values) {
                images.mean = per_channel("--mean", values);
                images.scale_chosen = true;
            },
            "Subtracted from the channels 0..255 of an image, in the order of the tensor")
        .separated_by_commas();
    options
        .take_numbers(
            "--std", "a,b,c",
            [&images](const std::vector<float>& values) {
                images.stddev = per_channel("--std", values);
                images.scale_chosen = true;
                for (const float deviation : images.stddev)
                    if (deviation == 0) throw UsageError("--std: expected numbers other than 0");
            },
            "Divides the channels after --mean")
        .separated_by_commas();
    options.flag("--bgr", images.bgr, "Channels of an image in the order blue, green, red");
    options
        .value("--crop", "SHARE", images.crop,
               "Resize the middle of a picture in the input's proportions alone, this share of its "
               "shorter side (0.875 "
               "is usual, 1: all of it); of larger arrays take the middle. Pictures are stretched "
               "unless given")
        .between(0.01, 1.0);
}

void add_array_layout(OptionList& options, ImageOptions& images) {
    options
        .take(
            "--layout", "nchw|nhwc",
            [&images](const std::string& layout) {
                images.array_layout =
                    layout == "nhwc" ? ImageOptions::Layout::nhwc : ImageOptions::Layout::nchw;
            },
            "Order of dimensions of arrays in --data; seen by what fits the input unless given")
        .one_of({"nchw", "nhwc"});
}

void add_text_options(OptionList& options, TextOptions& text) {
    Option& vocabulary =
        options
            .value("--vocabulary", "FILE", text.vocabulary,
                   "--data is text, a sample per line: a tokenizer.json, or the tokens of BERT's "
                   "WordPiece, one per line")
            .suggest_files({"json", "txt"});
    options.value("--tokens", "N", text.most_tokens, "Tokens of a line at most, 128 unless given")
        .between(2, most_text_tokens)
        .needs(vocabulary);
}

Option& add_input_archive(OptionList& options, std::filesystem::path& archive,
                          const std::string& help) {
    return options.value("--inputs", "F.npz", archive, help).suggest_files({"npz"});
}

Option& add_input_seed(OptionList& options, std::uint64_t& seed) {
    return options
        .value("--seed", "N", seed, "Seed of the inputs that are generated, 0 unless given")
        .checked_by(count_problem);
}

void add_given_inputs(OptionList& options, InputOptions& inputs) {
    options
        .take_all(
            "--input", "NAME=FILE",
            [&inputs](const std::vector<std::string>& texts) {
                for (const std::string& text : texts) {
                    auto [name, file] = split_assignment("--input", text, false);
                    inputs.files.emplace_back(std::move(name), std::move(file));
                }
            },
            "An input from .npy, .npz, .pb, .png or .jpg; may be repeated")
        .repeatable()
        .suggest({.files = true,
                  .extensions = {"npy", "npz", "pb", "png", "jpg", "jpeg"},
                  .after_equals = true});
    add_input_archive(options, inputs.archive, "Inputs by name from one archive");
    add_image_options(options, inputs);
}

void add_input_options(OptionList& options, InputOptions& inputs) {
    add_given_inputs(options, inputs);
    add_input_seed(options, inputs.seed);
    add_dimensions(options, inputs.dimensions);
}

}  // namespace lapidary::cli
