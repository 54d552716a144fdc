// SPDX-License-Identifier: Apache-2.0
#include "kernels/convolution/convolution.h"

#include "kernels/convolution/convolution_tiles.h"
#include "kernels/product/tile_choice.h"
#include "kernels/product/tile_product.cuh"
#include "kernels/convolution/window_reader.cuh"

namespace lapidary::cuda {
namespace {

/// Calls `tile` for the image and group of each z, with the elements of the product.
template <typename T, typename Tile>
GPU_DEVICE void for_images(const ConvolutionArgs& args, const Tile& tile) {
    const int taps = args.channels * volume(args.window.kernel),
              pixels = volume(args.window.output);
    const int images = args.batch * args.groups;
    for (int item = static_cast<int>(block_z()); item < images * args.parts;
         item += static_cast<int>(grid_z())) {
        const int z = item % images, part = item / images, group = z % args.groups;
        const int begin = part * args.part_depth;
        const int depth =
            args.parts == 1 || taps - begin < args.part_depth ? taps - begin : args.part_depth;
        const T* const x = static_cast<const T*>(args.x) +
                           static_cast<long long>(z) * args.channels * volume(args.window.input);
        const T* const w =
            static_cast<const T*>(args.w) + static_cast<long long>(group) * args.filters * taps;
        const long long first = static_cast<long long>(z) * args.filters * pixels;
        WindowReader reader(args.window);
        const auto a = [&](int row, int k) {
            return row < args.filters && k < depth
                       ? load_element(w + static_cast<long long>(row) * taps + begin + k)
                       : 0.0f;
        };
        const auto b = [&](int k, int column) {
            if (k >= depth || column >= pixels) return 0.0f;
            const int offset = reader.offset(begin + k, column);
            return offset < 0 ? 0.0f : load_element(x + offset);
        };
        const auto store = [&](int row, int column, float sum) {
            if (row >= args.filters || column >= pixels) return;
            const long long place = first + static_cast<long long>(row) * pixels + column;
            if (args.parts > 1)
                args.partial[part * (static_cast<long long>(images) * args.filters * pixels) +
                             place] = sum;
            else
                store_element(
                    static_cast<T*>(args.y) + place,
                    finished<T>(args.epilogue, sum, group * args.filters + row, column, place));
        };
        tile(depth, a, b, store);
    }
}

template <typename T, int tile_m, int tile_n, int per_m, int per_n>
GPU_GLOBAL void convolution_exact(ConvolutionArgs args) {
    kernel_begin();
    const TilePlace first = first_of_tile(args.filters, volume(args.window.output), tile_m, tile_n);
    for_images<T>(args, [&](int taps, const auto& a, const auto& b, const auto& store) {
        tile_product_exact<float, tile_m, tile_n, per_m, per_n>(first.row, first.column, taps, a, b,
                                                                store, true, false);
    });
}

template <typename T, typename Multiply>
GPU_GLOBAL void convolution_mma(ConvolutionArgs args) {
    kernel_begin();
    const TilePlace first =
        first_of_tile(args.filters, volume(args.window.output), mma_tile, mma_tile);
    for_images<T>(args, [&](int taps, const auto& a, const auto& b, const auto& store) {
        tile_product_mma<Multiply>(first.row, first.column, taps, a, b, store, true, false);
    });
}

/// Strides of the elements of images.
struct ImagePlaces {
    long long image;     // elements from one image to the next
    int channel, pixel;  // from one channel, one pixel to the next
    GPU_METHOD long long begin(int of_image, int of_channel) const {
        return image * of_image + static_cast<long long>(channel) * of_channel;
    }
    GPU_METHOD long long offset(int of_pixel, int of_channel) const {
        return static_cast<long long>(pixel) * of_pixel +
               static_cast<long long>(channel) * of_channel;
    }
};
GPU_DEVICE ImagePlaces places_in(int channels, int pixels, bool channels_last) {
    return {static_cast<long long>(channels) * pixels, channels_last ? 1 : pixels,
            channels_last ? channels : 1};
}
GPU_DEVICE ImagePlaces places_of(const ConvolutionArgs& args) {
    return places_in(args.groups * args.channels, volume(args.window.input), args.channels_last);
}

struct OutputPlace {
    int image, channel, pixel;
};
GPU_DEVICE OutputPlace output_at(int i, int channels, int pixels, bool channels_last) {
    const int image = i / pixels / channels;
    if (channels_last) return {image, i % channels, i / channels % pixels};
    return {image, i / pixels % channels, i % pixels};
}

template <typename T>
GPU_GLOBAL void direct_convolution(ConvolutionArgs args) {
    kernel_begin();
    const int kernel = volume(args.window.kernel), taps = args.channels * kernel,
              pixels = volume(args.window.output);
    const int filters = args.groups * args.filters, count = args.batch * filters * pixels;
    const ImagePlaces places = places_of(args);
    for (int i = global_thread(); i < count; i += all_threads()) {
        const auto [image, filter, pixel] = output_at(i, filters, pixels, args.channels_last);
        const int group = filter / args.filters;
        const T* const x =
            static_cast<const T*>(args.x) + places.begin(image, group * args.channels);
        const T* const w =
            static_cast<const T*>(args.w) +
            (args.channels_last
                 ? static_cast<long long>(group) * taps * args.filters + filter % args.filters
                 : static_cast<long long>(filter) * taps);
        WindowReader reader(args.window);
        float sum = 0;
        for (int tap = 0; tap < kernel; ++tap) {
            const int offset = reader.offset(tap, pixel);
            if (offset < 0) continue;
            for (int c = 0; c < args.channels; ++c) {
                const int at = args.channels_last ? (tap * args.channels + c) * args.filters
                                                  : c * kernel + tap;
                sum = multiply_add(load_element(w + at), load_element(x + places.offset(offset, c)),
                                   sum);
            }
        }
        const int row = args.channels_last ? pixel : filter,
                  column = args.channels_last ? filter : pixel;
        store_element(static_cast<T*>(args.y) + i, finished<T>(args.epilogue, sum, row, column, i));
    }
}

/// Gathers: output o has input i and tap t where o = i * stride - pad + t * dilation.
template <typename T>
GPU_GLOBAL void transposed_convolution(ConvolutionArgs args) {
    kernel_begin();
    const Window& win = args.window;
    const int kernel = volume(win.kernel), pixels = volume(win.output);
    const int filters = args.groups * args.filters, count = args.batch * filters * pixels;
    const ImagePlaces places = places_of(args);
    for (int i = global_thread(); i < count; i += all_threads()) {
        const auto [image, filter, pixel] = output_at(i, filters, pixels, args.channels_last);
        const int group = filter / args.filters;
        const T* const x =
            static_cast<const T*>(args.x) + places.begin(image, group * args.channels);
        const T* const w = static_cast<const T*>(args.w) +
                           static_cast<long long>(group) * args.channels * args.filters * kernel +
                           static_cast<long long>(filter % args.filters) * kernel;
        int at[spatial_axes], rest = pixel;
        for (int axis = spatial_axes - 1; axis >= 0; --axis) {
            at[axis] = rest % win.output[axis] + win.pad[axis];
            rest /= win.output[axis];
        }
        float sum = 0;
        for (int tap = 0; tap < kernel; ++tap) {
            int from = 0, left = tap, of[spatial_axes];
            bool is_there = true;
            for (int axis = spatial_axes - 1; axis >= 0; --axis) {
                const int moved = at[axis] - left % win.kernel[axis] * win.dilation[axis];
                left /= win.kernel[axis];
                of[axis] = moved / win.stride[axis];
                is_there = is_there && moved >= 0 && moved % win.stride[axis] == 0 &&
                           of[axis] < win.input[axis];
            }
            if (!is_there) continue;
            for (int axis = 0; axis < spatial_axes; ++axis)
                from = from * win.input[axis] + of[axis];
            for (int c = 0; c < args.channels; ++c)
                sum = multiply_add(
                    load_element(x + places.offset(from, c)),
                    load_element(w + static_cast<long long>(c) * args.filters * kernel + tap), sum);
        }
        const int row = args.channels_last ? pixel : filter,
                  column = args.channels_last ? filter : pixel;
        store_element(static_cast<T*>(args.y) + i, finished<T>(args.epilogue, sum, row, column, i));
    }
}

template <typename T>
GPU_GLOBAL void pool(PoolArgs args) {
    kernel_begin();
    const Window& win = args.window;
    const int pixels = volume(win.output), kernel = volume(win.kernel),
              count = args.batch * args.channels * pixels;
    const ImagePlaces places = places_in(args.channels, volume(win.input), args.channels_last);
    for (int i = global_thread(); i < count; i += all_threads()) {
        const auto [image, channel, pixel] =
            output_at(i, args.channels, pixels, args.channels_last);
        const T* const x = static_cast<const T*>(args.x) + places.begin(image, channel);
        int first[spatial_axes], rest = pixel;
        for (int axis = spatial_axes - 1; axis >= 0; --axis) {
            first[axis] = rest % win.output[axis] * win.stride[axis] - win.pad[axis];
            rest /= win.output[axis];
        }
        float most = -INFINITY, sum = 0;
        int inside = 0, within_pads = 0;
        for (int tap = 0; tap < kernel; ++tap) {
            int left = tap, of[spatial_axes];
            bool is_inside = true, is_padded = true;
            for (int axis = spatial_axes - 1; axis >= 0; --axis) {
                of[axis] = first[axis] + left % win.kernel[axis] * win.dilation[axis];
                left /= win.kernel[axis];
                is_inside = is_inside && of[axis] >= 0 && of[axis] < win.input[axis];
                is_padded = is_padded && of[axis] < win.input[axis] + args.pad_end[axis];
            }
            within_pads += is_padded ? 1 : 0;
            if (!is_inside) continue;
            ++inside;
            const int place = (of[0] * win.input[1] + of[1]) * win.input[2] + of[2];
            const float v = load_element(x + places.offset(place, 0));
            most = most != most || most > v ? most : v;
            sum += v;
        }
        const int divisor = args.counts_pads ? within_pads : inside;
        // same as the CPU kernel where a window covers only padding
        const float largest = inside == 0 ? 0.0f : most;
        store_element(static_cast<T*>(args.y) + i, args.is_max ? largest
                                                   : divisor == 0
                                                       ? 0.0f
                                                       : sum / static_cast<float>(divisor));
    }
}

GPU_DEVICE float source_of(const ResizeArgs& args, int axis, int at) {
    const auto input = static_cast<float>(args.input[axis]),
               output = static_cast<float>(args.output[axis]);
    const auto x = static_cast<float>(at);
    const float scale = args.scale[axis];
    switch (args.coordinates) {
    case Coordinates::half_pixel: return (x + 0.5f) / scale - 0.5f;
    case Coordinates::half_pixel_symmetric: {
        const float adjusted = output / (scale * input), center = input / 2;
        return center * (1 - adjusted) + (x + 0.5f) / scale - 0.5f;
    }
    case Coordinates::pytorch_half_pixel: return output > 1 ? (x + 0.5f) / scale - 0.5f : 0.0f;
    case Coordinates::align_corners: return output > 1 ? x * (input - 1) / (output - 1) : 0.0f;
    default: return x / scale;
    }
}

GPU_DEVICE int nearest_of(const ResizeArgs& args, int axis, int at) {
    const float x = source_of(args, axis, at);
    float rounded = std::floor(x);
    if (args.nearest == Nearest::round_prefer_floor) rounded = std::ceil(x - 0.5f);
    else if (args.nearest == Nearest::round_prefer_ceil) rounded = std::floor(x + 0.5f);
    else if (args.nearest == Nearest::ceil ||
             (args.nearest == Nearest::truncate_or_ceil && args.scale[axis] < 1))
        rounded = std::ceil(x);
    const int of = static_cast<int>(rounded);
    return of < 0 ? 0 : of >= args.input[axis] ? args.input[axis] - 1 : of;
}

template <typename T>
GPU_GLOBAL void resize(ResizeArgs args) {
    kernel_begin();
    const T* const x = static_cast<const T*>(args.x);
    for (int i = global_thread(); i < args.count; i += all_threads()) {
        int rest = i, stride = 1, base = 0, moving = 0;
        int lower[resize_axes], upper[resize_axes];
        float weight[resize_axes];
        for (int axis = args.axes - 1; axis >= 0; --axis) {
            const int at = rest % args.output[axis];
            rest /= args.output[axis];
            if (args.is_linear && args.scale[axis] != 1.0f) {
                const auto most = static_cast<float>(args.input[axis] - 1);
                const float from = clipped(source_of(args, axis, at), 0.0f, most);
                const int low = static_cast<int>(from);
                lower[moving] = low * stride;
                upper[moving] = (low + 1 < args.input[axis] ? low + 1 : low) * stride;
                weight[moving++] = from - static_cast<float>(low);
            } else {
                base += (args.is_linear ? at : nearest_of(args, axis, at)) * stride;
            }
            stride *= args.input[axis];
        }
        float sum = 0;
        for (int corner = 0; corner < 1 << moving; ++corner) {
            float share = 1;
            int place = base;
            for (int axis = 0; axis < moving; ++axis) {
                const bool is_upper = (corner >> axis & 1) != 0;
                share *= is_upper ? weight[axis] : 1 - weight[axis];
                place += is_upper ? upper[axis] : lower[axis];
            }
            sum += share * load_element(x + place);
        }
        store_element(static_cast<T*>(args.y) + i, sum);
    }
}

/// 16-bit floats are multiplied directly, floats as `arithmetic` says.
void launch_mma(Queue& queue, const ConvolutionArgs& args, Arithmetic, Grid grid, const half_t*) {
    GPU_LAUNCH((convolution_mma<half_t, MultiplyF16>), grid, mma_threads, queue, args);
}
void launch_mma(Queue& queue, const ConvolutionArgs& args, Arithmetic, Grid grid, const bfloat_t*) {
    GPU_LAUNCH((convolution_mma<bfloat_t, MultiplyBf16>), grid, mma_threads, queue, args);
}
void launch_mma(Queue& queue, const ConvolutionArgs& args, Arithmetic arithmetic, Grid grid,
                const float*) {
    switch (arithmetic) {
    case Arithmetic::tf32x3:
        GPU_LAUNCH((convolution_mma<float, MultiplyTf32x3>), grid, mma_threads, queue, args);
        break;
    case Arithmetic::tf32:
        GPU_LAUNCH((convolution_mma<float, MultiplyTf32>), grid, mma_threads, queue, args);
        break;
    case Arithmetic::f16:
        GPU_LAUNCH((convolution_mma<float, MultiplyF16>), grid, mma_threads, queue, args);
        break;
    default:
        GPU_LAUNCH((convolution_mma<float, MultiplyBf16>), grid, mma_threads, queue, args);
        break;
    }
}

int pixels_of(const ConvolutionArgs& args) {
    return args.window.output[0] * args.window.output[1] * args.window.output[2];
}

TileChoice choice_of(const ConvolutionArgs& args, Arithmetic arithmetic) {
    return choose_tiles(arithmetic, false, args.filters, pixels_of(args), args.batch * args.groups);
}

template <typename T>
void launch_convolution_of(Queue& queue, const ConvolutionArgs& args, Arithmetic arithmetic) {
    const TileChoice tiles = choice_of(args, arithmetic);
    const Grid grid =
        tile_grid(tiles.along_rows(args.filters), tiles.along_columns(pixels_of(args)),
                  static_cast<long long>(args.batch) * args.groups * args.parts);
    switch (tiles.loop) {
    case TileLoop::exact_large:
        GPU_LAUNCH((convolution_exact<T, LAPIDARY_EXACT_LARGE>), grid, tiles.threads, queue, args);
        break;
    case TileLoop::exact_small:
        GPU_LAUNCH((convolution_exact<T, LAPIDARY_EXACT_SMALL>), grid, tiles.threads, queue, args);
        break;
    case TileLoop::exact_flat:
        GPU_LAUNCH((convolution_exact<T, LAPIDARY_EXACT_FLAT>), grid, tiles.threads, queue, args);
        break;
    default: launch_mma(queue, args, arithmetic, grid, static_cast<const T*>(nullptr)); break;
    }
}

/// Launches the instance of the kernel for the float type.
#define LAPIDARY_BY_TYPE(kernel, count, args)                                                    \
    do {                                                                                         \
        const Grid grid = grid_for(count);                                                       \
        if ((args).type == 10) GPU_LAUNCH_FREE(kernel<half_t>, grid, free_threads, queue, args); \
        else if ((args).type == 16)                                                              \
            GPU_LAUNCH_FREE(kernel<bfloat_t>, grid, free_threads, queue, args);                  \
        else GPU_LAUNCH_FREE(kernel<float>, grid, free_threads, queue, args);                    \
    } while (false)

long long outputs_of(const ConvolutionArgs& args) {
    return static_cast<long long>(args.batch) * args.groups * args.filters * args.window.output[0] *
           args.window.output[1] * args.window.output[2];
}

/// Expresses the parts of a convolution of one group as the parts of a product with the same
/// output.
ProductArgs sums_of(const ConvolutionArgs& args) {
    const int pixels = pixels_of(args);
    ProductArgs sums;
    sums.y = args.y;
    sums.type = args.type;
    sums.m = args.channels_last ? args.batch * pixels : args.filters;
    sums.n = args.channels_last ? args.filters : pixels;
    sums.batch = args.channels_last ? 1 : args.batch;
    sums.parts = args.parts;
    sums.partial = args.partial;
    sums.epilogue = args.epilogue;
    return sums;
}

}  // namespace

void launch_convolution(Queue& queue, const ConvolutionArgs& given, Arithmetic arithmetic) {
    if (outputs_of(given) == 0) return;
    ConvolutionArgs args = given;
    if (args.channels_last) {
        if (args.parts > 1 && is_for_window_tiles(args)) {
            args.counters = queue.counters;
            if (!can_split_window_tiles(args)) args.parts = 1;
        }
        launch_convolution_channels_last(queue, args, arithmetic);
    } else if (args.type == 10) launch_convolution_of<half_t>(queue, args, arithmetic);
    else if (args.type == 16) launch_convolution_of<bfloat_t>(queue, args, arithmetic);
    else launch_convolution_of<float>(queue, args, arithmetic);
    if (args.parts > 1 && !args.counters) launch_epilogue(queue, sums_of(args));
}

ProductSplit split_of(const ConvolutionArgs& args, Arithmetic arithmetic) {
    const int depth =
        args.channels * args.window.kernel[0] * args.window.kernel[1] * args.window.kernel[2];
    if (args.groups != 1 || outputs_of(args) == 0) return {1, depth, 0};
    if (is_for_window_tiles(args)) return split_of_window_tiles(args);
    const TileChoice tiles = choice_of(args, arithmetic);
    const long long blocks = args.channels_last ? blocks_channels_last(args, arithmetic)
                                                : static_cast<long long>(args.batch) *
                                                      tiles.along_rows(args.filters) *
                                                      tiles.along_columns(pixels_of(args));
    return split_of_blocks(blocks, depth, outputs_of(args));
}

std::int64_t part_bytes_of(const ConvolutionArgs& args) {
    return is_for_window_tiles(args) ? window_part_bytes(args) : 4 * outputs_of(args);
}

void launch_direct_convolution(Queue& queue, const ConvolutionArgs& args) {
    if (outputs_of(args) > 0) LAPIDARY_BY_TYPE(direct_convolution, outputs_of(args), args);
}

void launch_transposed_convolution(Queue& queue, const ConvolutionArgs& args) {
    if (outputs_of(args) > 0) LAPIDARY_BY_TYPE(transposed_convolution, outputs_of(args), args);
}

void launch_pool(Queue& queue, const PoolArgs& args) {
    if (is_pool_of_pieces(args)) return launch_pool_of_pieces(queue, args);
    const long long count = static_cast<long long>(args.batch) * args.channels *
                            args.window.output[0] * args.window.output[1] * args.window.output[2];
    if (count > 0) LAPIDARY_BY_TYPE(pool, count, args);
}

void launch_resize(Queue& queue, const ResizeArgs& args) {
    if (args.count > 0) LAPIDARY_BY_TYPE(resize, args.count, args);
}

}  // namespace lapidary::cuda
