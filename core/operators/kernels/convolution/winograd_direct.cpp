// SPDX-License-Identifier: Apache-2.0
#include "kernels/convolution/winograd_direct.h"

#include <algorithm>
#include <array>

#include "kernels/vector/elementwise/activation.h"

namespace lapidary::winograd {
namespace {

/// The filter of 3 taps that the one-dimensional transform to m + 2 values came from.
template <typename Value>
std::array<float, 3> taps_of(std::int64_t m, const Value& value) {
    if (m == 4) return {4 * value(0), 3 * (value(2) - value(1)), value(5)};
    return {value(0), value(1) - value(2), value(3)};
}

std::array<std::array<float, 3>, 3> filter_of(std::int64_t m, const float* u,
                                              std::int64_t u_stride) {
    const std::int64_t n = m + 2;
    std::array<std::array<float, 3>, 6> rows;  // transformed along the height only
    for (std::int64_t i = 0; i < n; ++i)
        rows[static_cast<std::size_t>(i)] =
            taps_of(m, [&](std::int64_t j) { return u[(i * n + j) * u_stride]; });
    std::array<std::array<float, 3>, 3> filter;
    for (std::size_t column = 0; column < 3; ++column) {
        const auto taps =
            taps_of(m, [&](std::int64_t i) { return rows[static_cast<std::size_t>(i)][column]; });
        for (std::size_t row = 0; row < 3; ++row) filter[row][column] = taps[row];
    }
    return filter;
}

}  // namespace

void write_direct_tile(const float* x, std::int64_t image_stride, const WinogradTiles& t,
                       std::int64_t tile, const TransformedFilters& filters, unsigned channels,
                       const WinogradOutput& to) {
    constexpr std::int64_t most = 4;
    const std::int64_t image = tile / t.per_image(), top = tile % t.per_image() / t.columns * t.m,
                       left = tile % t.columns * t.m;
    const std::int64_t height = std::min(t.m, t.output_height - top),
                       width = std::min(t.m, t.output_width - left);
    const std::int64_t plane = t.height * t.width * t.block;
    for (std::int64_t lane = 0; lane < t.block; ++lane) {
        if ((channels >> lane & 1) == 0) continue;
        float sums[most][most] = {};
        for (std::int64_t c = 0; c < filters.inputs; ++c) {
            const auto filter =
                filter_of(t.m, filters.u + c * filters.width + lane, filters.u_stride);
            const float* from = x + image * image_stride + c / t.block * plane + c % t.block;
            for (std::int64_t i = 0; i < height; ++i)
                for (std::int64_t j = 0; j < width; ++j)
                    for (std::int64_t ky = 0; ky < 3; ++ky)
                        for (std::int64_t kx = 0; kx < 3; ++kx) {
                            const std::int64_t row = top + i + ky - t.pad_top,
                                               column = left + j + kx - t.pad_left;
                            if (row < 0 || row >= t.height || column < 0 || column >= t.width)
                                continue;
                            sums[i][j] +=
                                filter[static_cast<std::size_t>(ky)][static_cast<std::size_t>(kx)] *
                                from[(row * t.width + column) * t.block];
                        }
        }
        for (std::int64_t i = 0; i < height; ++i)
            for (std::int64_t j = 0; j < width; ++j) {
                const std::int64_t at = image * to.image_stride +
                                        ((top + i) * t.output_width + left + j) * t.block + lane;
                float value = sums[i][j] + (to.bias ? to.bias[lane] : 0);
                if (to.sum) value += to.sum[at];
                activation_kernels().apply(&value, to.y + at, 1, to.activation);
            }
    }
}

}  // namespace lapidary::winograd
