// SPDX-License-Identifier: Apache-2.0
#include "kernels/vector/convolution/direct_convolution.h"

#include <utility>

#include <hwy/highway.h>

#include "kernels/vector/elementwise/activation.h"
#include "kernels/vector/math.h"

#define LAPIDARY_UNROLL _Pragma("GCC unroll 32")

namespace lapidary::LAPIDARY_ISA {
namespace hn = hwy::HWY_NAMESPACE;
namespace {

#if HWY_TARGET == HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr int registers = 32;
#else
constexpr int registers = 16;
#endif
constexpr int own_block = registers == 32 ? 16 : 8;  // that layouts for this instruction set have

/// The layout of blocks of B channels in vectors.
template <int B>
struct Shape {
    using D = hn::CappedTag<float, B>;
    static constexpr int lanes = static_cast<int>(hn::MaxLanes(D()));
    static constexpr int vectors = B / lanes;  // of one block
    /// Whether steps that occur most are compiled into the tiles, and tiles of two lines and of
    /// three blocks exist: not for files laid out for another instruction set.
    static constexpr bool compiles_steps = B == own_block;
    /// Pixels of a tile of n blocks in all its lines: sums, weights and one broadcast input fill
    /// the registers.
    static constexpr int fit(int n) { return (registers - n * vectors - 1) / (n * vectors); }
    /// Pixels of one line of a tile of one or two. Addresses of more than 14 need a step known to
    /// the compiler.
    static constexpr int pixels(int n, int lines = 1, bool knows_step = false) {
        const int each = fit(n) / lines, most = knows_step && lines == 1 ? 28 : 14;
        return each < 1 ? 2 - lines : each > most ? most : each;
    }
    /// Three blocks end an odd number of them, where tiles of two are preferred.
    static constexpr int blocks = pixels(2) >= 4 ? 2 : 1;
    static constexpr int most_blocks = compiles_steps && blocks == 2 && pixels(3) >= 4 ? 3 : blocks;
    static constexpr int most_lines = compiles_steps ? 2 : 1;
};

/// One tile: `lines` x pixels x blocks of outputs.
struct Tile {
    const float* input;
    // input: floats from line to line and pixel to pixel of the tile
    std::int64_t line, pixel;
    std::int64_t input_step, tap_row, tap_column;
    std::int64_t inputs, rows, columns;  // to be summed
    const float* weight;
    std::int64_t weight_step;  // from output block to output block
    // weights of taps left out after each row and each input
    std::int64_t row_skip, input_skip;
    const float* bias;
    // laid out as the output; added before the products or after them
    const float *first_sum, *last_sum;
    float* output;
    std::int64_t output_step, output_line, output_pixel;
    bool accumulates;  // on what the output holds
    bool clamps;
    float low, high;
    const char* next_weight;  // what to bring into the L2 cache meanwhile
    std::int64_t next_step;   // bytes from fetch to fetch; 0: nothing to bring
};

/// Keeps the broadcast in a register: as a memory operand of every product it would be loaded once
/// per product.
template <class V>
HWY_INLINE void keep_in_register([[maybe_unused]] V& v) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
    asm volatile("" : "+v"(v.raw));
#endif
}

/// The output offset of sum m (a pixel of the tile) and v (a vector of its output blocks). There
/// are P pixels in a line, and each block has `vectors` vectors of L lanes.
template <int P, int vectors, int L>
struct Places {
    std::int64_t line, pixel, block;
    HWY_INLINE std::int64_t operator()(int m, int v) const {
        return (m / P) * line + (m % P) * pixel + (v / vectors) * block + (v % vectors) * L;
    }
};

/// The initial sums of a tile: the output so far, or the bias plus the tensor that is added.
template <class D, class At, class V, int M, int NV>
HWY_INLINE void start_sums(D d, const Tile& t, const At& at, V (&acc)[M][NV]) {
    constexpr int L = static_cast<int>(hn::MaxLanes(D()));
    if (t.accumulates) {
        LAPIDARY_UNROLL for (int m = 0; m < M; ++m) LAPIDARY_UNROLL for (int v = 0; v < NV; ++v)
            acc[m][v] = hn::LoadU(d, t.output + at(m, v));
        return;
    }
    LAPIDARY_UNROLL for (int v = 0; v < NV; ++v) {
        const V bias = t.bias ? hn::LoadU(d, t.bias + v * L) : hn::Zero(d);
        LAPIDARY_UNROLL for (int m = 0; m < M; ++m) acc[m][v] = bias;
    }
    if (t.first_sum) {
        LAPIDARY_UNROLL for (int m = 0; m < M; ++m) LAPIDARY_UNROLL for (int v = 0; v < NV; ++v)
            acc[m][v] = hn::Add(acc[m][v], hn::LoadU(d, t.first_sum + at(m, v)));
    }
}

/// Stores the sums of a tile: with what is added last, within its bounds.
template <class D, class At, class V, int M, int NV>
HWY_INLINE void finish_sums(D d, const Tile& t, const At& at, V (&acc)[M][NV]) {
    if (t.last_sum) {
        LAPIDARY_UNROLL for (int m = 0; m < M; ++m) LAPIDARY_UNROLL for (int v = 0; v < NV; ++v)
            acc[m][v] = hn::Add(acc[m][v], hn::LoadU(d, t.last_sum + at(m, v)));
    }
    if (t.clamps) {
        const V low = hn::Set(d, t.low), high = hn::Set(d, t.high);
        LAPIDARY_UNROLL for (int m = 0; m < M; ++m) LAPIDARY_UNROLL for (int v = 0; v < NV; ++v)
            acc[m][v] = at_most(at_least(acc[m][v], low), high);
    }
    // what is stored there might be the tile for all that the compiler knows
    float* const output = t.output;
    LAPIDARY_UNROLL for (int m = 0; m < M; ++m) LAPIDARY_UNROLL for (int v = 0; v < NV; ++v)
        hn::StoreU(acc[m][v], d, output + at(m, v));
}

/// Brings the first vector of each block of a tile into the cache.
template <bool to_write, int M, int N, int vectors, class At>
HWY_INLINE void prefetch_tile(const float* tile, const At& at) {
    LAPIDARY_UNROLL for (int m = 0; m < M; ++m) LAPIDARY_UNROLL for (int n = 0; n < N; ++n)
        __builtin_prefetch(tile + at(m, n * vectors), to_write);
}

/// N output blocks of `lines` x P pixels. Inputs are addressed from one base per three pixels, as
/// x86 scales an index by 1 and 2, but not by 3. `step`: from pixel to pixel of the input where
/// that is known and pixels of the output lie one after the other; else 0.
template <int B, int N, int lines, int P, bool plain, int step>
HWY_NOINLINE void sum_tile(const Tile& t) {
    using S = Shape<B>;
    const typename S::D d;
    using V = hn::Vec<typename S::D>;
    constexpr int L = S::lanes, M = lines * P, NV = N * S::vectors, G = (P + 2) / 3;
    V acc[M][NV];
    const std::int64_t pixel = step ? step : t.pixel;
    const Places<P, S::vectors, L> at{t.output_line, step ? B : t.output_pixel, t.output_step};
    prefetch_tile<true, M, N, S::vectors>(t.output, at);
    start_sums(d, t, at, acc);
    if (t.last_sum && t.last_sum != t.output)
        prefetch_tile<false, M, N, S::vectors>(t.last_sum, at);
    const std::int64_t weight_step = t.weight_step;
    const float* weight = t.weight;
    const char* next = t.next_weight;
    const float* image = t.input;
    for (std::int64_t i = 0; i < t.inputs; ++i, image += t.input_step, weight += t.input_skip) {
        const float* row = image;
        for (std::int64_t ky = 0; ky < t.rows; ++ky, row += t.tap_row, weight += t.row_skip) {
            const float* tap = row;
            for (std::int64_t kx = 0; kx < t.columns; ++kx, tap += t.tap_column) {
                const float* a[lines][G];
                LAPIDARY_UNROLL for (int l = 0; l < lines; ++l)
                    LAPIDARY_UNROLL for (int g = 0; g < G; ++g) a[l][g] =
                        tap + l * t.line + 3 * g * pixel;
                const auto add_products = [&](int q) HWY_ATTR {
                    V w[NV];
                    LAPIDARY_UNROLL for (int v = 0; v < NV; ++v) w[v] = hn::LoadU(
                        d, weight + (v / S::vectors) * weight_step + q * B + (v % S::vectors) * L);
                    LAPIDARY_UNROLL for (int m = 0; m < M; ++m) {
                        V x = hn::Set(d, a[m / P][m % P / 3][(m % P % 3) * pixel + q]);
                        if constexpr (NV > 1) keep_in_register(x);
                        LAPIDARY_UNROLL for (int v = 0; v < NV; ++v) acc[m][v] =
                            hn::MulAdd(x, w[v], acc[m][v]);
                    }
                };
                if constexpr (plain) {
                    add_products(0);
                    weight += B;
                } else {
                    for (int q = 0; q < B; q += 4) {
                        add_products(0);
                        add_products(1);
                        LAPIDARY_UNROLL for (int n = 0; n < N; ++n)
                            __builtin_prefetch(next + n * weight_step * 4, 0, 2);
                        next += t.next_step;
                        add_products(2);
                        add_products(3);
                        weight += 4 * B;
                        LAPIDARY_UNROLL for (int l = 0; l < lines; ++l)
                            LAPIDARY_UNROLL for (int g = 0; g < G; ++g) a[l][g] += 4;
                    }
                }
            }
        }
    }
    finish_sums(d, t, at, acc);
}

using SumTile = void (*)(const Tile&);

template <int B, int N, int lines, bool plain, int step, int... P>
SumTile choose_pixels(std::int64_t pixels, std::integer_sequence<int, P...>) {
    static constexpr SumTile tiles[] = {&sum_tile<B, N, lines, P + 1, plain, step>...};
    return tiles[pixels - 1];
}

template <int B, int N, int lines, bool plain, int step>
SumTile choose_pixels(std::int64_t pixels) {
    return choose_pixels<B, N, lines, plain, step>(
        pixels, std::make_integer_sequence<int, Shape<B>::pixels(N, lines, step != 0)>());
}

/// For N blocks.
template <int B, int N, bool plain>
SumTile choose_lines(std::int64_t lines, std::int64_t pixels, std::int64_t step) {
    if constexpr (Shape<B>::most_lines == 2 && Shape<B>::pixels(N, 2) > 0)
        if (lines == 2) {
            if constexpr (Shape<B>::compiles_steps && N == 1 && plain) {
                if (step == 1) return choose_pixels<B, N, 2, plain, 1>(pixels);
                if (step == 2) return choose_pixels<B, N, 2, plain, 2>(pixels);
            }
            if constexpr (Shape<B>::compiles_steps && N == 1 && !plain)
                if (step == B) return choose_pixels<B, N, 2, plain, B>(pixels);
            return choose_pixels<B, N, 2, plain, 0>(pixels);
        }
    if constexpr (Shape<B>::compiles_steps && plain) {
        if (step == 1) return choose_pixels<B, N, 1, plain, 1>(pixels);
        if (step == 2) return choose_pixels<B, N, 1, plain, 2>(pixels);
    } else if constexpr (Shape<B>::compiles_steps) {
        if (step == B) return choose_pixels<B, N, 1, plain, B>(pixels);
    }
    return choose_pixels<B, N, 1, plain, 0>(pixels);
}

template <int B, bool plain>
SumTile choose_tile(std::int64_t blocks, std::int64_t lines, std::int64_t pixels,
                    std::int64_t step) {
    if constexpr (Shape<B>::most_blocks >= 3)
        if (blocks == 3) return choose_lines<B, 3, plain>(lines, pixels, step);
    if constexpr (Shape<B>::most_blocks >= 2)
        if (blocks == 2) return choose_lines<B, 2, plain>(lines, pixels, step);
    return choose_lines<B, 1, plain>(lines, pixels, step);
}

std::int64_t least(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
std::int64_t most(std::int64_t a, std::int64_t b) { return a > b ? a : b; }
std::int64_t rounded_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

bool is_clamp(const Activation& a) {
    return a.kind == ActivationKind::relu || a.kind == ActivationKind::clip;
}

/// Brings the weights that are needed next into the L2 cache while tiles are summed.
struct NextWeights {
    const char* at = nullptr;
    std::int64_t left = 0;  // bytes of one block
};

/// Pixels `step` floats apart.
template <int B>
void activate_line(float* y, std::int64_t pixels, std::int64_t step, const Activation& activation) {
    if (step == B) return activation_kernels().apply(y, y, pixels * B, activation);
    for (std::int64_t p = 0; p < pixels; ++p, y += step)
        activation_kernels().apply(y, y, B, activation);
}

/// All tiles of one rectangle whose windows have the same taps.
template <int B, bool plain>
void sum_rectangle(const DirectConvolution& c, const Activation& activation, Tile& t,
                   std::int64_t blocks, std::int64_t lines, std::int64_t pixels,
                   NextWeights& next) {
    const int count = static_cast<int>(blocks), unknown = Shape<B>::pixels(count);
    // Along the longer side, unless rows fill the tile well enough.
    if (pixels < lines && pixels < unknown &&
        rounded_up(lines, unknown) * pixels < rounded_up(pixels, unknown) * lines) {
        std::swap(t.line, t.pixel);
        std::swap(t.output_line, t.output_pixel);
        std::swap(lines, pixels);
    }
    const bool is_usual =
        t.output_pixel == B && (plain ? t.pixel == 1 || t.pixel == 2 : t.pixel == B);
    const std::int64_t step = Shape<B>::compiles_steps && is_usual ? t.pixel : 0;
    const int fit = Shape<B>::pixels(count, 1, step != 0);
    const std::int64_t across = rounded_up(pixels, fit);
    const bool is_low =
        Shape<B>::most_lines == 2 && rounded_up(pixels, across) <= Shape<B>::pixels(count, 2);
    const std::int64_t together = is_low ? 2 : 1;
    const float *const input = t.input, *const first_sum = t.first_sum,
                       *const last_sum = t.last_sum;
    float* const output = t.output;
    const std::int64_t fetched = t.inputs * t.rows * t.columns * (B / 4) * 64;
    const bool activates = activation && !is_clamp(activation);
    for (std::int64_t line = 0; line < lines; line += together) {
        const std::int64_t height = least(together, lines - line);
        for (std::int64_t i = 0, x = 0; i < across; ++i) {
            const std::int64_t width = (pixels - x) / (across - i),
                               to = line * t.output_line + x * t.output_pixel;
            t.input = input + line * t.line + x * t.pixel;
            t.output = output + to;
            t.first_sum = first_sum ? first_sum + to : nullptr;
            t.last_sum = last_sum ? last_sum + to : nullptr;
            t.next_step = next.left > 0 ? 64 : 0;
            t.next_weight = next.left > 0 ? next.at : reinterpret_cast<const char*>(t.weight);
            choose_tile<B, plain>(blocks, height, width, step)(t);
            next.at += fetched;
            next.left -= fetched;
            x += width;
            if (!activates) continue;
            for (std::int64_t b = 0; b < blocks; ++b)
                for (std::int64_t l = 0; l < height; ++l)
                    activate_line<B>(t.output + b * c.output_step + l * t.output_line, width,
                                     t.output_pixel, activation);
        }
    }
}

/// All rectangles for some output blocks and inputs.
template <int B, bool plain>
void sum_inputs(const DirectConvolution& c, const DirectTask& task, std::int64_t block,
                std::int64_t blocks, std::int64_t first, std::int64_t end, NextWeights next) {
    constexpr std::int64_t inner = plain ? 1 : B;
    const std::int64_t tap = inner * B, weight_row = c.kernel[1] * tap,
                       weight_input = c.kernel[0] * weight_row;
    const bool is_first = first == 0, is_last = end == c.inputs;
    const Activation none;
    const Activation& activation = is_last ? c.activation : none;
    Tile t;
    t.input_step = c.input_step;
    t.tap_row = c.dilation[0] * c.input_row;
    t.tap_column = c.dilation[1] * c.input_pixel;
    t.inputs = end - first;
    t.weight_step = c.inputs * weight_input;
    t.bias = task.bias ? task.bias + block * B : nullptr;
    t.output_step = c.output_step;
    t.accumulates = !is_first;
    t.clamps = is_clamp(activation);
    t.low = activation.kind == ActivationKind::relu ? 0.0f : activation.alpha;
    t.high = activation.kind == ActivationKind::relu ? __builtin_huge_valf() : activation.beta;
    const float* const weight = task.weight + block * t.weight_step + first * weight_input;
    const float* const sum = task.sum ? task.sum + block * c.output_step : nullptr;
    for (std::int64_t i = 0; i < c.run_count[1]; ++i) {
        const WindowRun& x = c.runs[1][i];
        const std::int64_t left = most(x.begin, task.begin[1]), right = least(x.end, task.end[1]);
        if (left >= right) continue;
        for (std::int64_t j = 0; j < c.run_count[0]; ++j) {
            const WindowRun& y = c.runs[0][j];
            const std::int64_t top = most(y.begin, task.begin[0]),
                               bottom = least(y.end, task.end[0]);
            if (top >= bottom) continue;
            t.rows = y.end_tap - y.first_tap;
            t.columns = x.end_tap - x.first_tap;
            t.line = c.stride[0] * c.input_row;
            t.pixel = c.stride[1] * c.input_pixel;
            t.input = task.input + first * c.input_step +
                      (top * c.stride[0] - c.pad[0] + y.first_tap * c.dilation[0]) * c.input_row +
                      (left * c.stride[1] - c.pad[1] + x.first_tap * c.dilation[1]) * c.input_pixel;
            t.weight = weight + y.first_tap * weight_row + x.first_tap * tap;
            t.row_skip = weight_row - t.columns * tap;
            t.input_skip = weight_input - t.rows * weight_row;
            t.output_line = c.output_row;
            t.output_pixel = B;
            const std::int64_t to = top * c.output_row + left * B;
            t.output = task.output + block * c.output_step + to;
            // A sum in place is gone once the first products lie on it.
            t.first_sum = sum && is_first && !is_last ? sum + to : nullptr;
            t.last_sum = sum && is_first && is_last ? sum + to : nullptr;
            sum_rectangle<B, plain>(c, activation, t, blocks, bottom - top, right - left, next);
        }
    }
}

template <int B, bool plain>
void run_task(const DirectConvolution& c, const DirectTask& task) {
    constexpr std::int64_t group = Shape<B>::blocks, inner = plain ? 1 : B;
    const std::int64_t weight_input = c.kernel[0] * c.kernel[1] * inner * B,
                       weight_step = c.inputs * weight_input;
    for (std::int64_t block = 0, blocks; block < task.blocks; block += blocks) {
        const std::int64_t left = task.blocks - block;
        blocks = left == Shape<B>::most_blocks ? left : least(group, left);
        for (std::int64_t first = 0; first < c.inputs; first += c.inputs_at_once) {
            const std::int64_t end = least(first + c.inputs_at_once, c.inputs);
            NextWeights next;
            if (end < c.inputs) {
                next = {reinterpret_cast<const char*>(task.weight + block * weight_step +
                                                      end * weight_input),
                        0};
                next.left = least(c.inputs_at_once, c.inputs - end) * weight_input * 4;
            } else if (block + blocks < task.blocks) {
                next = {reinterpret_cast<const char*>(task.weight + (block + blocks) * weight_step),
                        0};
                next.left = least(c.inputs_at_once, c.inputs) * weight_input * 4;
            }
            sum_inputs<B, plain>(c, task, block, blocks, first, end, next);
        }
    }
}

void run(const DirectConvolution& c, const DirectTask& task) {
    if (c.block == 16) c.reads_plain ? run_task<16, true>(c, task) : run_task<16, false>(c, task);
    else c.reads_plain ? run_task<8, true>(c, task) : run_task<8, false>(c, task);
}

std::int64_t tile_pixels(std::int64_t block) {
    return block == 16 ? Shape<16>::pixels(Shape<16>::blocks) : Shape<8>::pixels(Shape<8>::blocks);
}
std::int64_t tile_blocks(std::int64_t block) {
    return block == 16 ? Shape<16>::blocks : Shape<8>::blocks;
}

}  // namespace

const DirectConvolutionKernels& direct_convolution_kernels() {
    static constexpr DirectConvolutionKernels table{&run, &tile_pixels, &tile_blocks};
    return table;
}

}  // namespace lapidary::LAPIDARY_ISA
