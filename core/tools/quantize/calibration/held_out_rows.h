// SPDX-License-Identifier: Apache-2.0
// Rows of the inputs of products, dealt sample by sample into five parts. What one part shows about
// channels is judged on rows of the other parts.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <lapidary/quantize/calibrate.h>

namespace lapidary {

/// Rows of one value; its last axis holds the channels.
struct HeldOutRows {
    struct Part {
        // of each channel, over all rows of the part; empty: the part has no rows
        std::vector<float> low, high;
        std::vector<float> rows;  // some of the rows, one after the other
    };
    std::array<Part, evaluation_period> parts;

    /// The parts with rows, if at least two have some; else none, because nothing can be judged.
    std::vector<std::size_t> judging() const;
    /// The extremes of all parts except `part`.
    Part others(std::size_t part) const;
};

/// Takes the first `count` samples that run; memory does not grow with their number. Values that
/// are not f32, or whose number of channels differs between samples, stay empty. Throws cancelled.
std::vector<HeldOutRows> hold_rows_out(const Model& model, const SampleSource& samples,
                                       std::size_t count, const std::vector<std::string>& names,
                                       int threads, const Progress& progress);

}  // namespace lapidary
