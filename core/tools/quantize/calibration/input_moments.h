// SPDX-License-Identifier: Apache-2.0
// Second moments of the data that a product multiplies with its weight.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lapidary/base/progress.h>
#include <lapidary/tensor/tensor.h>

#include "quantize/quantized_operator.h"

namespace lapidary {

/// Sum over rows of x x^T, per group. `size`: inputs of one output element.
struct InputMoments {
    std::int64_t groups = 1, size = 0;
    std::vector<double> sums;  // [groups, size, size]
    double rows = 0;
};

/// Empty if the product has more inputs than `most`, or attributes that are not supported
/// (auto_pad, ConvTranspose).
InputMoments moments_for(const Graph& graph, const WeightedProduct& product, std::int64_t most);
/// For a product with more inputs than `most`, a multiple of 256: groups of neighbouring inputs,
/// all of the same size, a multiple of 256. What correlates beyond a group is left out, so that
/// work and memory grow with the inputs and not with their cube and square. The last group may have
/// fewer inputs; what it lacks counts as 0.
InputMoments moments_in_groups(std::int64_t inputs, std::int64_t most);
/// Whether they are of a product with so many inputs, in one group or in several.
bool has_moments_of(const InputMoments& moments, std::int64_t inputs);
/// Those of the first `count` inputs of a group: [count, count].
std::vector<double> sums_of_group(const InputMoments& moments, std::int64_t group,
                                  std::size_t count);
/// Adds rows to the lower triangles, eight at a time, so that the sums go through memory once for
/// eight. Each sum adds its products in the order of the rows, and has the bits that adding them
/// one by one gives.
class MomentRows {
public:
    /// `moments` must outlive it.
    explicit MomentRows(InputMoments& moments);
    MomentRows(const MomentRows&) = delete;
    MomentRows& operator=(const MomentRows&) = delete;
    /// Adds what was not added yet.
    ~MomentRows();
    /// One row of `size` elements; the caller counts `rows`.
    void add(std::int64_t group, std::span<const float> row);

private:
    static constexpr std::int64_t at_a_time = 8;
    struct Waiting {
        std::vector<double> rows;  // [at_a_time, size]
        std::int64_t count = 0;
    };
    void flush(std::int64_t group);
    double* sums_of(std::int64_t group);

    InputMoments& moments_;
    std::vector<Waiting> groups_;
};
/// Adds rows of one sample: every row of a matrix product; of a convolution at most `most_rows`
/// windows, spread evenly. Throws cancelled.
void add_moments(InputMoments& moments, const Graph& graph, const WeightedProduct& product,
                 const Tensor& data, std::int64_t most_rows, const CancelToken& cancel = {});

}  // namespace lapidary
