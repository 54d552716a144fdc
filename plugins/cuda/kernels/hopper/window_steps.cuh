// SPDX-License-Identifier: Apache-2.0
// Windows of a convolution with channels last as rows of a product. Along k lie the channels of the
// window's taps, one tap after the other; a step along k takes as many channels as a row of a tile
// holds.
#pragma once

#include "gpu_hopper.h"
#include "kernels/convolution/convolution.h"

namespace lapidary::cuda {

struct WindowSteps {
    static constexpr int channels = 64;                  // of a step
    int pixels_along, pixels;                            // of a row and of an image of the output
    int row_step, column_step, first_row, first_column;  // of windows, as WindowShape has them
    int kernel_along, row_dilation, column_dilation;
    int of_channels;  // steps for one tap of the window
};

inline WindowSteps window_steps_of(const ConvolutionArgs& args) {
    const Window& win = args.window;
    return {.pixels_along = win.output[2],
            .pixels = win.output[1] * win.output[2],
            .row_step = win.stride[1],
            .column_step = win.stride[2],
            .first_row = -win.pad[1],
            .first_column = -win.pad[2],
            .kernel_along = win.kernel[2],
            .row_dilation = win.dilation[1],
            .column_dilation = win.dilation[2],
            .of_channels = args.channels / WindowSteps::channels};
}

/// Copies the windows of a tile, one step after the other. The tile begins at pixel `pixel` among
/// all outputs. By one thread.
class WindowCopies {
public:
    GPU_METHOD WindowCopies(const WindowSteps& windows, int pixel) : windows_(windows) {
        const int image = pixel / windows.pixels, rest = pixel - image * windows.pixels;
        const int down = rest / windows.pixels_along, along = rest - down * windows.pixels_along;
        place_ = {image, down * windows.row_step + windows.first_row,
                  along * windows.column_step + windows.first_column};
    }
    GPU_METHOD void begin_at(int step) {
        const int tap = step / windows_.of_channels;
        channel_ = step - tap * windows_.of_channels;
        down_ = tap / windows_.kernel_along;
        along_ = tap - down_ * windows_.kernel_along;
    }
    /// Copies this step and moves on to the next one.
    GPU_METHOD void copy(void* to, const TileMap& x, barrier_t* full) {
        copy_windows(to, x, place_, down_ * windows_.row_dilation,
                     along_ * windows_.column_dilation, channel_ * WindowSteps::channels, full);
        if (++channel_ < windows_.of_channels) return;
        channel_ = 0;
        if (++along_ < windows_.kernel_along) return;
        along_ = 0;
        ++down_;
    }

private:
    const WindowSteps& windows_;
    WindowPlace place_;
    int channel_ = 0, along_ = 0, down_ = 0;
};

}  // namespace lapidary::cuda
