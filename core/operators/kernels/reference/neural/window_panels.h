// SPDX-License-Identifier: Apache-2.0
// The columns matrix of a convolution (im2col), produced panel by panel without being stored: row k
// is one (channel, kernel tap), column j one output position, the entry the input under that tap or
// zero padding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ops/geometry/window.h"

namespace lapidary::reference {

constexpr std::size_t most_spatial_axes = 14;  // those of a tensor of Limits::run_rank

template <typename T>
class WindowPanels {
public:
    /// `image` holds [channels, spatial...] of one image and group; at most most_spatial_axes axes.
    WindowPanels(const T* image, std::span<const WindowAxis> axes);

    /// PanelSource's call.
    void operator()(std::int64_t first_k, std::int64_t k_count, std::int64_t first_column,
                    std::int64_t columns, T* panel) const;

private:
    void fill_run(std::int64_t tap_start, std::int64_t position, std::int64_t count, const T* row,
                  T* panel) const;

    const T* image_;
    std::vector<WindowAxis> axes_;
    std::int64_t taps_ = 1;          // kernel positions
    std::int64_t channel_size_ = 1;  // input positions of one channel
    // one tap, stride 1, no padding: the image itself is the matrix
    bool is_pointwise_ = true;
};

}  // namespace lapidary::reference
