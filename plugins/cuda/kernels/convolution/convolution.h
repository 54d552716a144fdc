// SPDX-License-Identifier: Apache-2.0
// Convolutions, pools and resizing of [batch, channel, spatial...] or, with channels last, [batch,
// spatial..., channel], with up to three spatial axes; missing axes come first and have size 1.
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
    Epilogue epilogue;  // the bias has one element per filter
    bool channels_last = false;
    /// Only for launch_window_tiles() with windows of one element: by how much the output is larger
    /// along each axis (1 otherwise). Each pixel of the product spreads over a box of `places`
    /// output pixels: column c goes to place c % places of filter c / places.
    std::int32_t spread[spatial_axes] = {1, 1, 1};
    // no kernel writes w, so it may be read before earlier kernels have ended
    bool has_constant_weight = false;
    /// Parts along channels and kernel of one group, as in ProductArgs. See split_of().
    std::int32_t parts = 1, part_depth = 0;
    float* partial = nullptr;      // split_of() says how many bytes
    unsigned* counters = nullptr;  // set by launch_convolution(), as in ProductArgs
};
/// With channels last, w is [kernel..., channels, filters] for each group, else [filters, channels,
/// kernel...]. Computed as a matrix product that reads the images through the window. With channels
/// last, and channels and filters of a group that are multiples of 8, halves are read in pieces of
/// 8.
void launch_convolution(Queue& queue, const ConvolutionArgs& args, Arithmetic arithmetic);
ProductSplit split_of(const ConvolutionArgs& args, Arithmetic arithmetic);
/// Bytes of the sums of one part.
std::int64_t part_bytes_of(const ConvolutionArgs& args);
/// Uses one thread per element of the output: for groups with few channels.
void launch_direct_convolution(Queue& queue, const ConvolutionArgs& args);
/// w is [channels of a group, filters of a group, kernel...] for each group.
void launch_transposed_convolution(Queue& queue, const ConvolutionArgs& args);
/// launch_convolution() with channels last. Without counters the caller has to add up the sums of
/// parts.
void launch_convolution_channels_last(Queue& queue, const ConvolutionArgs& args,
                                      Arithmetic arithmetic);
/// Blocks of launch_convolution_channels_last() for one part and group, unless it uses the tiles of
/// convolution_tiles.h.
long long blocks_channels_last(const ConvolutionArgs& args, Arithmetic arithmetic);
/// Whether it has one channel and one filter in each group, and all tensors are halves in whole
/// pieces of 16 bytes.
bool is_depthwise_of_pieces(const ConvolutionArgs& args);
/// Computes such a convolution, 8 channels at a time.
void launch_depthwise_of_pieces(Queue& queue, const ConvolutionArgs& args);

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
/// Whether channels are last and lie in whole pieces of 16 bytes.
bool is_pool_of_pieces(const PoolArgs& args);
void launch_pool_of_pieces(Queue& queue, const PoolArgs& args);

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
