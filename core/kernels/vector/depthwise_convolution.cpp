// SPDX-License-Identifier: Apache-2.0
#include "kernels/vector/depthwise_convolution.h"

#include <hwy/highway.h>

#include "kernels/vector/activation.h"

#define LAPIDARY_UNROLL _Pragma("GCC unroll 32")

namespace lapidary::LAPIDARY_ISA {
namespace hn = hwy::HWY_NAMESPACE;
namespace {

constexpr int most_pixels = 8;

/// One tile: up to 8 pixels of a row of one vector of channels.
struct Tile {
    const float* input;                    // what the first tap of the first pixel reads, may lie left of the image
    std::int64_t column;                   // its column
    std::int64_t width;                    // of the image
    std::int64_t tap_row, tap_column, pixel;  // floats from tap row to tap row; columns from tap to tap and pixel to pixel
    std::int64_t rows, columns;            // of taps
    const float* weight;
    const float* bias;
    const float* sum;
    float* output;
    bool clamps;
    float low, high;
};

template <int B, class D, class V = hn::Vec<D>>
HWY_INLINE V start(D d, const Tile& t) {
    return t.bias ? hn::LoadU(d, t.bias) : hn::Zero(d);
}

template <int B, class D, class V>
HWY_INLINE void finish(D d, const Tile& t, int p, V y) {
    if (t.sum) y = hn::Add(y, hn::LoadU(d, t.sum + p * B));
    if (t.clamps) y = hn::Min(hn::Set(d, t.high), hn::Max(hn::Set(d, t.low), y));
    hn::StoreU(y, d, t.output + p * B);
}

/// P pixels of K taps a row, `stride` apart. `edge`: some taps lie outside of the image.
template <int B, int K, int stride, int P, bool edge>
HWY_NOINLINE void sum_row(const Tile& t) {
    const hn::CappedTag<float, B> d;
    using V = hn::Vec<decltype(d)>;
    constexpr int reach = (P - 1) * stride + K;
    V acc[P];
    LAPIDARY_UNROLL for (int p = 0; p < P; ++p) acc[p] = start<B>(d, t);
    const float *row = t.input, *weight = t.weight;
    for (std::int64_t ky = 0; ky < t.rows; ++ky, row += t.tap_row, weight += K * B) {
        V w[K];
        LAPIDARY_UNROLL for (int k = 0; k < K; ++k) w[k] = hn::LoadU(d, weight + k * B);
        LAPIDARY_UNROLL for (int x = 0; x < reach; ++x) {
            if (edge && (t.column + x < 0 || t.column + x >= t.width)) continue;
            const V v = hn::LoadU(d, row + x * B);
            LAPIDARY_UNROLL for (int k = 0; k < K; ++k)
                if ((x - k) >= 0 && (x - k) % stride == 0 && (x - k) / stride < P) acc[(x - k) / stride] = hn::MulAdd(v, w[k], acc[(x - k) / stride]);
        }
    }
    LAPIDARY_UNROLL for (int p = 0; p < P; ++p) finish<B>(d, t, p, acc[p]);
}

/// Any window; P pixels.
template <int B, int P>
HWY_NOINLINE void sum_any(const Tile& t) {
    const hn::CappedTag<float, B> d;
    using V = hn::Vec<decltype(d)>;
    V acc[P];
    LAPIDARY_UNROLL for (int p = 0; p < P; ++p) acc[p] = start<B>(d, t);
    const std::int64_t last = (P - 1) * t.pixel;
    const float* row = t.input;
    for (std::int64_t ky = 0; ky < t.rows; ++ky, row += t.tap_row)
        for (std::int64_t kx = 0; kx < t.columns; ++kx) {
            const V w = hn::LoadU(d, t.weight + (ky * t.columns + kx) * B);
            const std::int64_t x = kx * t.tap_column, column = t.column + x;
            if (column >= 0 && column + last < t.width) {
                LAPIDARY_UNROLL for (int p = 0; p < P; ++p) acc[p] = hn::MulAdd(hn::LoadU(d, row + (x + p * t.pixel) * B), w, acc[p]);
            } else {
                LAPIDARY_UNROLL for (int p = 0; p < P; ++p)
                    if (column + p * t.pixel >= 0 && column + p * t.pixel < t.width) acc[p] = hn::MulAdd(hn::LoadU(d, row + (x + p * t.pixel) * B), w, acc[p]);
            }
        }
    LAPIDARY_UNROLL for (int p = 0; p < P; ++p) finish<B>(d, t, p, acc[p]);
}

using SumTile = void (*)(const Tile&);

/// Indexed by pixels - 1.
template <int B, int K, int stride, bool edge>
constexpr SumTile row_tiles[] = {&sum_row<B, K, stride, 1, edge>, &sum_row<B, K, stride, 2, edge>, &sum_row<B, K, stride, 3, edge>, &sum_row<B, K, stride, 4, edge>,
                                 &sum_row<B, K, stride, 5, edge>, &sum_row<B, K, stride, 6, edge>, &sum_row<B, K, stride, 7, edge>, &sum_row<B, K, stride, 8, edge>};
template <int B>
constexpr SumTile any_tiles[] = {&sum_any<B, 1>, &sum_any<B, 2>, &sum_any<B, 3>, &sum_any<B, 4>, &sum_any<B, 5>, &sum_any<B, 6>, &sum_any<B, 7>, &sum_any<B, 8>};

struct Tiles {
    const SumTile* inside;
    const SumTile* edge;
};

template <int B>
Tiles choose_tiles(const DepthwiseConvolution& c) {
    if (c.dilation[1] == 1) {
        if (c.kernel[1] == 3 && c.stride[1] == 1) return {row_tiles<B, 3, 1, false>, row_tiles<B, 3, 1, true>};
        if (c.kernel[1] == 3 && c.stride[1] == 2) return {row_tiles<B, 3, 2, false>, row_tiles<B, 3, 2, true>};
        if (c.kernel[1] == 5 && c.stride[1] == 1) return {row_tiles<B, 5, 1, false>, row_tiles<B, 5, 1, true>};
        if (c.kernel[1] == 5 && c.stride[1] == 2) return {row_tiles<B, 5, 2, false>, row_tiles<B, 5, 2, true>};
    }
    return {any_tiles<B>, any_tiles<B>};
}

template <int B>
void run_block(const DepthwiseConvolution& c, const DepthwiseTask& task) {
    constexpr int lanes = static_cast<int>(hn::MaxLanes(hn::CappedTag<float, B>()));
    const bool is_clamp = c.activation.kind == ActivationKind::relu || c.activation.kind == ActivationKind::clip;
    const bool activates = c.activation && !is_clamp;
    const Tiles tiles = choose_tiles<B>(c);
    const std::int64_t input_row = c.input_size[1] * B, tap_row = c.kernel[1] * B, reach = (c.kernel[1] - 1) * c.dilation[1];
    const std::int64_t parts = (c.output_width + most_pixels - 1) / most_pixels;
    Tile t;
    t.width = c.input_size[1];
    t.tap_row = c.dilation[0] * input_row;
    t.tap_column = c.dilation[1];
    t.pixel = c.stride[1];
    t.columns = c.kernel[1];
    t.clamps = is_clamp;
    t.low = c.activation.kind == ActivationKind::relu ? 0.0f : c.activation.alpha;
    t.high = c.activation.kind == ActivationKind::relu ? __builtin_huge_valf() : c.activation.beta;
    for (std::int64_t y = task.first_row; y < task.end_row; ++y) {
        const std::int64_t top = y * c.stride[0] - c.pad[0];
        std::int64_t first = top < 0 ? (-top + c.dilation[0] - 1) / c.dilation[0] : 0;
        std::int64_t end = top >= c.input_size[0] ? 0 : (c.input_size[0] - 1 - top) / c.dilation[0] + 1;
        if (end > c.kernel[0]) end = c.kernel[0];
        if (first > end) first = end;
        t.rows = end - first;
        const float* const row = task.input + (top + first * c.dilation[0]) * input_row;
        for (std::int64_t i = 0, x = 0; i < parts; ++i) {
            const std::int64_t pixels = (c.output_width - x) / (parts - i), to = (y * c.output_width + x) * B;
            t.column = x * c.stride[1] - c.pad[1];
            const bool inside = t.column >= 0 && t.column + (pixels - 1) * c.stride[1] + reach < t.width;
            const SumTile sum = (inside ? tiles.inside : tiles.edge)[pixels - 1];
            for (int v = 0; v < B; v += lanes) {
                t.input = row + t.column * B + v;
                t.weight = task.weight + first * tap_row + v;
                t.bias = task.bias ? task.bias + v : nullptr;
                t.sum = task.sum ? task.sum + to + v : nullptr;
                t.output = task.output + to + v;
                sum(t);
            }
            if (activates) activation_kernels().apply(task.output + to, task.output + to, pixels * B, c.activation);
            x += pixels;
        }
    }
}

void run(const DepthwiseConvolution& c, const DepthwiseTask& task) { c.block == 16 ? run_block<16>(c, task) : run_block<8>(c, task); }

}  // namespace

const DepthwiseConvolutionKernels& depthwise_convolution_kernels() {
    static constexpr DepthwiseConvolutionKernels table{&run};
    return table;
}

}  // namespace lapidary::LAPIDARY_ISA
