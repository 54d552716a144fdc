// SPDX-License-Identifier: Apache-2.0
// Observes one value over many samples in two rounds: first its extremes and channels, then the
// histogram between the extremes.
#pragma once

#include <lapidary/quantize/calibrate.h>

namespace lapidary {

class TensorWatch {
public:
    explicit TensorWatch(const WatchedValue& value, double moving_average)
        : axis_(value.channel_axis), average_(moving_average) {
        seen_.name = value.name;
    }

    /// First round. Skips empty tensors and types other than f32.
    void see(const Tensor& tensor);
    /// Second round.
    void count(const Tensor& tensor);

    bool has_values() const { return seen_.elements > seen_.not_finite; }
    /// Growth of the range since the last call, as a share of its width.
    double take_range_growth();
    /// The observations with means in place of sums.
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
