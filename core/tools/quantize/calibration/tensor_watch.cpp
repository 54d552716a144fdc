// SPDX-License-Identifier: Apache-2.0
#include "quantize/calibration/tensor_watch.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lapidary {

void TensorWatch::see(const Tensor& tensor) {
    if (tensor.dtype() != DType::f32 || tensor.size() == 0) return;
    float low = std::numeric_limits<float>::infinity(), high = -low;
    std::uint64_t odd = 0;
    double squares = 0;
    for (float v : tensor.data<float>()) {
        if (!std::isfinite(v)) {
            ++odd;
            continue;
        }
        low = std::min(low, v);
        high = std::max(high, v);
        squares += static_cast<double>(v) * v;
    }
    const bool first = !has_values();
    seen_.elements += static_cast<std::uint64_t>(tensor.size());
    seen_.not_finite += odd;
    seen_.square_sum += squares;
    see_channels(tensor);
    if (!(low <= high)) return;
    const auto averaged = [&](float before, float now) {
        return static_cast<float>((1 - average_) * before + average_ * now);
    };
    if (first) {
        seen_.low = low;
        seen_.high = high;
    } else if (average_ > 0) {
        seen_.low = averaged(seen_.low, low);
        seen_.high = averaged(seen_.high, high);
    } else {
        seen_.low = std::min(seen_.low, low);
        seen_.high = std::max(seen_.high, high);
    }
}

void TensorWatch::see_channels(const Tensor& tensor) {
    const std::int64_t rank = tensor.rank(), axis = axis_ < 0 ? axis_ + rank : axis_;
    if (channels_differ_ || axis < 0 || axis >= rank) return;
    const auto at = static_cast<std::size_t>(axis);
    const auto channels = static_cast<std::size_t>(tensor.dim(at));
    if (seen_.channel_mean.empty()) {
        seen_.channel_mean.assign(channels, 0);
        seen_.channel_peak.assign(channels, 0);
        seen_.channel_zero.assign(channels, 0);
        seen_.channel_square.assign(channels, 0);
        seen_.channel_low.assign(channels, std::numeric_limits<float>::infinity());
        seen_.channel_high.assign(channels, -std::numeric_limits<float>::infinity());
    } else if (seen_.channel_mean.size() != channels) {
        channels_differ_ = true;
        for (auto* figures : {&seen_.channel_mean, &seen_.channel_zero, &seen_.channel_square})
            figures->clear();
        for (auto* figures : {&seen_.channel_peak, &seen_.channel_low, &seen_.channel_high})
            figures->clear();
        return;
    }
    std::size_t inner = 1;
    for (std::size_t d = at + 1; d < tensor.shape().size(); ++d)
        inner *= static_cast<std::size_t>(tensor.dim(d));
    const auto data = tensor.data<float>();
    for (std::size_t row = 0; row < data.size() / inner; ++row) {
        const std::size_t channel = row % channels;
        for (float v : data.subspan(row * inner, inner)) {
            if (!std::isfinite(v)) continue;
            seen_.channel_mean[channel] += v;
            seen_.channel_zero[channel] += v == 0;
            seen_.channel_square[channel] += static_cast<double>(v) * v;
            seen_.channel_low[channel] = std::min(seen_.channel_low[channel], v);
            seen_.channel_high[channel] = std::max(seen_.channel_high[channel], v);
            seen_.channel_peak[channel] = std::max(seen_.channel_peak[channel], std::abs(v));
        }
    }
    per_channel_ += static_cast<double>(tensor.size()) / static_cast<double>(channels);
}

void TensorWatch::count(const Tensor& tensor) {
    if (tensor.dtype() != DType::f32 || !has_values()) return;
    const double bottom = seen_.bottom(), width = static_cast<double>(seen_.top()) - bottom;
    if (!(width > 0)) return;
    if (seen_.histogram.empty()) seen_.histogram.assign(histogram_bins, 0);
    const double bins_per_unit = static_cast<double>(histogram_bins) / width;
    for (float v : tensor.data<float>()) {
        if (!std::isfinite(v)) continue;
        const double place = (static_cast<double>(v) - bottom) * bins_per_unit;
        ++seen_.histogram[static_cast<std::size_t>(
            std::clamp(place, 0.0, static_cast<double>(histogram_bins - 1)))];
    }
}

double TensorWatch::take_range_growth() {
    const double before = static_cast<double>(last_high_) - last_low_,
                 now = static_cast<double>(seen_.high) - seen_.low;
    const double moved = std::max(std::abs(static_cast<double>(seen_.low) - last_low_),
                                  std::abs(static_cast<double>(seen_.high) - last_high_));
    last_low_ = seen_.low;
    last_high_ = seen_.high;
    return moved == 0 ? 0
                      : moved / std::max({before, now,
                                          static_cast<double>(std::numeric_limits<float>::min())});
}

ObservedTensor TensorWatch::finished() const {
    ObservedTensor out = seen_;
    if (per_channel_ > 0)
        for (std::size_t c = 0; c < out.channel_mean.size(); ++c) {
            out.channel_mean[c] /= per_channel_;
            out.channel_zero[c] /= per_channel_;
            out.channel_square[c] /= per_channel_;
        }
    return out;
}

}  // namespace lapidary
