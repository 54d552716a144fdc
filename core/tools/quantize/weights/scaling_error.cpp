// SPDX-License-Identifier: Apache-2.0
#include "quantize/weights/scaling_error.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "quantize/weights/fitted_blocks.h"
#include "rewrite/quantized_weight.h"

namespace lapidary {
namespace {

constexpr std::int64_t most_columns = 64;  // of a weight

/// Columns of a matrix, spread evenly.
Tensor some_columns(const Tensor& matrix) {
    const std::int64_t rows = matrix.dim(0), columns = matrix.dim(1),
                       count = std::min(columns, most_columns);
    Tensor some(DType::f32, {rows, count});
    const auto from = matrix.data<float>();
    const auto to = some.mutable_data<float>();
    for (std::int64_t k = 0, at = 0; k < rows; ++k)
        for (std::int64_t c = 0; c < count; ++c, ++at)
            to[static_cast<std::size_t>(at)] =
                from[static_cast<std::size_t>(k * columns + c * columns / count)];
    return some;
}

}  // namespace

ScalingError::ScalingError(const Graph& graph, const std::vector<WeightedProduct>& products,
                           std::vector<double> squares, const QuantizeOptions& options)
    : squares_(std::move(squares)), options_(options) {
    for (const WeightedProduct& product : products) {
        const Tensor& weight = *graph.value(product.weight).constant;
        const Tensor matrix = product.input_axis == 0 ? weight : swapped_axes(weight);
        if (matrix.dim(0) == static_cast<std::int64_t>(squares_.size()))
            weights_.push_back(some_columns(matrix));
    }
}

double ScalingError::operator()(std::span<const float> factors, ThreadPool& threads,
                                const CancelToken& cancel) const {
    const bool has_budget = options_.bits_per_weight > 0;
    const BlockKind kind{has_budget ? 4 : options_.weight_bits, has_budget ? 32 : options_.block,
                         options_.symmetric_blocks, options_.block_form == BlockForm::matmul_nbits};
    // Inputs are divided by the factors: so much smaller is what an error of a scaled row costs.
    std::vector<double> importance(squares_.size());
    for (std::size_t k = 0; k < importance.size(); ++k)
        importance[k] = squares_[k] / (static_cast<double>(factors[k]) * factors[k]);
    double error = 0;
    for (const Tensor& weight : weights_) {
        Tensor scaled = weight.clone();
        const auto values = scaled.mutable_data<float>();
        const auto columns = static_cast<std::size_t>(scaled.dim(1));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] *= factors[i / columns];
        const BlockWeight blocks =
            options_.fitted_blocks
                ? fitted_blocks(scaled, kind, importance, threads, cancel)
                : quantize_blocks(scaled, kind.bits, kind.block, kind.symmetric, cancel);
        error += block_error(scaled, blocks, kind, importance);
    }
    return error;
}

std::vector<float> ScalingError::factors_of(double share) const {
    std::vector<float> factors(squares_.size(), 1);
    double logarithms = 0, count = 0;
    for (std::size_t k = 0; k < factors.size(); ++k) {
        if (!(squares_[k] > 0)) continue;
        factors[k] = static_cast<float>(std::clamp(std::pow(squares_[k], share / 2), 1e-4, 1e4));
        logarithms += std::log(factors[k]);
        ++count;
    }
    const auto mean = static_cast<float>(count > 0 ? std::exp(logarithms / count) : 1);
    for (std::size_t k = 0; k < factors.size(); ++k)
        if (squares_[k] > 0) factors[k] /= mean;
    return factors;
}

}  // namespace lapidary
