// SPDX-License-Identifier: Apache-2.0
// A convolution of halves with channels last, and its expected result.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "gpu.h"
#include "kernels/convolution/convolution.h"

namespace lapidary::cuda {

inline std::vector<half_t> halves(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> in(-1, 1);
    std::vector<half_t> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(to_half(in(random)));
    return values;
}

inline std::size_t elements(int a, int b = 1, int c = 1) {
    return static_cast<std::size_t>(a) * static_cast<std::size_t>(b) * static_cast<std::size_t>(c);
}

inline float activated(const Epilogue& e, float v) {
    switch (e.activation) {
    case Op::relu: return std::max(v, 0.0f);
    case Op::clip: return std::clamp(v, e.activation_alpha, e.activation_beta);
    case Op::silu: return v / (1 + std::exp(-v));
    case Op::hard_swish: return v * std::clamp(v / 6 + 0.5f, 0.0f, 1.0f);
    case Op::leaky_relu: return v < 0 ? e.activation_alpha * v : v;
    default: return v;
    }
}

/// Images of 5 x 6 pixels, windows of 3 x 2 or, if they are 1 high, of 1 x 1.
struct ConvolutionProblem {
    ConvolutionArgs args;
    std::vector<half_t> x, w, bias, residual;

    ConvolutionProblem(int batch, int groups, int channels, int filters, int kernel_height = 3) {
        args.type = 10;
        args.channels_last = true;
        args.batch = batch;
        args.groups = groups;
        args.channels = channels;
        args.filters = filters;
        Window& win = args.window;
        win.input[1] = 5;
        win.input[2] = 6;
        win.kernel[1] = kernel_height;
        win.kernel[2] = kernel_height == 1 ? 1 : 2;
        if (kernel_height > 1) {
            win.pad[1] = 2;
            win.pad[2] = 1;
            win.dilation[1] = 2;
            win.stride[2] = 2;
        }
        for (int axis = 1; axis < spatial_axes; ++axis)
            win.output[axis] = (win.input[axis] + 2 * win.pad[axis] -
                                win.dilation[axis] * (win.kernel[axis] - 1) - 1) /
                                   win.stride[axis] +
                               1;
        x = halves(elements(batch * 30, groups * channels), 1);
        w = halves(elements(groups * filters, channels, win.kernel[1] * win.kernel[2]), 2);
        bias = halves(elements(groups * filters), 3);
        residual = halves(elements(rows(), groups * filters), 4);
        for (half_t& v : w) v = to_half(to_float(v) / 4);
        args.x = x.data();
        args.w = w.data();
        args.epilogue.bias = bias.data();
        args.epilogue.bias_column = 1;
    }
    int rows() const { return args.batch * args.window.output[1] * args.window.output[2]; }

    float expected(int row, int filter) const {
        const Window& win = args.window;
        const int image = row / (win.output[1] * win.output[2]),
                  of_y = row / win.output[2] % win.output[1];
        const int of_z = row % win.output[2], group = filter / args.filters;
        double sum = 0;
        for (int i = 0; i < win.kernel[1]; ++i)
            for (int j = 0; j < win.kernel[2]; ++j) {
                const int y = of_y * win.stride[1] - win.pad[1] + i * win.dilation[1];
                const int z = of_z * win.stride[2] - win.pad[2] + j * win.dilation[2];
                if (y < 0 || y >= win.input[1] || z < 0 || z >= win.input[2]) continue;
                for (int c = 0; c < args.channels; ++c) {
                    const int pixel = (image * win.input[1] + y) * win.input[2] + z;
                    const int tap =
                        ((group * win.kernel[1] + i) * win.kernel[2] + j) * args.channels + c;
                    const int channel = group * args.channels + c;
                    sum +=
                        double{
                            to_float(x[elements(pixel * args.groups * args.channels + channel)])} *
                        double{to_float(w[elements(tap * args.filters + filter % args.filters)])};
                }
            }
        const Epilogue& e = args.epilogue;
        float v = e.alpha * static_cast<float>(sum);
        if (e.bias) v += e.beta * to_float(bias[elements(filter)]);
        const float more =
            e.residual ? to_float(residual[elements(row * args.groups * args.filters + filter)])
                       : 0.0f;
        return e.activates_before_residual ? activated(e, v) + more : activated(e, v + more);
    }

    /// The largest difference from the expected results.
    double error_of(const std::vector<half_t>& y) const {
        double worst = 0;
        for (int row = 0; row < rows(); ++row)
            for (int filter = 0; filter < args.groups * args.filters; ++filter) {
                const double got = to_float(y[elements(row * args.groups * args.filters + filter)]);
                const double error = std::abs(got - double{expected(row, filter)});
                if (!(error <= worst)) worst = std::isnan(error) ? INFINITY : error;
            }
        return worst;
    }
};

}  // namespace lapidary::cuda
