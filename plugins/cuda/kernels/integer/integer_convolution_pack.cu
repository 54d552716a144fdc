// SPDX-License-Identifier: Apache-2.0
#include "kernels/integer/integer_convolution.h"
#include "kernels/integer/requantize.cuh"
#include "kernels/convolution/window_reader.cuh"

namespace lapidary::cuda {
namespace {

constexpr int piece = 16, pixels_at_once = 4;

/// Transposes 16 channels of 4 neighbouring pixels. `in_words`: four pixels of a channel are in one
/// word.
GPU_DEVICE void pack_pixels(const PackedConvolution& c, long long i, bool in_words) {
    const ConvolutionArgs& args = c.args.convolution;
    const int pixels = volume(args.window.input),
              along = (pixels + pixels_at_once - 1) / pixels_at_once;
    const int pieces = c.channels / piece;
    const long long line = i / along;
    const int pixel = static_cast<int>(i - line * along) * pixels_at_once,
              part = static_cast<int>(line % pieces);
    const long long image = line / pieces;  // of a group
    const int left = args.channels - part * piece, there = pixels - pixel;
    const std::uint8_t* const from = static_cast<const std::uint8_t*>(args.x) +
                                     (image * args.channels + part * piece) * pixels + pixel;
    Piece packed[pixels_at_once];
    GPU_UNROLL for (int w = 0; w < piece / 4; ++w) {
        std::uint32_t of[4] = {};  // of four channels
        GPU_UNROLL for (int channel = 0; channel < 4; ++channel) {
            if (w * 4 + channel >= left) continue;
            const std::uint8_t* const at = from + static_cast<long long>(w * 4 + channel) * pixels;
            if (in_words) of[channel] = *reinterpret_cast<const std::uint32_t*>(at);
            else
                GPU_UNROLL for (int e = 0; e < pixels_at_once; ++e) if (e < there) of[channel] |=
                    static_cast<std::uint32_t>(at[e]) << (8 * e);
        }
        const std::uint32_t low = permute_bytes(of[0], of[1], 0x5140),
                            high = permute_bytes(of[2], of[3], 0x5140);
        const std::uint32_t next_low = permute_bytes(of[0], of[1], 0x7362),
                            next_high = permute_bytes(of[2], of[3], 0x7362);
        packed[0].words[w] = permute_bytes(low, high, 0x5410);
        packed[1].words[w] = permute_bytes(low, high, 0x7632);
        packed[2].words[w] = permute_bytes(next_low, next_high, 0x5410);
        packed[3].words[w] = permute_bytes(next_low, next_high, 0x7632);
    }
    std::uint8_t* const to = c.images + (image * pixels + pixel) * c.channels + part * piece;
    GPU_UNROLL for (int e = 0; e < pixels_at_once; ++e) if (e < there) *
        reinterpret_cast<Piece*>(to + static_cast<long long>(e) * c.channels) = packed[e];
}

/// Packs 16 channels of one tap of a filter; i counts over all groups.
GPU_DEVICE void pack_weights(const PackedConvolution& c, int i) {
    const ConvolutionArgs& args = c.args.convolution;
    const int taps = volume(args.window.kernel), pieces = c.channels / piece;
    const int part = i % pieces, tap = i / pieces % taps, filter = i / pieces / taps;
    const int zero =
        zero_at(c.args.w_zero, c.args.w_type, c.args.requantize.is_per_filter ? filter : 0);
    const std::uint8_t* const from =
        static_cast<const std::uint8_t*>(args.w) +
        (static_cast<long long>(filter) * args.channels + part * piece) * taps + tap;
    Piece packed;
    GPU_UNROLL for (int w = 0; w < piece / 4; ++w) {
        std::uint32_t word = 0;
        GPU_UNROLL for (int e = 0; e < 4; ++e) {
            const int channel = w * 4 + e;
            const bool is_there = part * piece + channel < args.channels;
            const int byte = is_there ? from[static_cast<long long>(channel) * taps] : zero;
            word |= (static_cast<std::uint32_t>(byte) & 0xffu) << (8 * e);
        }
        packed.words[w] = word;
    }
    *reinterpret_cast<Piece*>(c.to_weights + static_cast<long long>(i) * piece) = packed;
}

/// `of_images`, `of_weights`: how many threads take part.
GPU_GLOBAL void pack_convolution(PackedConvolution c, long long of_images, int of_weights,
                                 bool in_words) {
    kernel_begin();
    const long long of_both = of_images + of_weights, count = of_both > piece ? of_both : piece;
    for (long long i = global_thread(); i < count; i += all_threads()) {
        if (i < of_images) pack_pixels(c, i, in_words);
        else if (i < of_both) pack_weights(c, static_cast<int>(i - of_images));
        if (i < piece)
            c.zeros[i] = static_cast<std::uint8_t>(zero_at(c.args.x_zero, c.args.x_type, 0));
    }
}

}  // namespace

void launch_convolution_pack(Queue& queue, const PackedConvolution& c) {
    const ConvolutionArgs& args = c.args.convolution;
    const auto volume_of = [](const std::int32_t(&size)[spatial_axes]) {
        return size[0] * size[1] * size[2];
    };
    const int pixels = volume_of(args.window.input);
    const long long of_images = c.images ? static_cast<long long>(args.batch) * args.groups *
                                               (c.channels / piece) *
                                               ((pixels + pixels_at_once - 1) / pixels_at_once)
                                         : 0;
    const int of_weights = c.to_weights ? args.groups * args.filters *
                                              volume_of(args.window.kernel) * (c.channels / piece)
                                        : 0;
    if (of_images + of_weights == 0) return;
    const bool in_words = pixels % 4 == 0 && reinterpret_cast<std::uintptr_t>(args.x) % 4 == 0;
    const long long threads = of_images + (of_weights > piece ? of_weights : piece);
    GPU_LAUNCH_FREE(pack_convolution, grid_for(threads), free_threads, queue, c, of_images,
                    of_weights, in_words);
}

}  // namespace lapidary::cuda
