// SPDX-License-Identifier: Apache-2.0
// Second moments of the inputs that a model's weights are multiplied with, collected over samples.
#pragma once

#include <vector>

#include <lapidary/quantize/quantize.h>

#include "quantize/calibration/input_moments.h"

namespace lapidary {

/// Added to the diagonal, as a share of its mean, so that moments are positive definite and can be
/// inverted.
constexpr double moment_damping = 0.01;

struct ProductMoments {
    WeightedProduct product;
    InputMoments moments;
    bool is_known() const { return moments.size > 0 && moments.rows > 0; }
};

/// The moments of every product whose weight has no other reader and that the options do not keep
/// float. Above 2,304 inputs (the work grows with their cube) weights in blocks have moments of
/// groups of inputs, moments_in_groups(); of others they stay empty, and so do those that no sample
/// reached. Samples that fail to run are skipped; calibration reports them. Throws cancelled.
std::vector<ProductMoments> collect_moments(const Model& model, const QuantizeOptions& options,
                                            const SampleSource& samples, const Progress& progress);

}  // namespace lapidary
