// SPDX-License-Identifier: Apache-2.0
// One value seen over many samples, in two rounds: extremes and channels, then the histogram
// between the extremes.
#pragma once

#include <lapidary/quantize/calibrate.h>

namespace lapidary {

class TensorWatch {
public:
    explicit TensorWatch(const WatchedValue& value, double moving_average)
        : axis_(value.channel_axis), average_(moving_average) {
        seen_.name = value.name;
    }

    /// First round. Other types than f32 and empty tensors are passed over.
    void see(const Tensor& tensor);
    /// Second round.
    void count(const Tensor& tensor);

    bool has_values() const { return seen_.elements > seen_.not_finite; }
    /// By how much the range grew since the last call, as a share of its width.
    double take_change();
    /// Means in place of sums.
    ObservedTensor finished() const;

private:
    void see_channels(const Tensor& tensor);

    ObservedTensor seen_;
    std::int64_t axis_;
    double average_;
    float last_low_ = 0, last_high_ = 0;
    bool channels_differ_ = false;
    double per_channel_ = 0;
};

}  // namespace lapidary
