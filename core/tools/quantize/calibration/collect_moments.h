// SPDX-License-Identifier: Apache-2.0
// What the weights of a model are multiplied with, over samples.
#pragma once

#include <vector>

#include <lapidary/quantize/quantize.h>

#include "quantize/calibration/input_moments.h"

namespace lapidary {

/// Share of the mean of the diagonal by which moments are made positive, and to be inverted.
constexpr double moment_damping = 0.01;

struct ProductMoments {
    WeightedProduct product;
    InputMoments moments;
    bool is_known() const { return moments.size > 0 && moments.rows > 0; }
};

/// Of every product with a weight of its own that the options do not keep float; moments stay empty
/// where its inputs are too many (the work grows with their cube) or none was seen. Samples that do
/// not run are passed over: calibration reports them. Throws cancelled.
std::vector<ProductMoments> collect_moments(const Model& model, const QuantizeOptions& options,
                                            const SampleSource& samples, const Progress& progress);

}  // namespace lapidary
