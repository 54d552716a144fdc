// SPDX-License-Identifier: Apache-2.0
#include "kernels/convolution/convolution_few_channels.h"

#include "kernels/load_store.cuh"

namespace lapidary::cuda {
namespace {

constexpr int piece = 8;  // halves of 16 bytes

GPU_DEVICE void store_piece(const void* packed, unsigned at, const half_t (&of)[piece]) {
    Piece whole;
    memcpy(&whole, static_cast<const void*>(of), sizeof(whole));
    static_cast<Piece*>(const_cast<void*>(packed))[at] = whole;
}

/// Packs piece `at` of the image. There are no more pieces than elements of an image, so 31 bits
/// are enough.
template <typename T>
GPU_DEVICE void pack_image(const PackArgs& args, unsigned at) {
    const Window& from = args.plain.window;
    const int channels = args.plain.channels;
    const auto pieces = static_cast<unsigned>(args.packed.channels / piece);
    const auto width = static_cast<unsigned>(args.packed.window.input[2]);
    const auto rows = static_cast<unsigned>(from.input[0] * from.input[1]);  // of an image
    const unsigned pixel = at / pieces, row = pixel / width, image = row / rows;
    const int begin = static_cast<int>(pixel % width) * args.together - args.lead;
    // among the channels of the pixels in one packed pixel
    const int place = static_cast<int>(at % pieces) * piece;
    const long long plane = static_cast<long long>(rows) * from.input[2];
    const long long step = args.channels_first ? plane : 1;
    const int pixel_step = args.channels_first ? 1 : channels;
    const T* const x =
        static_cast<const T*>(args.plain.x) +
        (args.channels_first ? image * channels * plane + (row % rows) * from.input[2]
                             : static_cast<long long>(row) * from.input[2] * channels);
    int neighbour = place / channels, channel = place % channels;
    half_t of[piece];
    GPU_UNROLL for (int i = 0; i < piece; ++i) {
        const int column = begin + neighbour;
        const bool is_there = neighbour < args.together && column >= 0 && column < from.input[2];
        of[i] = to_half(is_there ? load_element(x + static_cast<long long>(column) * pixel_step +
                                                channel * step)
                                 : 0.0f);
        if (++channel == channels) channel = 0, ++neighbour;
    }
    store_piece(args.packed.x, at, of);
}

/// Packs piece `at` of the weight: 8 filters of one packed channel of one tap.
GPU_DEVICE void pack_weight(const PackArgs& args, unsigned at) {
    const int channels = args.plain.channels, pieces = args.plain.filters / piece;
    const int filter = static_cast<int>(at) % pieces * piece, row = static_cast<int>(at) / pieces;
    const int place = row % args.packed.channels, tap = row / args.packed.channels;
    const int width = args.packed.window.kernel[2], of_plain = args.plain.window.kernel[2];
    const int column = tap % width * args.together + place / channels;
    const bool is_there = place < args.together * channels && column < of_plain;
    const long long from =
        static_cast<long long>(tap / width * of_plain + column) * channels + place % channels;
    half_t of[piece];
    GPU_UNROLL for (int i = 0; i < piece; ++i) of[i] =
        is_there ? static_cast<const half_t*>(args.plain.w)[from * args.plain.filters + filter + i]
                 : half_t{};
    store_piece(args.packed.w, at, of);
}

/// Packs both in one launch: the weight has a few kB, so packing it beside the image costs less
/// than a second launch.
template <typename T>
GPU_GLOBAL void pack_few_channels(PackArgs args, unsigned of_image, unsigned of_weight) {
    kernel_begin();
    const auto step = static_cast<unsigned>(all_threads());
    for (auto i = static_cast<unsigned>(global_thread()); i < of_image + of_weight; i += step) {
        if (i < of_image) pack_image<T>(args, i);
        else pack_weight(args, i - of_image);
    }
}

int rounded_up(int value, int to) { return (value + to - 1) / to * to; }

long long elements(const std::int32_t (&size)[spatial_axes]) {
    return static_cast<long long>(size[0]) * size[1] * size[2];
}

/// The packing with `together` pixels of a row in one packed pixel.
FewChannels packed_with(const ConvolutionArgs& args, int together) {
    FewChannels few;
    few.packed = args;
    few.packed.x = few.packed.w = nullptr;
    few.packed.has_constant_weight = false;
    few.together = together;
    Window& win = few.packed.window;
    const int last = spatial_axes - 1;
    few.lead = win.pad[last] % together;
    win.pad[last] /= together;
    win.input[last] = (win.input[last] + few.lead + together - 1) / together;
    win.kernel[last] = (win.kernel[last] + together - 1) / together;
    win.stride[last] /= together;
    few.packed.channels = rounded_up(args.channels * together, piece);
    few.x_bytes = 2 * args.batch * elements(win.input) * few.packed.channels;
    few.w_bytes = 2 * elements(win.kernel) * few.packed.channels * args.filters;
    return few;
}

}  // namespace

std::optional<FewChannels> few_channels_of(const ConvolutionArgs& args) {
    if (args.type != 10 || !args.channels_last || args.groups != 1 || args.channels % piece == 0 ||
        args.filters % piece != 0)
        return std::nullopt;
    FewChannels best = packed_with(args, 1);
    const int last = spatial_axes - 1, stride = args.window.stride[last],
              kernel = args.window.kernel[last];
    if (args.window.dilation[last] != 1) return best;
    for (int together = 2; together <= stride && together <= kernel; ++together) {
        if (stride % together != 0) continue;
        const FewChannels other = packed_with(args, together);
        if (other.w_bytes < best.w_bytes ||
            (other.w_bytes == best.w_bytes && other.x_bytes < best.x_bytes))
            best = other;
    }
    return best;
}

void launch_pack(Queue& queue, const PackArgs& args) {
    const ConvolutionArgs& c = args.packed;
    const auto of_image =
        static_cast<unsigned>(c.batch * elements(c.window.input) * (c.channels / piece));
    const auto of_weight =
        static_cast<unsigned>(elements(c.window.kernel) * c.channels * (c.filters / piece));
    const Grid grid = grid_for(static_cast<long long>(of_image) + of_weight);
    if (args.x_type == 10)
        GPU_LAUNCH_FREE(pack_few_channels<half_t>, grid, free_threads, queue, args, of_image,
                        of_weight);
    else
        GPU_LAUNCH_FREE(pack_few_channels<float>, grid, free_threads, queue, args, of_image,
                        of_weight);
}

}  // namespace lapidary::cuda
