// SPDX-License-Identifier: Apache-2.0
#include "kernels/vector/convolution/depthwise_convolution.h"

#include <hwy/highway.h>

#include "kernels/vector/elementwise/activation.h"
#include "kernels/vector/math.h"

#define LAPIDARY_UNROLL _Pragma("GCC unroll 32")

namespace lapidary::LAPIDARY_ISA {
namespace hn = hwy::HWY_NAMESPACE;
namespace {

constexpr int most_pixels = 8;

/// Neighbouring tiles of up to 8 pixels of a row, of one vector of channels.
struct Tiles {
    std::int64_t count;
    // what the first tap of the first pixel reads, may lie left of the image
    const float* input;
    std::int64_t column;  // its column
    std::int64_t width;   // of the image
    // floats from tap row to tap row; columns from tap to tap and pixel to pixel
    std::int64_t tap_row, tap_column, pixel;
    std::int64_t rows, columns;  // of taps
    const float* weight;
    const float* bias;
    const float* sum;
    float* output;
    bool clamps;
    float low, high;
};

/// The epilogue of a tile. Holds copies, because the compiler must assume that vector stores change
/// the originals.
template <int B>
struct Finish {
    using D = hn::CappedTag<float, B>;
    using V = hn::Vec<D>;
    const float* sum;
    float* output;
    bool clamps;
    V low, high;

    explicit HWY_INLINE Finish(const Tiles& t)
        : sum(t.sum), output(t.output), clamps(t.clamps), low(hn::Set(D(), t.low)),
          high(hn::Set(D(), t.high)) {}

    template <int P>
    HWY_INLINE void store(V (&y)[P]) {
        const D d;
        if (sum) {
            LAPIDARY_UNROLL for (int p = 0; p < P; ++p) y[p] =
                hn::Add(y[p], hn::LoadU(d, sum + p * B));
            sum += P * B;
        }
        if (clamps) {
            LAPIDARY_UNROLL for (int p = 0; p < P; ++p) y[p] = at_most(at_least(y[p], low), high);
        }
        LAPIDARY_UNROLL for (int p = 0; p < P; ++p) hn::StoreU(y[p], d, output + p * B);
        output += P * B;
    }
};

template <class D>
HWY_INLINE hn::Vec<D> start(D d, const Tiles& t) {
    return t.bias ? hn::LoadU(d, t.bias) : hn::Zero(d);
}

/// Adds the products of input x with the K taps in `w` of the pixels that read it.
template <int K, int stride, int P, class V>
HWY_INLINE void add_products(V (&acc)[P], V v, const V* w, int x) {
    LAPIDARY_UNROLL for (int k = 0; k < K;
                         ++k) if ((x - k) >= 0 && (x - k) % stride == 0 && (x - k) / stride < P)
        acc[(x - k) / stride] = hn::MulAdd(v, w[k], acc[(x - k) / stride]);
}

/// K taps a row, pixels `stride` apart. `edge`: one tile, less than K of whose inputs on either
/// side lie outside of the image.
template <int B, int K, int stride, bool edge, int P>
HWY_NOINLINE void sum_row(const Tiles& t) {
    const hn::CappedTag<float, B> d;
    using V = hn::Vec<decltype(d)>;
    constexpr int reach = (P - 1) * stride + K;
    const V bias = start(d, t);
    Finish<B> finish(t);
    const std::int64_t tap_row = t.tap_row, rows = t.rows, column = t.column, width = t.width;
    const float *input = t.input, *const weights = t.weight;
    for (std::int64_t tile = edge ? 1 : t.count; tile > 0; --tile, input += P * stride * B) {
        V acc[P];
        LAPIDARY_UNROLL for (int p = 0; p < P; ++p) acc[p] = bias;
        const float *row = input, *weight = weights;
        for (std::int64_t ky = 0; ky < rows; ++ky, row += tap_row, weight += K * B) {
            V w[K];
            LAPIDARY_UNROLL for (int k = 0; k < K; ++k) w[k] = hn::LoadU(d, weight + k * B);
            LAPIDARY_UNROLL for (int x = 0; x < reach; ++x) {
                if (edge && (x < K - 1 || x >= reach - (K - 1)) &&
                    (column + x < 0 || column + x >= width))
                    continue;
                add_products<K, stride>(acc, hn::LoadU(d, row + x * B), w, x);
            }
        }
        finish.store(acc);
    }
}

/// Tiles whose K x K taps are all inside the image, with the weights in registers.
template <int B, int K, int stride, int P>
HWY_NOINLINE void sum_whole(const Tiles& t) {
    const hn::CappedTag<float, B> d;
    using V = hn::Vec<decltype(d)>;
    constexpr int reach = (P - 1) * stride + K;
    const V bias = start(d, t);
    Finish<B> finish(t);
    const std::int64_t tap_row = t.tap_row;
    const float* input = t.input;
    V w[K][K];
    LAPIDARY_UNROLL for (int k = 0; k < K * K; ++k) w[k / K][k % K] =
        hn::LoadU(d, t.weight + k * B);
    for (std::int64_t tile = t.count; tile > 0; --tile, input += P * stride * B) {
        V acc[P];
        LAPIDARY_UNROLL for (int p = 0; p < P; ++p) acc[p] = bias;
        LAPIDARY_UNROLL for (int ky = 0; ky < K; ++ky)
            LAPIDARY_UNROLL for (int x = 0; x < reach; ++x)
                add_products<K, stride>(acc, hn::LoadU(d, input + ky * tap_row + x * B), w[ky], x);
        finish.store(acc);
    }
}

/// Any window; P pixels of one tile.
template <int B, int P>
HWY_NOINLINE void sum_any(const Tiles& t) {
    const hn::CappedTag<float, B> d;
    using V = hn::Vec<decltype(d)>;
    const V bias = start(d, t);
    Finish<B> finish(t);
    V acc[P];
    LAPIDARY_UNROLL for (int p = 0; p < P; ++p) acc[p] = bias;
    const std::int64_t pixel = t.pixel, last = (P - 1) * pixel;
    const float* row = t.input;
    for (std::int64_t ky = 0; ky < t.rows; ++ky, row += t.tap_row)
        for (std::int64_t kx = 0; kx < t.columns; ++kx) {
            const V w = hn::LoadU(d, t.weight + (ky * t.columns + kx) * B);
            const std::int64_t x = kx * t.tap_column, column = t.column + x;
            if (column >= 0 && column + last < t.width) {
                LAPIDARY_UNROLL for (int p = 0; p < P; ++p) acc[p] =
                    hn::MulAdd(hn::LoadU(d, row + (x + p * pixel) * B), w, acc[p]);
            } else {
                LAPIDARY_UNROLL for (int p = 0; p < P; ++p) if (column + p * pixel >= 0 &&
                                                                column + p * pixel < t.width)
                    acc[p] = hn::MulAdd(hn::LoadU(d, row + (x + p * pixel) * B), w, acc[p]);
            }
        }
    finish.store(acc);
}

using SumTiles = void (*)(const Tiles&);

/// Indexed by pixels - 1.
#define LAPIDARY_PIXELS(function, ...)                                                       \
    {                                                                                        \
        &function<__VA_ARGS__, 1>, &function<__VA_ARGS__, 2>, &function<__VA_ARGS__, 3>,     \
            &function<__VA_ARGS__, 4>, &function<__VA_ARGS__, 5>, &function<__VA_ARGS__, 6>, \
            &function<__VA_ARGS__, 7>, &function<__VA_ARGS__, 8>                             \
    }
template <int B, int K, int stride>
constexpr SumTiles inside_tiles[] = LAPIDARY_PIXELS(sum_row, B, K, stride, false);
template <int B, int K, int stride>
constexpr SumTiles edge_tiles[] = LAPIDARY_PIXELS(sum_row, B, K, stride, true);
template <int B, int K, int stride>
constexpr SumTiles whole_tiles[] = LAPIDARY_PIXELS(sum_whole, B, K, stride);
template <int B>
constexpr SumTiles any_tiles[] = LAPIDARY_PIXELS(sum_any, B);
#undef LAPIDARY_PIXELS

struct Functions {
    const SumTiles* edge;  // one tile
    // any number of tiles whose taps lie inside of the image; null: tile by tile with `edge`
    const SumTiles* inside;
    const SumTiles* whole;  // the same with all rows of taps
};

template <int B, int K, int stride>
Functions row_functions() {
    return {edge_tiles<B, K, stride>, inside_tiles<B, K, stride>, inside_tiles<B, K, stride>};
}

template <int B>
Functions choose_functions(const DepthwiseConvolution& c) {
    if (c.dilation[1] == 1) {
#if HWY_TARGET == HWY_AVX3 || HWY_ARCH_ARM_A64
        const bool is_square = c.kernel[0] == 3 && c.kernel[1] == 3;
        if (is_square && c.stride[1] == 1)
            return {edge_tiles<B, 3, 1>, inside_tiles<B, 3, 1>, whole_tiles<B, 3, 1>};
        if (is_square && c.stride[1] == 2)
            return {edge_tiles<B, 3, 2>, inside_tiles<B, 3, 2>, whole_tiles<B, 3, 2>};
#endif
        if (c.stride[1] == 1 && c.kernel[1] == 3) return row_functions<B, 3, 1>();
        if (c.stride[1] == 2 && c.kernel[1] == 3) return row_functions<B, 3, 2>();
        if (c.stride[1] == 1 && c.kernel[1] == 5) return row_functions<B, 5, 1>();
        if (c.stride[1] == 2 && c.kernel[1] == 5) return row_functions<B, 5, 2>();
    }
    return {any_tiles<B>, nullptr, nullptr};
}

bool is_clamp(const Activation& a) {
    return a.kind == ActivationKind::relu || a.kind == ActivationKind::clip;
}

/// Values that all tiles of the convolution share.
Tiles tiles_of(const DepthwiseConvolution& c) {
    const bool is_relu = c.activation.kind == ActivationKind::relu;
    Tiles t;
    t.width = c.input_size[1];
    t.tap_row = c.dilation[0] * c.input_size[1] * c.block;
    t.tap_column = c.dilation[1];
    t.pixel = c.stride[1];
    t.columns = c.kernel[1];
    t.clamps = is_clamp(c.activation);
    t.low = is_relu ? 0.0f : c.activation.alpha;
    t.high = is_relu ? __builtin_huge_valf() : c.activation.beta;
    return t;
}

/// Cuts a line of outputs into equal tiles; the last one may be smaller.
struct LineCut {
    std::int64_t width, tiles, each;
    explicit LineCut(std::int64_t outputs)
        : width(outputs), tiles((outputs + most_pixels - 1) / most_pixels),
          each((outputs + tiles - 1) / tiles) {}

    /// At most the first and the last tile have taps outside of the image.
    bool fits(const DepthwiseConvolution& c) const {
        const std::int64_t reach = (c.kernel[1] - 1) * c.dilation[1],
                           overhang =
                               (width - 1) * c.stride[1] - c.pad[1] + reach + 1 - c.input_size[1];
        return c.pad[1] < c.kernel[1] && overhang < c.kernel[1] && each * c.stride[1] >= c.pad[1] &&
               (width - (tiles - 1) * each) * c.stride[1] >= overhang;
    }
};

/// Rows [first, end) of taps that lie inside of the image when the first row of taps is at `top`.
struct TapRows {
    std::int64_t first, end;
    TapRows(const DepthwiseConvolution& c, std::int64_t top)
        : first(top < 0 ? (-top + c.dilation[0] - 1) / c.dilation[0] : 0),
          end(top >= c.input_size[0] ? 0 : (c.input_size[0] - 1 - top) / c.dilation[0] + 1) {
        if (end > c.kernel[0]) end = c.kernel[0];
        if (first > end) first = end;
    }
};

template <int B>
void run_block(const DepthwiseConvolution& c, const DepthwiseTask& task) {
    constexpr int lanes = static_cast<int>(hn::MaxLanes(hn::CappedTag<float, B>()));
    const bool activates = c.activation && !is_clamp(c.activation);
    const std::int64_t input_row = c.input_size[1] * B, tap_row = c.kernel[1] * B;
    const LineCut cut(c.output_width);
    const std::int64_t width = cut.width, tiles = cut.tiles, each = cut.each;
    const Functions functions =
        cut.fits(c) ? choose_functions<B>(c) : Functions{any_tiles<B>, nullptr, nullptr};
    const std::int64_t inside_begin = c.pad[1] > 0 || tiles == 1 ? 1 : 0, inside_end = tiles - 1;
    Tiles t = tiles_of(c);
    for (std::int64_t y = task.first_row; y < task.end_row; ++y) {
        const std::int64_t top = y * c.stride[0] - c.pad[0];
        const TapRows taps(c, top);
        const std::int64_t first = taps.first;
        t.rows = taps.end - first;
        const float* const row = task.input + (top + first * c.dilation[0]) * input_row;
        for (int v = 0; v < B; v += lanes) {
            const auto sum = [&](SumTiles function, std::int64_t x, std::int64_t count) {
                const std::int64_t to = (y * c.output_width + x) * B + v;
                t.count = count;
                t.column = x * c.stride[1] - c.pad[1];
                t.input = row + t.column * B + v;
                t.weight = task.weight + first * tap_row + v;
                t.bias = task.bias ? task.bias + v : nullptr;
                t.sum = task.sum ? task.sum + to : nullptr;
                t.output = task.output + to;
                function(t);
            };
            const auto sum_edge = [&](std::int64_t tile) {
                const std::int64_t x = tile * each, pixels = width - x < each ? width - x : each;
                sum(functions.edge[pixels - 1], x, 1);
            };
            if (!functions.inside) {
                for (std::int64_t tile = 0; tile < tiles; ++tile) sum_edge(tile);
                continue;
            }
            if (inside_begin == 1) sum_edge(0);
            if (inside_begin < inside_end)
                sum((t.rows == c.kernel[0] ? functions.whole : functions.inside)[each - 1],
                    inside_begin * each, inside_end - inside_begin);
            if (tiles > 1) sum_edge(tiles - 1);
        }
        if (activates) {
            float* const to = task.output + y * c.output_width * B;
            activation_kernels().apply(to, to, c.output_width * B, c.activation);
        }
    }
}

void run(const DepthwiseConvolution& c, const DepthwiseTask& task) {
    c.block == 16 ? run_block<16>(c, task) : run_block<8>(c, task);
}

}  // namespace

const DepthwiseConvolutionKernels& depthwise_convolution_kernels() {
    static constexpr DepthwiseConvolutionKernels table{&run};
    return table;
}

}  // namespace lapidary::LAPIDARY_ISA
