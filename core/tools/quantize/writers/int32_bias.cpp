// SPDX-License-Identifier: Apache-2.0
#include "quantize/writers/int32_bias.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

constexpr double least = std::numeric_limits<std::int32_t>::min(),
                 most = std::numeric_limits<std::int32_t>::max();

void require_channels(const Tensor& bias, const Tensor& weight_scale) {
    if (bias.dtype() != DType::f32 || bias.rank() != 1)
        fail_input("a bias to quantize is f32 [channels], not " + to_string(bias.shape()));
    if (weight_scale.size() != 1 && weight_scale.size() != bias.size())
        fail_input("a bias of " + std::to_string(bias.size()) +
                   " channels has one weight scale or as many, not " +
                   std::to_string(weight_scale.size()));
}

constexpr double room = 1.0001;

/// The least weight scale with which a bias whose size is `doubled` / 2 fits, or the given one.
float enlarged(double doubled, double input_scale, float weight_scale) {
    constexpr double steps = 4294967294.0;
    const double needed = doubled / steps;
    const double candidate = input_scale * static_cast<double>(weight_scale);
    if (candidate >= needed || candidate <= 0) return weight_scale;
    return static_cast<float>(static_cast<double>(weight_scale) * (needed / candidate));
}

}  // namespace

Int32Bias quantize_bias(const Tensor& bias, float input_scale, const Tensor& weight_scale) {
    require_channels(bias, weight_scale);
    const auto from = bias.data<float>();
    const auto scales = weight_scale.data<float>();
    Int32Bias out{Tensor(DType::i32, bias.shape()), Tensor(DType::f32, Shape{weight_scale.size()}),
                  true};
    for (std::size_t i = 0; i < scales.size(); ++i)
        out.scale.mutable_data<float>()[i] = input_scale * scales[i];
    for (std::size_t i = 0; i < from.size(); ++i) {
        const double scale = out.scale.data<float>()[scales.size() == 1 ? 0 : i];
        const double level = scale == 0 ? 0 : std::nearbyint(static_cast<double>(from[i]) / scale);
        out.fits = out.fits && std::isfinite(level) && level >= least && level <= most;
        out.values.mutable_data<std::int32_t>()[i] =
            std::isnan(level) ? 0 : static_cast<std::int32_t>(std::clamp(level, least, most));
    }
    return out;
}

Tensor scale_for_bias(const Tensor& bias, float input_scale, const Tensor& weight_scale) {
    require_channels(bias, weight_scale);
    const auto from = bias.data<float>();
    Tensor out = weight_scale.clone();
    const auto scales = out.mutable_data<float>();
    if (weight_scale.size() == 1 && (weight_scale.rank() == 0 || from.size() != 1)) {
        double largest = 0;
        for (float v : from) largest = std::max(largest, std::abs(static_cast<double>(v)));
        scales[0] = enlarged(room * (2.0 * largest), input_scale, scales[0]);
    } else {  // ONNX Runtime rounds the product to float32 here, and not above
        for (std::size_t i = 0; i < from.size(); ++i)
            scales[i] = enlarged(static_cast<float>(room) * (2.0f * std::abs(from[i])), input_scale,
                                 scales[i]);
    }
    return same_contents(out, weight_scale) ? weight_scale : out;
}

}  // namespace lapidary
