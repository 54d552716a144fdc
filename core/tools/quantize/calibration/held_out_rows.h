// SPDX-License-Identifier: Apache-2.0
// What goes into products, sample by sample in turn put into five parts: what one part says of
// channels is judged on rows of the others.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <lapidary/quantize/calibrate.h>

namespace lapidary {

/// Of one value, whose last axis are the channels.
struct HeldOutRows {
    struct Part {
        // of each channel, over all of the part's rows; empty: there are none
        std::vector<float> low, high;
        std::vector<float> rows;  // some of them, one after the other
    };
    std::array<Part, judged_every> parts;

    /// Parts with rows, where another has some too; else nothing can be judged.
    std::vector<std::size_t> judging() const;
    /// Extremes of all parts but `part`.
    Part others(std::size_t part) const;
};

/// Of the first `count` samples that run; memory does not depend on their number. Values whose
/// number of channels differs between samples, or that are not f32, stay empty. Throws cancelled.
std::vector<HeldOutRows> hold_rows_out(const Model& model, const SampleSource& samples,
                                       std::size_t count, const std::vector<std::string>& names,
                                       int threads, const Progress& progress);

}  // namespace lapidary
