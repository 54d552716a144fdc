// SPDX-License-Identifier: Apache-2.0
#include "kernels/convolution/convolution.h"

#include "kernels/load_store.cuh"
#include "kernels/convolution/window_epilogue.cuh"
#include "kernels/convolution/window_reader.cuh"

namespace lapidary::cuda {
namespace {

constexpr int piece_size = 8;
constexpr unsigned depthwise_threads = 128;

/// The weights of 8 channels, each of which has `taps` contiguous weights.
template <int taps>
struct DepthwiseWeights {
    half_t of[piece_size * taps];

    GPU_METHOD explicit DepthwiseWeights(const half_t* from) {
        GPU_UNROLL for (int i = 0; i < taps; ++i) {
            const Piece piece = piece_at(from + i * piece_size);
            memcpy(static_cast<void*>(of + i * piece_size), &piece, sizeof(piece));
        }
    }
    GPU_METHOD float at(int channel, int tap) const { return to_float(of[channel * taps + tap]); }
};

/// Where the window of an output begins.
struct DepthwisePlace {
    int channel, image, first[spatial_axes];

    GPU_METHOD DepthwisePlace(const ConvolutionArgs& args, unsigned piece) {
        const auto pieces = static_cast<unsigned>(args.groups / piece_size);
        unsigned rest = piece / pieces;
        channel = static_cast<int>(piece - rest * pieces) * piece_size;
        GPU_UNROLL for (int axis = spatial_axes - 1; axis >= 0; --axis) {
            const auto size = static_cast<unsigned>(args.window.output[axis]);
            const unsigned next = size == 1 ? rest : rest / size;
            first[axis] = static_cast<int>(rest - next * size) * args.window.stride[axis] -
                          args.window.pad[axis];
            rest = next;
        }
        image = static_cast<int>(rest);
    }
    /// The input pixel of a tap; null outside the image.
    GPU_METHOD const half_t* pixel(const ConvolutionArgs& args, int d, int y, int z) const {
        const Window& win = args.window;
        const int of[spatial_axes] = {first[0] + d * win.dilation[0],
                                      first[1] + y * win.dilation[1],
                                      first[2] + z * win.dilation[2]};
        int place = image;
        bool is_inside = true;
        GPU_UNROLL for (int axis = 0; axis < spatial_axes; ++axis) {
            is_inside = is_inside && of[axis] >= 0 && of[axis] < win.input[axis];
            place = place * win.input[axis] + of[axis];
        }
        return is_inside ? static_cast<const half_t*>(args.x) +
                               static_cast<long long>(place) * args.groups + channel
                         : nullptr;
    }
};

/// What the epilogue reads for a piece of the output.
struct DepthwiseAddends {
    float bias[piece_size] = {}, residual[piece_size] = {};

    GPU_METHOD DepthwiseAddends(const Epilogue& e, int channel, unsigned at) {
        if (e.bias)
            elements_of<half_t>(piece_at(static_cast<const half_t*>(e.bias) + channel), bias);
        if (e.residual) elements_of<half_t>(static_cast<const Piece*>(e.residual)[at], residual);
    }
};

template <bool is_plain>
GPU_DEVICE void store_finished(const ConvolutionArgs& args, const float (&sum)[piece_size],
                               const DepthwiseAddends& add, unsigned at) {
    const WindowEpilogue<is_plain> epilogue(args.epilogue);
    half_t result[piece_size];
    GPU_UNROLL for (int i = 0; i < piece_size; ++i)
        store_element(result + i, epilogue.finished(sum[i], add.bias[i], add.residual[i]));
    Piece piece;
    memcpy(&piece, static_cast<const void*>(result), sizeof(piece));
    static_cast<Piece*>(args.y)[at] = piece;
}

/// A thread computes 8 channels of one output pixel. All loads of a plane of the window are issued
/// before the first one is used.
template <int rows, int columns, bool is_plain>
GPU_GLOBAL void depthwise_known(ConvolutionArgs args, unsigned count) {
    kernel_begin();
    constexpr int taps = rows * columns;
    const unsigned at = static_cast<unsigned>(global_thread());
    if (at >= count) return;
    const DepthwisePlace place(args, at);
    const DepthwiseWeights<taps> weights(static_cast<const half_t*>(args.w) + place.channel * taps);
    Piece piece[taps];
    GPU_UNROLL for (int t = 0; t < taps; ++t) {
        const half_t* const from = place.pixel(args, 0, t / columns, t % columns);
        piece[t] = from ? piece_at(from) : Piece{};
    }
    const DepthwiseAddends addends(args.epilogue, place.channel, at);
    float sum[piece_size] = {};
    GPU_UNROLL for (int t = 0; t < taps; ++t) {
        float v[piece_size];
        elements_of<half_t>(piece[t], v);
        GPU_UNROLL for (int i = 0; i < piece_size; ++i) sum[i] =
            multiply_add(v[i], weights.at(i, t), sum[i]);
    }
    store_finished<is_plain>(args, sum, addends, at);
}

GPU_GLOBAL void depthwise_any(ConvolutionArgs args, unsigned count) {
    kernel_begin();
    const Window& win = args.window;
    const unsigned at = static_cast<unsigned>(global_thread());
    if (at >= count) return;
    const DepthwisePlace place(args, at);
    const int taps = volume(win.kernel);
    const half_t* w = static_cast<const half_t*>(args.w) + place.channel * taps;
    float sum[piece_size] = {};
    for (int d = 0; d < win.kernel[0]; ++d)
        for (int y = 0; y < win.kernel[1]; ++y)
            GPU_UNROLL_4 for (int z = 0; z < win.kernel[2]; ++z, ++w) {
                const half_t* const from = place.pixel(args, d, y, z);
                if (!from) continue;
                float v[piece_size];
                elements_of<half_t>(piece_at(from), v);
                GPU_UNROLL for (int i = 0; i < piece_size; ++i) sum[i] =
                    multiply_add(v[i], to_float(w[i * taps]), sum[i]);
            }
    store_finished<false>(args, sum, DepthwiseAddends(args.epilogue, place.channel, at), at);
}

}  // namespace

bool is_depthwise_of_pieces(const ConvolutionArgs& args) {
    const auto address = reinterpret_cast<std::uintptr_t>(args.x) |
                         reinterpret_cast<std::uintptr_t>(args.w) |
                         reinterpret_cast<std::uintptr_t>(args.y) |
                         reinterpret_cast<std::uintptr_t>(args.epilogue.residual) |
                         reinterpret_cast<std::uintptr_t>(args.epilogue.bias);
    return args.channels_last && args.type == 10 && args.channels == 1 && args.filters == 1 &&
           args.groups % piece_size == 0 && address % 16 == 0;
}

void launch_depthwise_of_pieces(Queue& queue, const ConvolutionArgs& args) {
    const Window& win = args.window;
    const auto pixels =
        static_cast<unsigned>(args.batch * win.output[0] * win.output[1] * win.output[2]);
    const unsigned count = pixels * static_cast<unsigned>(args.groups / piece_size);
    if (count == 0) return;
    const Grid grid{(count - 1) / depthwise_threads + 1, 1, 1};
    const bool is_3x3 = win.kernel[0] == 1 && win.kernel[1] == 3 && win.kernel[2] == 3;
    if (is_3x3 && is_plain(args.epilogue))
        GPU_LAUNCH_FREE((depthwise_known<3, 3, true>), grid, depthwise_threads, queue, args, count);
    else if (is_3x3)
        GPU_LAUNCH_FREE((depthwise_known<3, 3, false>), grid, depthwise_threads, queue, args,
                        count);
    else GPU_LAUNCH_FREE(depthwise_any, grid, depthwise_threads, queue, args, count);
}

}  // namespace lapidary::cuda
