// SPDX-License-Identifier: Apache-2.0
// Access to the weight of a product by output channel and input channel.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <lapidary/graph/graph_edit.h>

#include "quantize/quantized_operator.h"

namespace lapidary {

class WeightByChannel {
public:
    WeightByChannel(const Graph& graph, const WeightedProduct& product)
        : weight_(graph.value(product.weight).constant->clone()), product_(product) {
        first_ = product.is_recurrent ? weight_.dim(0) * weight_.dim(1) : weight_.dim(0);
        second_ = product.is_recurrent ? weight_.dim(2) : weight_.dim(1);
        taps_ = first_ * second_ > 0 ? weight_.size() / (first_ * second_) : 0;
    }

    /// Input channels of the whole data, over all groups.
    std::int64_t inputs() const {
        return product_.input_axis == 0 ? first_ : second_ * product_.groups;
    }
    std::int64_t outputs() const {
        return product_.output_axis == 0 ? first_ : second_ * product_.groups;
    }
    const Tensor& tensor() const { return weight_; }

    /// Calls `visit(element, input channel, output channel)` for all elements.
    template <typename Visit>
    void visit(const Visit& visitor) {
        const auto data = weight_.mutable_data<float>();
        std::size_t at = 0;
        for (std::int64_t a = 0; a < first_; ++a)
            for (std::int64_t b = 0; b < second_; ++b) {
                const auto [input, output] = channels(a, b);
                for (std::int64_t t = 0; t < taps_; ++t)
                    visitor(data[at++], static_cast<std::size_t>(input),
                            static_cast<std::size_t>(output));
            }
    }

    std::vector<float> input_peaks() {
        std::vector<float> peaks(static_cast<std::size_t>(inputs()), 0);
        visit([&](float v, std::size_t input, std::size_t) {
            peaks[input] = std::max(peaks[input], std::abs(v));
        });
        return peaks;
    }
    std::vector<float> output_peaks() {
        std::vector<float> peaks(static_cast<std::size_t>(outputs()), 0);
        visit([&](float v, std::size_t, std::size_t output) {
            peaks[output] = std::max(peaks[output], std::abs(v));
        });
        return peaks;
    }

private:
    std::pair<std::int64_t, std::int64_t> channels(std::int64_t a, std::int64_t b) const {
        if (product_.groups == 1)
            return product_.input_axis == 0 ? std::pair(a, b) : std::pair(b, a);
        // ConvTranspose
        if (product_.input_axis == 0) return {a, a / (first_ / product_.groups) * second_ + b};
        return {a / (first_ / product_.groups) * second_ + b, a};
    }

    Tensor weight_;
    WeightedProduct product_;
    std::int64_t first_ = 0, second_ = 0, taps_ = 0;
};

}  // namespace lapidary
