// SPDX-License-Identifier: Apache-2.0
// A preview of samples as the model will get them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/quantize/calibrate.h>

namespace lapidary::app {

/// RGB, 8 bits per channel, rows from top to bottom.
struct SamplePicture {
    int width = 0, height = 0;
    std::string rgb;
};

struct SampleInput {
    std::string name, type;              // type: "f32[1,3,224,224]"
    double low = 0, high = 0, mean = 0;  // of its finite elements; 0 if it has none
};

struct PreviewedSample {
    std::string name;
    bool judges = false;  // true: used to judge; false: used to find ranges
    std::vector<SampleInput> inputs;
    std::optional<SamplePicture> picture;  // of the first input that is a picture
    std::string failure;                   // why it cannot be read; empty: it can
};

struct SamplePreview {
    std::uint64_t total = 0, calibration_samples = 0, evaluation_samples = 0;
    bool generated = false;
    std::vector<PreviewedSample> samples;  // the first samples
    PixelKind pixels = PixelKind::none;    // what the pixels of the files are
    // how pictures are read instead of as requested; empty: as requested
    std::optional<ImageOptions> guess;
    // float_model_sentence() of the samples that judge; empty: there are no labels
    std::string float_answers;
    std::vector<std::string> warnings, notes;  // sentences; warnings must be shown prominently
};

/// Reads the first `most` samples. A picture is an input that holds one image of 1 or 3 channels
/// and at least 4 by 4 elements. Its range is scaled to 0 to 255, its size to at most 96 by 96.
SamplePreview preview_samples(const SampleSourcePtr& samples, bool generated, std::size_t most,
                              const CancelToken& cancel = {});

}  // namespace lapidary::app
