// SPDX-License-Identifier: Apache-2.0
// How a quantized model is made from the opened one, and its JSON text in recipes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <lapidary/quantize/calibrate.h>
#include <lapidary/quantize/quantize.h>
#include <lapidary/inputs/text_samples.h>

namespace lapidary::app {

/// Where samples come from. Four of five give ranges, the fifth judges (split_samples()).
struct SampleChoice {
    // for folder_samples() or text_samples(); empty: samples are generated
    std::filesystem::path data;
    std::uint64_t generated = 16;
    std::uint64_t seed = 0;
    ImageOptions images;  // how pictures are read
    // with a vocabulary, `data` is a text file with one sample per line (text_samples())
    TextOptions text;
    bool isGenerated() const { return data.empty(); }
    friend bool operator==(const SampleChoice& a, const SampleChoice& b);
};

struct Quantization {
    QuantizeOptions options;
    SampleChoice samples;
    friend bool operator==(const Quantization&, const Quantization&) = default;
};

/// True if the file holds lines of text, which need a vocabulary.
bool is_text_file(const std::filesystem::path& file);
/// Throws what folder_samples() and text_samples() throw, and invalid_input for lines of text
/// without a vocabulary.
SampleSourcePtr samples_of(const ModelPtr& model, const SampleChoice& choice,
                           const CancelToken& cancel);

/// Compact JSON of what differs from the defaults; equal ones give equal text.
std::string quantization_text(const Quantization& quantization);
/// Throws invalid_input naming the member that is wrong or unknown.
Quantization parse_quantization(std::string_view text);

}  // namespace lapidary::app
