// SPDX-License-Identifier: Apache-2.0
#include "kernels/integer/integer_convolution.h"

#include "kernels/integer/byte_product.cuh"
#include "kernels/integer/requantize.cuh"
#include "kernels/convolution/window_reader.cuh"

namespace lapidary::cuda {
namespace {

/// Copies the windows of a tile's pixels along k; they are the columns of b.
template <typename Tile>
class PiecesOfWindows {
public:
    /// `image`: of a group; `first`: the tile's first pixel of the output.
    GPU_METHOD PiecesOfWindows(const PackedConvolution& c, const std::uint8_t* image, int first)
        : c_(c), image_(image), channel_(piece() * Tile::piece) {
        const Window& win = c.args.convolution.window;
        const int pixels = volume(win.output);
        GPU_UNROLL for (int i = 0; i < passes; ++i) {
            int pixel = first + row() + i * per_pass;
            there_ |= (pixel < pixels ? 1u : 0u) << i;
            GPU_UNROLL for (int axis = spatial_axes - 1; axis >= 0; --axis) {
                const int next = pixel / win.output[axis];
                begin_[i][axis] =
                    (pixel - next * win.output[axis]) * win.stride[axis] - win.pad[axis];
                pixel = next;
            }
        }
        find_tap();
    }
    GPU_METHOD void fetch(unsigned char* stage) {
        const Window& win = c_.args.convolution.window;
        unsigned char* const to = stage + place_along_k(row(), piece());
        const bool is_tap = tap_[0] < win.kernel[0];
        GPU_UNROLL for (int i = 0; i < passes; ++i) {
            int place = 0;
            bool is_inside = true;
            GPU_UNROLL for (int axis = 0; axis < spatial_axes; ++axis) {
                const int at = begin_[i][axis] + tap_[axis] * win.dilation[axis];
                is_inside = is_inside && at >= 0 && at < win.input[axis];
                place = place * win.input[axis] + at;
            }
            const std::uint8_t* const from =
                is_inside && is_tap
                    ? image_ + static_cast<long long>(place) * c_.channels + channel_
                    : c_.zeros;
            copy_async16(to + i * per_pass * Tile::depth, from, is_tap && (there_ >> i & 1) != 0);
        }
        channel_ += Tile::depth;
        find_tap();
    }

private:
    static constexpr int per_pass = Tile::threads / Tile::pieces, passes = Tile::n / per_pass;
    GPU_METHOD static int row() { return static_cast<int>(thread_index()) / Tile::pieces; }
    GPU_METHOD static int piece() { return static_cast<int>(thread_index()) % Tile::pieces; }
    GPU_METHOD void find_tap() {
        const Window& win = c_.args.convolution.window;
        while (channel_ >= c_.channels) {
            channel_ -= c_.channels;
            if (++tap_[2] < win.kernel[2]) continue;
            tap_[2] = 0;
            if (++tap_[1] < win.kernel[1]) continue;
            tap_[1] = 0;
            ++tap_[0];
        }
    }

    const PackedConvolution& c_;
    const std::uint8_t* image_;
    int channel_, tap_[spatial_axes] = {}, begin_[passes][spatial_axes];
    unsigned there_ = 0;  // bit i: the pixel of pass i exists
};

template <typename Tile, typename Sums>
GPU_DEVICE void finish_filters(const PackedConvolution& c, const TilePlace& first, int z, int depth,
                               const Sums& sums, int* totals) {
    const ConvolutionArgs& args = c.args.convolution;
    const Requantize& r = c.args.requantize;
    const int pixels = volume(args.window.output), first_filter = z % args.groups * args.filters;
    const int x_zero = zero_at(c.args.x_zero, c.args.x_type, 0);
    const float y_zero = zero_of_output(r);
    struct Columns {
        int column, sum[4];
    };
    with_kind(r, [&](auto kind) {
        for_sums_of_tile<Tile>(
            sums, totals,
            [&](int column) {
                Columns of;
                of.column = column;
                GPU_UNROLL for (int i = 0; i < 4; ++i) of.sum[i] =
                    Sums::has_column_sums ? totals[Tile::m + column + i] : 0;
                return of;
            },
            [&](const Columns& of, int row, const int(&products)[4]) {
                const int pixel = first.column + of.column, count = pixels - pixel,
                          at = first.row + row;
                if (at >= args.filters || count <= 0) return;
                const int filter = first_filter + at;
                const int w_zero = Sums::has_column_sums ? zero_at(c.args.w_zero, c.args.w_type,
                                                                   r.is_per_filter ? filter : 0)
                                                         : 0;
                const int row_sum = Sums::has_row_sums ? totals[row] : 0;
                int sum[4];
                GPU_UNROLL for (int i = 0; i < 4; ++i) sum[i] =
                    ByteSum{products[i], row_sum, of.sum[i]}.without(w_zero, x_zero, depth);
                const FilterScale scale = scale_of(r, filter);
                store_sums(
                    kind, r, y_zero, args.y,
                    (static_cast<long long>(z) * args.filters + at) * pixels + pixel, sum,
                    [&](int) { return scale; }, count, count >= 4 && pixels % 4 == 0);
            });
    });
}

/// Computes one image and group. `is_pointwise`: x, [channels, pixels], is directly the operand of
/// the product.
template <typename Tile, bool is_pointwise, typename Sums>
GPU_DEVICE void multiply_image(unsigned char* ring, const PackedConvolution& c,
                               const TilePlace& first, int z) {
    const ConvolutionArgs& args = c.args.convolution;
    const int pixels = volume(args.window.output), depth = volume(args.window.kernel) * c.channels;
    const int first_filter = z % args.groups * args.filters;
    const std::uint8_t* const w =
        c.weights + (static_cast<long long>(first_filter) + first.row) * depth;
    Sums sums;
    PiecesAlongK<Tile, Tile::m> a(w, depth, args.filters - first.row, depth);
    if constexpr (is_pointwise) {
        const std::uint8_t* const x = static_cast<const std::uint8_t*>(args.x) +
                                      static_cast<long long>(z) * args.channels * pixels +
                                      first.column;
        PiecesAlongN<Tile> b(x, pixels, pixels - first.column, args.channels);
        finish_filters<Tile>(c, first, z, depth, sums,
                             tile_product_bytes<Tile>(ring, depth, a, b, sums));
    } else {
        PiecesOfWindows<Tile> b(
            c, c.images + static_cast<long long>(z) * volume(args.window.input) * c.channels,
            first.column);
        finish_filters<Tile>(c, first, z, depth, sums,
                             tile_product_bytes<Tile>(ring, depth, a, b, sums));
    }
}

template <typename Tile, bool is_pointwise, bool is_w_signed, bool is_x_signed>
GPU_GLOBAL void GPU_BLOCKS_OF(Tile::threads, Tile::blocks)
    integer_convolution(PackedConvolution c) {
    kernel_begin();
    GPU_SHARED_16 unsigned char ring[Tile::ring_size];
    const ConvolutionArgs& args = c.args.convolution;
    const TilePlace first =
        first_of_tile(args.filters, volume(args.window.output), Tile::m, Tile::n);
    const bool sums_columns = c.args.w_zero && (c.args.requantize.is_per_filter ||
                                                zero_at(c.args.w_zero, c.args.w_type, 0) != 0);
    constexpr bool along_k = !is_pointwise;
    for (int z = static_cast<int>(block_z()); z < args.batch * args.groups;
         z += static_cast<int>(grid_z())) {
        if (sums_columns)
            multiply_image<Tile, is_pointwise,
                           ByteSums<Tile, along_k, is_w_signed, is_x_signed, true, true>>(ring, c,
                                                                                          first, z);
        else
            multiply_image<Tile, is_pointwise,
                           ByteSums<Tile, along_k, is_w_signed, is_x_signed, true, false>>(
                ring, c, first, z);
    }
}

/// One thread per element of the output.
GPU_GLOBAL void direct_integer_convolution(IntegerConvolutionArgs args) {
    kernel_begin();
    const ConvolutionArgs& c = args.convolution;
    const int taps = c.channels * volume(c.window.kernel), pixels = volume(c.window.output);
    const int filters = c.groups * c.filters, count = c.batch * filters * pixels;
    const int x_zero = zero_at(args.x_zero, args.x_type, 0);
    const float y_zero = zero_of_output(args.requantize);
    for (int i = global_thread(); i < count; i += all_threads()) {
        const int pixel = i % pixels, filter = i / pixels % filters, image = i / pixels / filters;
        const int w_zero =
            zero_at(args.w_zero, args.w_type, args.requantize.is_per_filter ? filter : 0);
        const long long from = (static_cast<long long>(image) * c.groups + filter / c.filters) *
                               c.channels * volume(c.window.input);
        WindowReader reader(c.window);
        int sum = 0;
        for (int k = 0; k < taps; ++k) {
            const int offset = reader.offset(k, pixel);
            if (offset < 0) continue;
            sum = multiply_add(
                integer_at(c.w, args.w_type, static_cast<long long>(filter) * taps + k) - w_zero,
                integer_at(c.x, args.x_type, from + offset) - x_zero, sum);
        }
        const int of[4] = {sum, 0, 0, 0};
        with_kind(args.requantize, [&](auto kind) {
            store_sums(
                kind, args.requantize, y_zero, c.y, i, of,
                [&](int) { return scale_of(args.requantize, filter); }, 1, false);
        });
    }
}

template <typename Tile, bool is_pointwise>
void launch_of_types(Queue& queue, const Grid& grid, const PackedConvolution& c) {
    constexpr unsigned threads = Tile::threads;
    const bool is_w_signed = c.args.w_type == 3, is_x_signed = c.args.x_type == 3;
    if (is_w_signed && is_x_signed)
        GPU_LAUNCH((integer_convolution<Tile, is_pointwise, true, true>), grid, threads, queue, c);
    else if (is_w_signed)
        GPU_LAUNCH((integer_convolution<Tile, is_pointwise, true, false>), grid, threads, queue, c);
    else if (is_x_signed)
        GPU_LAUNCH((integer_convolution<Tile, is_pointwise, false, true>), grid, threads, queue, c);
    else
        GPU_LAUNCH((integer_convolution<Tile, is_pointwise, false, false>), grid, threads, queue,
                   c);
}

int volume_of(const std::int32_t (&size)[spatial_axes]) { return size[0] * size[1] * size[2]; }
unsigned tiles(int size, int tile) { return static_cast<unsigned>((size - 1) / tile + 1); }

template <typename Tile>
void launch_of(Queue& queue, const PackedConvolution& c) {
    const ConvolutionArgs& args = c.args.convolution;
    const Grid grid =
        tile_grid(tiles(args.filters, Tile::m), tiles(volume_of(args.window.output), Tile::n),
                  static_cast<long long>(args.batch) * args.groups);
    if (c.images) launch_of_types<Tile, false>(queue, grid, c);
    else launch_of_types<Tile, true>(queue, grid, c);
}

bool is_empty(const ConvolutionArgs& c) {
    return volume_of(c.window.output) == 0 || c.filters == 0 || c.batch == 0 || c.groups == 0;
}
bool is_direct(const ConvolutionArgs& c) {
    return c.channels == 0 || (c.channels < 4 && c.filters < 4);
}
int packed_channels(const ConvolutionArgs& c) { return (c.channels + 15) / 16 * 16; }

/// Whether an output pixel reads only the input pixel at its place, and pixels and channels are
/// whole pieces.
bool is_pointwise(const ConvolutionArgs& c) {
    for (int axis = 0; axis < spatial_axes; ++axis)
        if (c.window.kernel[axis] != 1 || c.window.stride[axis] != 1 || c.window.pad[axis] != 0 ||
            c.window.input[axis] != c.window.output[axis])
            return false;
    return volume_of(c.window.input) % 16 == 0 && reinterpret_cast<std::uintptr_t>(c.x) % 16 == 0 &&
           c.channels % 16 == 0;
}

std::int64_t bytes_of_weights(const ConvolutionArgs& c) {
    const bool is_packed = volume_of(c.window.kernel) == 1 && c.channels % 16 == 0;
    if (is_packed && reinterpret_cast<std::uintptr_t>(c.w) % 16 == 0) return 0;
    return std::int64_t{c.groups} * c.filters * volume_of(c.window.kernel) * packed_channels(c);
}
std::int64_t bytes_of_images(const ConvolutionArgs& c) {
    if (is_pointwise(c)) return 0;
    return std::int64_t{c.batch} * c.groups * volume_of(c.window.input) * packed_channels(c);
}

}  // namespace

std::int64_t memory_of(const IntegerConvolutionArgs& args) {
    const ConvolutionArgs& c = args.convolution;
    return is_empty(c) || is_direct(c) ? 0 : 16 + bytes_of_weights(c) + bytes_of_images(c);
}

void launch_integer_convolution(Queue& queue, const IntegerConvolutionArgs& args, void* memory) {
    const ConvolutionArgs& c = args.convolution;
    if (is_empty(c)) return;
    const int pixels = volume_of(c.window.output);
    if (is_direct(c)) {
        const long long count = static_cast<long long>(c.batch) * c.groups * c.filters * pixels;
        GPU_LAUNCH_FREE(direct_integer_convolution, grid_for(count), free_threads, queue, args);
        return;
    }
    PackedConvolution packed;
    packed.args = args;
    packed.channels = packed_channels(c);
    packed.zeros = static_cast<std::uint8_t*>(memory);
    const std::int64_t of_weights = bytes_of_weights(c);
    if (of_weights > 0) packed.to_weights = packed.zeros + 16;
    packed.weights = of_weights > 0 ? packed.to_weights : static_cast<const std::uint8_t*>(c.w);
    if (!is_pointwise(c)) packed.images = packed.zeros + 16 + of_weights;
    launch_convolution_pack(queue, packed);
    constexpr long long enough_tiles = 100;  // of a device of many multiprocessors
    const long long large = static_cast<long long>(tiles(c.filters, BytesLarge::m)) *
                            tiles(pixels, BytesLarge::n) * c.batch * c.groups;
    if (c.filters > 64 && pixels > 64 && large >= enough_tiles)
        launch_of<BytesLarge>(queue, packed);
    else launch_of<BytesSmall>(queue, packed);
}

}  // namespace lapidary::cuda
