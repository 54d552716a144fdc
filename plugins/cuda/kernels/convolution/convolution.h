// SPDX-License-Identifier: Apache-2.0
// Convolutions, pools and resizing of [batch, channel, spatial...] or, with channels last,
// [batch, spatial..., channel], with up to three spatial axes; axes that are not there are of size
// 1, in front.
#pragma once

#include <cstdint>

#include "kernels/elementwise/epilogue.h"
#include "kernels/product/product.h"

namespace lapidary::cuda {

inline constexpr int spatial_axes = 3;

struct Window {
    std::int32_t input[spatial_axes] = {1, 1, 1}, output[spatial_axes] = {1, 1, 1},
                 kernel[spatial_axes] = {1, 1, 1};
    std::int32_t stride[spatial_axes] = {1, 1, 1}, dilation[spatial_axes] = {1, 1, 1},
                 pad[spatial_axes] = {0, 0, 0};
};

struct ConvolutionArgs {
    const void *x = nullptr, *w = nullptr;
    void* y = nullptr;
    std::int32_t type = 1, batch = 0, groups = 1;
    std::int32_t channels = 0, filters = 0;  // of one group
    Window window;
    Epilogue epilogue;  // the bias is one of filters
    bool channels_last = false;
    /// Of launch_window_tiles() alone, above 1 with windows of one element: column c of the result
    /// is that of place c % places and filter c / places of so many pixels by which the output is
    /// larger along each axis.
    std::int32_t spread[spatial_axes] = {1, 1, 1};
    // no kernel writes w: it may be read before kernels that came before have ended
    bool has_constant_weight = false;
    /// As of ProductArgs, along channels and kernel, for one group. See split_of().
    std::int32_t parts = 1, part_depth = 0;
    float* partial = nullptr;      // split_of() says how much
    unsigned* counters = nullptr;  // launch_convolution() sets it, as of ProductArgs
};
/// Where images hold their channels last, w is [kernel..., channels, filters] for each group, else
/// [filters, channels, kernel...].
/// As a product whose operand of images is read through the window. With channels last in pieces of
/// 8 halves where channels and filters of a group are multiples of 8.
void launch_convolution(Queue& queue, const ConvolutionArgs& args, Arithmetic arithmetic);
ProductSplit split_of(const ConvolutionArgs& args, Arithmetic arithmetic);
/// Of the sums of one part.
std::int64_t part_bytes_of(const ConvolutionArgs& args);
/// One thread per element of the output: for few channels in a group.
void launch_direct_convolution(Queue& queue, const ConvolutionArgs& args);
/// w is [channels of a group, filters of a group, kernel...] for each group.
void launch_transposed_convolution(Queue& queue, const ConvolutionArgs& args);
/// launch_convolution() with channels last; without counters the sums of parts are added by the
/// caller.
void launch_convolution_channels_last(Queue& queue, const ConvolutionArgs& args,
                                      Arithmetic arithmetic);
/// Blocks of launch_convolution_channels_last() for one part and group, where its tiles are not
/// those of convolution_tiles.h.
long long blocks_channels_last(const ConvolutionArgs& args, Arithmetic arithmetic);

struct PoolArgs {
    const void* x = nullptr;
    void* y = nullptr;
    std::int32_t type = 1, batch = 0, channels = 0;
    bool channels_last = false;
    Window window;
    std::int32_t pad_end[spatial_axes] = {0, 0, 0};
    bool is_max = true, counts_pads = false;
};
void launch_pool(Queue& queue, const PoolArgs& args);

inline constexpr int resize_axes = 5;
enum class Coordinates : std::int32_t {
    half_pixel,
    half_pixel_symmetric,
    pytorch_half_pixel,
    align_corners,
    asymmetric
};
enum class Nearest : std::int32_t {
    round_prefer_floor,
    round_prefer_ceil,
    floor,
    ceil,
    truncate_or_ceil
};
struct ResizeArgs {
    const void* x = nullptr;
    void* y = nullptr;
    std::int32_t type = 1, axes = 0, count = 0;
    std::int32_t input[resize_axes] = {}, output[resize_axes] = {};
    float scale[resize_axes] = {};
    bool is_linear = false;
    Coordinates coordinates = Coordinates::half_pixel;
    Nearest nearest = Nearest::round_prefer_floor;
};
void launch_resize(Queue& queue, const ResizeArgs& args);

}  // namespace lapidary::cuda
