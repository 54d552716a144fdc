// SPDX-License-Identifier: Apache-2.0
#include "kernels/vector/convolution/winograd.h"

#include <hwy/highway.h>

#include "kernels/vector/math.h"

namespace lapidary::LAPIDARY_ISA {
namespace {

#if HWY_TARGET == HWY_AVX3
constexpr int most_rows = 14;
#elif HWY_ARCH_ARM_A64
constexpr int most_rows = 12;
#else
constexpr int most_rows = 6;
#endif

constexpr std::int64_t u_ahead = 4096;  // elements: far enough ahead to hide the latency of memory

// One-dimensional transforms, elements `s` apart on either side.

template <int m, class D, class V = hn::Vec<D>>
HWY_INLINE void transform_input(D d, const V* x, V* y, int s) {
    const V x0 = x[0], x1 = x[s], x2 = x[2 * s], x3 = x[3 * s];
    if constexpr (m == 4) {
        const V x4 = x[4 * s], x5 = x[5 * s], four = hn::Set(d, 4.0f), five = hn::Set(d, 5.0f),
                two = hn::Set(d, 2.0f);
        const V a = hn::NegMulAdd(four, x2, x4), b = hn::NegMulAdd(four, x1, x3),
                c = hn::Sub(x4, x2), e = hn::Mul(two, hn::Sub(x3, x1));
        y[0] = hn::MulAdd(four, x0, hn::NegMulAdd(five, x2, x4));
        y[s] = hn::Add(a, b);
        y[2 * s] = hn::Sub(a, b);
        y[3 * s] = hn::Add(c, e);
        y[4 * s] = hn::Sub(c, e);
        y[5 * s] = hn::MulAdd(four, x1, hn::NegMulAdd(five, x3, x5));
    } else {
        y[0] = hn::Sub(x0, x2);
        y[s] = hn::Add(x1, x2);
        y[2 * s] = hn::Sub(x2, x1);
        y[3 * s] = hn::Sub(x1, x3);
    }
}

template <int m, class D, class V = hn::Vec<D>>
HWY_INLINE void transform_output(D d, const V* x, int s, V* y, int t) {
    const V x0 = x[0], x1 = x[s], x2 = x[2 * s], x3 = x[3 * s];
    if constexpr (m == 4) {
        const V x4 = x[4 * s], x5 = x[5 * s];
        const V p = hn::Add(x1, x2), q = hn::Sub(x1, x2), r = hn::Add(x3, x4), u = hn::Sub(x3, x4);
        y[0] = hn::Add(hn::Add(x0, p), r);
        y[t] = hn::MulAdd(hn::Set(d, 2.0f), u, q);
        y[2 * t] = hn::MulAdd(hn::Set(d, 4.0f), r, p);
        y[3 * t] = hn::Add(hn::MulAdd(hn::Set(d, 8.0f), u, q), x5);
    } else {
        y[0] = hn::Add(hn::Add(x0, x1), x2);
        y[t] = hn::Sub(hn::Sub(x1, x2), x3);
    }
}

template <int m, class D, class V = hn::Vec<D>>
HWY_INLINE void transform_filter(D d, const V* x, int s, V* y, int t) {
    const V x0 = x[0], x1 = x[s], x2 = x[2 * s];
    if constexpr (m == 4) {
        const V sixth = hn::Set(d, -1.0f / 6), small = hn::Set(d, 1.0f / 24),
                middle = hn::Mul(x1, hn::Set(d, 1.0f / 12));
        const V outer = hn::Mul(hn::Add(x0, x2), sixth), inner = hn::Mul(x1, sixth);
        const V far = hn::MulAdd(small, x0, hn::Mul(x2, hn::Set(d, 1.0f / 6)));
        y[0] = hn::Mul(x0, hn::Set(d, 0.25f));
        y[t] = hn::Add(outer, inner);
        y[2 * t] = hn::Sub(outer, inner);
        y[3 * t] = hn::Add(far, middle);
        y[4 * t] = hn::Sub(far, middle);
        y[5 * t] = x2;
    } else {
        const V half = hn::Set(d, 0.5f), outer = hn::Mul(hn::Add(x0, x2), half),
                inner = hn::Mul(x1, half);
        y[0] = x0;
        y[t] = hn::Add(outer, inner);
        y[2 * t] = hn::Sub(outer, inner);
        y[3 * t] = x2;
    }
}

template <int m, int block>
void filters_of(const float* squares, std::int64_t outputs, std::int64_t width, float* u_rows,
                std::int64_t u_stride) {
    const hn::CappedTag<float, block> d;
    using V = hn::Vec<decltype(d)>;
    constexpr int n = m + 2;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    for (std::int64_t i = 0; i < block; ++i)
        for (std::int64_t o = 0; o < width; o += lanes) {
            float* to = u_rows + i * width + o;
            if (o >= outputs) {
                for (int xi = 0; xi < n * n; ++xi) hn::StoreU(hn::Zero(d), d, to + xi * u_stride);
                continue;
            }
            const float* from = squares + (o / block * 9 * block + i) * block + o % block;
            V g[9], half[3 * n], u[n * n];
            for (int tap = 0; tap < 9; ++tap) g[tap] = hn::LoadU(d, from + tap * block * block);
            for (int column = 0; column < 3; ++column)
                transform_filter<m>(d, g + column, 3, half + column, 3);
            for (int row = 0; row < n; ++row)
                transform_filter<m>(d, half + row * 3, 1, u + row * n, 1);
            for (int xi = 0; xi < n * n; ++xi) hn::StoreU(u[xi], d, to + xi * u_stride);
        }
}

template <int m, int block>
void inputs_of(const float* x, std::int64_t image_stride, const WinogradTiles& tiles,
               std::int64_t first, std::int64_t count, float* v, std::int64_t v_stride) {
    const hn::CappedTag<float, block> d;
    using V = hn::Vec<decltype(d)>;
    constexpr int n = m + 2;
    for (std::int64_t t = first; t < first + count; ++t, v += block) {
        const std::int64_t in_image = t % tiles.per_image();
        const float* image = x + t / tiles.per_image() * image_stride;
        const std::int64_t top = in_image / tiles.columns * m - tiles.pad_top,
                           left = in_image % tiles.columns * m - tiles.pad_left;
        const bool is_inside =
            top >= 0 && left >= 0 && top + n <= tiles.height && left + n <= tiles.width;
        for (int lane = 0; lane < block; lane += static_cast<int>(hn::Lanes(d))) {
            V a[n * n], b[n * n];
            const float* corner = image + (top * tiles.width + left) * block + lane;
            if (is_inside) {
                // Prefetches for the tile after next; runs of a few lines are too short for the
                // CPU's own prefetcher.
                HWY_UNROLL(6)
                for (int i = 0; i < n; ++i)
                    for (int j = n + m; j < n + 2 * m; ++j)
                        __builtin_prefetch(corner + (i * tiles.width + j) * block);
                HWY_UNROLL(6)
                for (int i = 0; i < n; ++i) HWY_UNROLL(6)
                for (int j = 0; j < n; ++j)
                    a[i * n + j] = hn::LoadU(d, corner + (i * tiles.width + j) * block);
            } else {
                for (int i = 0; i < n; ++i)
                    for (int j = 0; j < n; ++j) {
                        const bool exists = top + i >= 0 && top + i < tiles.height &&
                                            left + j >= 0 && left + j < tiles.width;
                        a[i * n + j] = exists ? hn::LoadU(d, corner + (i * tiles.width + j) * block)
                                              : hn::Zero(d);
                    }
            }
            HWY_UNROLL(6)
            for (int j = 0; j < n; ++j) transform_input<m>(d, a + j, b + j, n);
            HWY_UNROLL(6)
            for (int i = 0; i < n; ++i) transform_input<m>(d, b + i * n, a + i * n, 1);
            HWY_UNROLL(36)
            for (int xi = 0; xi < n * n; ++xi) hn::StoreU(a[xi], d, v + xi * v_stride + lane);
        }
    }
}

template <int m, int block, ActivationKind kind>
bool outputs_as(const float* from, std::int64_t m_stride, std::int64_t tile_stride,
                const WinogradTiles& tiles, std::int64_t first, std::int64_t count,
                const WinogradOutput& to) {
    const hn::CappedTag<float, block> d;
    using V = hn::Vec<decltype(d)>;
    constexpr int n = m + 2;
    Activation activation = to.activation;
    // softplus represents all uncommon activations
    if (kind != ActivationKind::softplus) activation.kind = kind;
    bool any_spoiled = false;
    for (std::int64_t t = first; t < first + count; ++t, from += tile_stride) {
        std::uint16_t& spoiled = to.spoiled[t - first] = 0;
        const std::int64_t in_image = t % tiles.per_image(), top = in_image / tiles.columns * m,
                           left = in_image % tiles.columns * m;
        const std::int64_t corner =
            t / tiles.per_image() * to.image_stride + (top * tiles.output_width + left) * block;
        const std::int64_t height = tiles.output_height - top < m ? tiles.output_height - top : m;
        const std::int64_t width = tiles.output_width - left < m ? tiles.output_width - left : m;
        for (int lane = 0; lane < block; lane += static_cast<int>(hn::Lanes(d))) {
            V a[n * n], b[m * n], y[m * m];
            HWY_UNROLL(4)
            for (int i = 0; i < m; ++i)
                for (int j = m; j < 2 * m; ++j) {
                    __builtin_prefetch(to.y + corner + (i * tiles.output_width + j) * block + lane,
                                       1);
                    if (to.sum)
                        __builtin_prefetch(to.sum + corner + (i * tiles.output_width + j) * block +
                                           lane);
                }
            HWY_UNROLL(36)
            for (int xi = 0; xi < n * n; ++xi) a[xi] = hn::LoadU(d, from + xi * m_stride + lane);
            HWY_UNROLL(6)
            for (int j = 0; j < n; ++j) transform_output<m>(d, a + j, n, b + j, n);
            HWY_UNROLL(4)
            for (int i = 0; i < m; ++i) transform_output<m>(d, b + i * n, 1, y + i * m, 1);
            // The sums of a tile are finite together: an infinity or NaN in its input is in most of
            // them.
            V probe = hn::Mul(hn::Zero(d), y[0]);
            HWY_UNROLL(16)
            for (int i = 1; i < m * m; ++i) probe = hn::MulAdd(hn::Zero(d), y[i], probe);
            if (HWY_UNLIKELY(!hn::AllTrue(d, hn::Eq(probe, hn::Zero(d))))) {
                spoiled = static_cast<std::uint16_t>(spoiled | ((1u << hn::Lanes(d)) - 1) << lane);
                any_spoiled = true;
                continue;
            }
            const V bias = to.bias ? hn::LoadU(d, to.bias + lane) : hn::Zero(d);
            const auto finish = [&](int i, int j) {
                const std::int64_t at = corner + (i * tiles.output_width + j) * block + lane;
                V value = hn::Add(y[i * m + j], bias);
                if (to.sum) value = hn::Add(value, hn::LoadU(d, to.sum + at));
                hn::StoreU(activate(d, value, activation), d, to.y + at);
            };
            if (height == m && width == m) {
                HWY_UNROLL(4)
                for (int i = 0; i < m; ++i) HWY_UNROLL(4)
                for (int j = 0; j < m; ++j) finish(i, j);
            } else {
                for (int i = 0; i < height; ++i)
                    for (int j = 0; j < width; ++j) finish(i, j);
            }
        }
    }
    return any_spoiled;
}

template <int m, int block>
bool outputs_of(const float* from, std::int64_t m_stride, std::int64_t tile_stride,
                const WinogradTiles& tiles, std::int64_t first, std::int64_t count,
                const WinogradOutput& to) {
    switch (to.activation.kind) {
    case ActivationKind::none:
        return outputs_as<m, block, ActivationKind::none>(from, m_stride, tile_stride, tiles, first,
                                                          count, to);
    case ActivationKind::relu:
        return outputs_as<m, block, ActivationKind::relu>(from, m_stride, tile_stride, tiles, first,
                                                          count, to);
    default:
        return outputs_as<m, block, ActivationKind::softplus>(from, m_stride, tile_stride, tiles,
                                                              first, count, to);
    }
}

/// `rows` tiles times `vectors` vectors of a panel of that width, sums in registers. U is fetched
/// `ahead` elements before its use.
template <int rows, int vectors, int block>
void multiply_rows(const float* v, std::int64_t block_stride, std::int64_t blocks, const float* u,
                   std::int64_t width, std::int64_t ahead, float* m) {
    const hn::ScalableTag<float> d;
    using V = hn::Vec<decltype(d)>;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    V sum[rows][vectors];
    HWY_UNROLL(16)
    for (int r = 0; r < rows; ++r)
        for (int j = 0; j < vectors; ++j) sum[r][j] = hn::Zero(d);
    for (std::int64_t b = 0; b < blocks; ++b, v += block_stride) {
        HWY_UNROLL(2)
        for (int k = 0; k < block; ++k, u += width) {
            V w[vectors];
            for (int j = 0; j < vectors; ++j) {
                w[j] = hn::LoadU(d, u + j * lanes);
                __builtin_prefetch(u + ahead + j * lanes, 0, 2);
            }
            HWY_UNROLL(16)
            for (int r = 0; r < rows; ++r) {
                const V a = hn::Set(d, v[r * block + k]);
                for (int j = 0; j < vectors; ++j) sum[r][j] = hn::MulAdd(a, w[j], sum[r][j]);
            }
        }
    }
    HWY_UNROLL(16)
    for (int r = 0; r < rows; ++r)
        for (int j = 0; j < vectors; ++j) hn::StoreU(sum[r][j], d, m + r * width + j * lanes);
}

template <int vectors, int block>
void multiply_panel(const float* v, std::int64_t tiles, std::int64_t inputs, const float* u,
                    std::int64_t width, float* m) {
    using Rows = void (*)(const float*, std::int64_t, std::int64_t, const float*, std::int64_t,
                          std::int64_t, float*);
#define LAPIDARY_ROWS(n) \
    (n <= most_rows ? &multiply_rows<(n <= most_rows ? n : 1), vectors, block> : nullptr)
    static constexpr Rows table[] = {LAPIDARY_ROWS(1),  LAPIDARY_ROWS(2),  LAPIDARY_ROWS(3),
                                     LAPIDARY_ROWS(4),  LAPIDARY_ROWS(5),  LAPIDARY_ROWS(6),
                                     LAPIDARY_ROWS(7),  LAPIDARY_ROWS(8),  LAPIDARY_ROWS(9),
                                     LAPIDARY_ROWS(10), LAPIDARY_ROWS(11), LAPIDARY_ROWS(12),
                                     LAPIDARY_ROWS(13), LAPIDARY_ROWS(14)};
#undef LAPIDARY_ROWS
    const auto step = vectors * static_cast<std::int64_t>(hn::Lanes(hn::ScalableTag<float>()));
    // Even pieces: a last one of few rows would be slow.
    for (std::int64_t pieces = (tiles + most_rows - 1) / most_rows, t = 0; pieces > 0; --pieces) {
        const std::int64_t rows = (tiles - t + pieces - 1) / pieces;
        // The first pass over the panel meets it in L3 or memory, the others in L2.
        for (std::int64_t c = 0; c < width; c += step)
            table[rows - 1](v + t * block, tiles * block, inputs / block, u + c, width,
                            t == 0 ? u_ahead : 0, m + t * width + c);
        t += rows;
    }
}

// The table's entries, chosen once per call.

void filters(const float* squares, std::int64_t m, std::int64_t block, std::int64_t outputs,
             std::int64_t width, float* u_rows, std::int64_t u_stride) {
    const auto run = m == 4 ? (block == 16 ? &filters_of<4, 16> : &filters_of<4, 8>)
                            : (block == 16 ? &filters_of<2, 16> : &filters_of<2, 8>);
    run(squares, outputs, width, u_rows, u_stride);
}

void inputs(const float* x, std::int64_t image_stride, const WinogradTiles& tiles,
            std::int64_t first, std::int64_t count, float* v, std::int64_t v_stride) {
    const auto run = tiles.m == 4 ? (tiles.block == 16 ? &inputs_of<4, 16> : &inputs_of<4, 8>)
                                  : (tiles.block == 16 ? &inputs_of<2, 16> : &inputs_of<2, 8>);
    run(x, image_stride, tiles, first, count, v, v_stride);
}

bool outputs(const float* from, std::int64_t m_stride, std::int64_t tile_stride,
             const WinogradTiles& tiles, std::int64_t first, std::int64_t count,
             const WinogradOutput& to) {
    const auto run = tiles.m == 4 ? (tiles.block == 16 ? &outputs_of<4, 16> : &outputs_of<4, 8>)
                                  : (tiles.block == 16 ? &outputs_of<2, 16> : &outputs_of<2, 8>);
    return run(from, m_stride, tile_stride, tiles, first, count, to);
}

void multiply(const float* v, std::int64_t tiles, std::int64_t inputs, std::int64_t block,
              const float* u, std::int64_t width, float* m) {
    const bool is_wide = width > static_cast<std::int64_t>(hn::Lanes(hn::ScalableTag<float>()));
    const auto run = is_wide ? (block == 16 ? &multiply_panel<2, 16> : &multiply_panel<2, 8>)
                             : (block == 16 ? &multiply_panel<1, 16> : &multiply_panel<1, 8>);
    run(v, tiles, inputs, u, width, m);
}

}  // namespace

const WinogradKernels& winograd_kernels() {
    constexpr std::int64_t two_vectors = 2 * hn::MaxLanes(hn::ScalableTag<float>());
    static constexpr WinogradKernels table{two_vectors < 16 ? 16 : two_vectors, &filters, &inputs,
                                           &multiply, &outputs};
    return table;
}

}  // namespace lapidary::LAPIDARY_ISA
