// SPDX-License-Identifier: Apache-2.0
// What samples look like to the model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/quantize/calibrate.h>

namespace lapidary::app {

/// RGB, 8 bits a channel, rows from top to bottom.
struct SamplePicture {
    int width = 0, height = 0;
    std::string rgb;
};

struct SampleInput {
    std::string name, type;              // type: "f32[1,3,224,224]"
    double low = 0, high = 0, mean = 0;  // of its finite elements; 0 where it has none
};

struct LookedAtSample {
    std::string name;
    bool judges = false;  // else it gives ranges
    std::vector<SampleInput> inputs;
    std::optional<SamplePicture> picture;  // of the first input that is one
    std::string failure;                   // why it cannot be read; empty: fine
};

struct SampleLook {
    std::uint64_t total = 0, learned = 0, judged = 0;
    bool generated = false;
    std::vector<LookedAtSample> samples;  // the first
    PixelKind pixels = PixelKind::none;   // of the files
    // that they are read with in place of what was asked for; nothing: as asked
    std::optional<ImageOptions> guess;
    // float_model_sentence() of those that judge; empty: there are no labels
    std::string float_answers;
    std::vector<std::string> warnings, notes;  // sentences; warnings: what nobody may overlook
};

/// Reads the first `most` samples. A picture is an input of one image of 1 or 3 channels of at
/// least 4 by 4 elements, its range made 0 to 255, at most 96 elements wide and high.
SampleLook look_at(const SampleSourcePtr& samples, bool generated, std::size_t most,
                   const CancelToken& cancel = {});

}  // namespace lapidary::app
