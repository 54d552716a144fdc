// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu.h"
#include "kernels/convolution/convolution.h"

namespace lapidary::cuda {

/// Gives the offset in an image of element k of the window for an output column. Fast when k and
/// column increase from call to call.
class WindowReader {
public:
    GPU_METHOD explicit WindowReader(const Window& window) : window_(window) {}

    /// Offset in the channels of a group; -1 outside of the input.
    GPU_METHOD int offset(int k, int column) {
        if (column != column_) begin_column(column);
        if (k != k_) begin_tap(k);
        int offset = channel_;
        GPU_UNROLL for (int axis = 0; axis < spatial_axes; ++axis) {
            const int at = first_[axis] + tap_[axis] * window_.dilation[axis];
            if (at < 0 || at >= window_.input[axis]) return -1;
            offset = offset * window_.input[axis] + at;
        }
        return offset;
    }

private:
    GPU_METHOD void begin_column(int column) {
        column_ = column;
        for (int axis = spatial_axes - 1; axis >= 0; --axis) {
            first_[axis] = column % window_.output[axis] * window_.stride[axis] - window_.pad[axis];
            column /= window_.output[axis];
        }
    }
    GPU_METHOD void begin_tap(int k) {
        const int step = k - k_;
        k_ = k;
        if (step > 0 && step <= 8) {
            for (int i = 0; i < step; ++i) next_tap();
            return;
        }
        for (int axis = spatial_axes - 1; axis >= 0; --axis) {
            tap_[axis] = k % window_.kernel[axis];
            k /= window_.kernel[axis];
        }
        channel_ = k;
    }
    GPU_METHOD void next_tap() {
        for (int axis = spatial_axes - 1; axis >= 0; --axis) {
            if (++tap_[axis] < window_.kernel[axis]) return;
            tap_[axis] = 0;
        }
        ++channel_;
    }

    const Window& window_;
    int k_ = -1000, column_ = -1, channel_ = 0;
    int first_[spatial_axes] = {}, tap_[spatial_axes] = {};
};

GPU_DEVICE int volume(const std::int32_t (&size)[spatial_axes]) {
    return size[0] * size[1] * size[2];
}

}  // namespace lapidary::cuda
