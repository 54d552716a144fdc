// SPDX-License-Identifier: Apache-2.0
#include "kernels/convolution/bf16_planes.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include <lapidary/tensor/float16.h>

#include "kernels/vector/elementwise/activation.h"

namespace lapidary::bf16_convolution {
namespace {

constexpr std::int64_t part_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

std::size_t tap_bytes(const Planes& p) {
    return static_cast<std::size_t>(part_up(p.taps() * 8, 64) * 64);
}

bool clamps(const Activation& a) {
    return a.kind == ActivationKind::relu || a.kind == ActivationKind::clip;
}

/// A band of output rows of one image.
struct Band {
    const Planes& planes;
    const Image& image;
    const Bf16ConvolutionKernels& kernels;
    std::int64_t first, rows;  // of the output
    std::int64_t* taps;
    std::uint16_t* pixels;

    /// Rows [begin, end) of plane `index` of those of all steps.
    void round(std::int64_t index, std::int64_t begin, std::int64_t end) const {
        const std::int64_t s = index / planes.count, plane = index % planes.count,
                           across = planes.columns.planes();
        const WindowAxis &vertical = planes.rows.window, &lateral = planes.columns.window;
        const std::int64_t top = planes.rows.remainder(plane / across) - vertical.pad_begin,
                           left = planes.columns.remainder(plane % across) - lateral.pad_begin;
        // pixels [filled, ended) of a row lie inside of the image
        const std::int64_t filled = std::min(planes.width, left < 0 ? part_up(-left, lateral.stride)
                                                                    : std::int64_t{0}),
                           ended = left >= lateral.input
                                       ? filled
                                       : std::clamp((lateral.input - 1 - left) / lateral.stride + 1,
                                                    filled, planes.width);
        const std::int64_t size = vertical.input * lateral.input * block;
        Bf16Pixels p;
        p.pixel_step = lateral.stride * block;
        p.count = ended - filled;
        const auto clear = [](std::uint16_t* to, std::int64_t count) {
            std::memset(to, 0, static_cast<std::size_t>(count * step) * sizeof(std::uint16_t));
        };
        for (std::int64_t r = begin; r < end; ++r) {
            std::uint16_t* const to =
                pixels + index * planes.plane_elements() + r * planes.width * step;
            const std::int64_t row = (first + r) * vertical.stride + top;
            if (row < 0 || row >= vertical.input || p.count == 0) {
                clear(to, planes.width);
                continue;
            }
            clear(to, filled);
            clear(to + ended * step, planes.width - ended);
            p.lower = image.x + 2 * s * size +
                      (row * lateral.input + filled * lateral.stride + left) * block;
            p.upper = (2 * s + 1) * block < planes.channels ? p.lower + size : nullptr;
            p.to = to + filled * step;
            kernels.round_pixels(p);
        }
    }

    /// Output rows [begin, end) of the band for a pair of blocks of filters.
    void convolve(std::int64_t pair, std::int64_t begin, std::int64_t end) const {
        const std::int64_t blocks = planes.filters / block, height = planes.rows.window.output,
                           width = planes.columns.window.output;
        Bf16Positions p;
        p.planes = pixels;
        p.taps = taps;
        p.tap_count = planes.taps();
        p.steps = planes.steps;
        p.plane_step = planes.count * planes.plane_elements();
        p.filters = image.filters + 2 * pair * planes.steps * planes.taps() * tile_elements;
        p.blocks = static_cast<int>(std::min<std::int64_t>(2, blocks - 2 * pair));
        p.row_positions = planes.width;
        p.columns = width;
        p.begin = begin * planes.width;
        p.end = (end - 1) * planes.width + width;
        p.bias = image.bias ? image.bias + 2 * pair * block : nullptr;
        p.block_step = height * width * block;
        const std::int64_t to = 2 * pair * p.block_step + first * width * block;
        p.sum = image.sum ? image.sum + to : nullptr;
        p.output = image.y + to;
        const Activation& a = image.activation;
        p.clamps = clamps(a);
        p.low = a.kind == ActivationKind::relu ? 0.0f : a.alpha;
        p.high = a.kind == ActivationKind::relu ? __builtin_huge_valf() : a.beta;
        kernels.convolve(p);
        if (!a || p.clamps) return;
        for (int b = 0; b < p.blocks; ++b) {
            float* const written = p.output + b * p.block_step + begin * width * block;
            activation_kernels().apply(written, written, (end - begin) * width * block, a);
        }
    }
};

/// Where position 0 reads for each tap, from the planes of a step on.
void find_taps(const Planes& p, std::int64_t* to) {
    for (std::int64_t i = 0; i < p.rows.window.kernel; ++i)
        for (std::int64_t j = 0; j < p.columns.window.kernel; ++j)
            *to++ = (p.rows.plane_of(i) * p.columns.planes() + p.columns.plane_of(j)) *
                        p.plane_elements() +
                    (p.rows.shift(i) * p.width + p.columns.shift(j)) * step;
}

}  // namespace

std::int64_t PlaneAxis::planes() const {
    // remainders of k * dilation by stride come again after this many taps
    return std::min(window.kernel, window.stride / std::gcd(window.stride, window.dilation));
}

std::size_t Planes::workspace_bytes() const {
    return tap_bytes(*this) +
           static_cast<std::size_t>(steps * count * plane_elements() + together * step) *
               sizeof(std::uint16_t);
}

Planes planes_of(const WindowAxis& rows, const WindowAxis& columns, std::int64_t channels,
                 std::int64_t filters, std::size_t cache) {
    Planes p;
    p.rows.window = rows;
    p.columns.window = columns;
    p.channels = channels;
    p.filters = filters;
    p.steps = part_up(channels, step);
    p.count = p.rows.planes() * p.columns.planes();
    p.width = columns.output + p.columns.largest_shift();
    const std::int64_t row_bytes = p.steps * p.count * p.width * step * 2,
                       shift = p.rows.largest_shift(),
                       fit = static_cast<std::int64_t>(cache / 2) / row_bytes - shift,
                       // fewer would round most rows again and again
        most = std::clamp<std::int64_t>(fit, std::min(2 * shift + 1, rows.output), rows.output);
    p.band = part_up(rows.output, part_up(rows.output, most));
    return p;
}

void convolve_image(const Planes& planes, const Image& image, const Bf16ConvolutionKernels& kernels,
                    ThreadPool& pool, const CancelToken& cancel, std::byte* workspace) {
    auto* const taps = reinterpret_cast<std::int64_t*>(workspace);
    auto* const pixels = reinterpret_cast<std::uint16_t*>(workspace + tap_bytes(planes));
    find_taps(planes, taps);
    const std::int64_t threads = pool.threads(), height = planes.rows.window.output;
    // `count` tasks, each cut into parts of rows where there are too few for all threads
    const auto share = [&](std::int64_t count, std::int64_t rows, const auto& work) {
        const std::int64_t parts = threads == 1 ? 1 : std::min(rows, part_up(4 * threads, count)),
                           each = part_up(rows, parts), used = part_up(rows, each);
        pool.parallel_tasks(count * used, [&](std::int64_t i, int) {
            cancel.throw_if_cancelled();
            const std::int64_t begin = i % used * each;
            work(i / used, begin, std::min(begin + each, rows));
        });
    };
    for (std::int64_t first = 0; first < height; first += planes.band) {
        const Band band{planes, image, kernels, first, std::min(planes.band, height - first),
                        taps,   pixels};
        share(planes.steps * planes.count, band.rows + planes.rows.largest_shift(),
              [&](std::int64_t i, std::int64_t begin, std::int64_t end) {
                  band.round(i, begin, end);
              });
        share(part_up(planes.filters / block, 2), band.rows,
              [&](std::int64_t i, std::int64_t begin, std::int64_t end) {
                  band.convolve(i, begin, end);
              });
    }
}

std::int64_t packed_elements(std::int64_t filters, std::int64_t channels, std::int64_t taps) {
    return filters / block * part_up(channels, step) * taps * tile_elements;
}

void pack_filters(const float* block_of_filters, std::int64_t index, std::int64_t filters,
                  std::int64_t channels, std::int64_t taps, std::uint16_t* to) {
    const std::int64_t steps = part_up(channels, step), pair = index / 2,
                       blocks = std::min<std::int64_t>(2, filters / block - 2 * pair);
    to += (2 * pair * steps * taps + index % 2) * tile_elements;
    for (std::int64_t s = 0; s < steps; ++s)
        for (std::int64_t t = 0; t < taps; ++t, to += blocks * tile_elements)
            for (std::int64_t k = 0; k < step; ++k) {
                const std::int64_t channel = s * step + k;
                const float* const from =
                    block_of_filters + ((channel / block * taps + t) * block + k % block) * block;
                for (std::int64_t j = 0; j < block; ++j)
                    to[k / 2 * 32 + j * 2 + k % 2] =
                        channel < channels ? BFloat16(from[j]).bits : std::uint16_t{0};
            }
}

}  // namespace lapidary::bf16_convolution
