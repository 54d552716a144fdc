// SPDX-License-Identifier: Apache-2.0
// What the pooling operators share: which input positions each output position looks at.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/kernel.h"
#include "ops/geometry/window.h"

namespace lapidary::reference {

/// The windows over one channel, for any spatial rank.
class PoolWindows {
public:
    /// Geometry of `node` over X [N, C, spatial...]. Throws invalid_input for a lower rank,
    /// invalid_model without kernel_shape.
    PoolWindows(const Node& node, const Shape& x);

    const std::vector<WindowAxis>& axes() const { return axes_; }
    std::int64_t input_size() const { return input_size_; }
    std::int64_t output_size() const { return output_size_; }
    /// [N, C, spatial output...]
    Shape output_shape(const Shape& x) const;

    /// For every output position in order calls start(), tap(offset) for each tap inside the input
    /// with its offset within the channel, in ascending order, and finish(index, padded), `padded`
    /// being how many taps lie in the input or its padding.
    template <typename Start, typename TapBody, typename Finish>
    void visit(const Start& start, const TapBody& tap, const Finish& finish) const {
        const std::size_t rank = axes_.size();
        std::vector<std::int64_t> position(rank, 0), origin(rank);
        for (std::int64_t index = 0; index < output_size_; ++index) {
            start();
            if (const std::int64_t base = interior_origin(position, origin); base >= 0) {
                for (const std::int64_t offset : taps_) tap(base + offset);
                finish(index, static_cast<std::int64_t>(taps_.size()));
            } else {
                std::int64_t padded = 0;
                for (std::size_t t = 0; t < taps_.size(); ++t) {
                    const Place place = place_of(t, origin);
                    padded += place.is_padded;
                    if (place.offset >= 0) tap(place.offset);
                }
                finish(index, padded);
            }
            for (std::size_t axis = rank; axis-- > 0;) {
                if (++position[axis] < axes_[axis].output) break;
                position[axis] = 0;
            }
        }
    }

private:
    struct Place {
        std::int64_t offset;  // -1: outside the input
        bool is_padded;       // in the input or its padding
    };
    /// Fills `origin` with the input coordinate of tap 0; returns its offset when the whole window
    /// is inside, else -1.
    std::int64_t interior_origin(const std::vector<std::int64_t>& position,
                                 std::vector<std::int64_t>& origin) const;
    Place place_of(std::size_t tap, const std::vector<std::int64_t>& origin) const;

    std::vector<WindowAxis> axes_;
    std::vector<std::int64_t> taps_;    // offset of each tap from tap 0, within the channel
    std::vector<std::int64_t> shifts_;  // the same as coordinates: [tap, axis]
    std::int64_t input_size_ = 1, output_size_ = 1;
};

}  // namespace lapidary::reference
