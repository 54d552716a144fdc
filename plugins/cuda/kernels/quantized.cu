// SPDX-License-Identifier: Apache-2.0
#include "kernels/quantized.h"

#include "kernels/block_reduce.cuh"
#include "kernels/byte_product.cuh"
#include "kernels/window_reader.cuh"

namespace lapidary::cuda {
namespace {

GPU_DEVICE int integer_at(const void* data, int type, long long i) {
    if (type == 2) return at<std::uint8_t>(data, i);
    return type == 3 ? at<std::int8_t>(data, i) : at<std::int32_t>(data, i);
}
GPU_DEVICE int zero_at(const void* data, int type, long long i) { return data ? integer_at(data, type, i) : 0; }

GPU_DEVICE void store_level(void* y, int type, long long i, float level) {
    if (type == 2)
        static_cast<std::uint8_t*>(y)[i] = level > 0 ? level < 255 ? static_cast<std::uint8_t>(level) : 255 : 0;
    else
        static_cast<std::int8_t*>(y)[i] = level > -128 ? level < 127 ? static_cast<std::int8_t>(level) : 127
                                                       : static_cast<std::int8_t>(level <= -128 ? -128 : 0);
}

GPU_GLOBAL void quantize(QuantizeArgs args) {
    kernel_begin();
    for (int i = global_thread(); i < args.count; i += all_threads()) {
        const int of = i / args.inner % args.parameters;
        const float x = load_as<float>(args.x, args.float_type, i);
        store_level(args.y, args.integer_type, i,
                    std::rint(x / args.scale[of]) + static_cast<float>(zero_at(args.zero, args.integer_type, of)));
    }
}

GPU_GLOBAL void dequantize(QuantizeArgs args) {
    kernel_begin();
    for (int i = global_thread(); i < args.count; i += all_threads()) {
        const int of = i / args.inner % args.parameters;
        const int level = integer_at(args.x, args.integer_type, i) - zero_at(args.zero, args.integer_type, of);
        store_as<float>(args.y, args.float_type, i, static_cast<float>(level) * args.scale[of]);
    }
}

struct Smaller {
    GPU_METHOD float operator()(float a, float b) const { return a < b ? a : b; }
};
struct Greater {
    GPU_METHOD float operator()(float a, float b) const { return a > b ? a : b; }
};

GPU_GLOBAL void dynamic_range(const float* x, int count, float* scale, std::uint8_t* zero) {
    kernel_begin();
    float low = 0, high = 0;
    for (int i = static_cast<int>(thread_index()); i < count; i += static_cast<int>(reduce_threads)) {
        low = Smaller()(x[i], low);
        high = Greater()(x[i], high);
    }
    low = block_reduce(low, Smaller());
    high = block_reduce(high, Greater());
    if (thread_index() != 0) return;
    const float step = high == low ? 1.0f : (high - low) / 255.0f;
    *scale = step;
    *zero = static_cast<std::uint8_t>(std::rint(clipped(0.0f - low / step, 0.0f, 255.0f)));
}

GPU_DEVICE void store_sum(const Requantize& r, void* y, int sum, int filter, long long place) {
    if (r.type == 6) {
        static_cast<std::int32_t*>(y)[place] = sum;
        return;
    }
    const float w_scale = r.w_scale[r.is_per_filter ? filter : 0];
    if (r.type == 1) {
        const float scaled = static_cast<float>(sum) * (*r.x_scale * w_scale);
        static_cast<float*>(y)[place] = r.float_bias ? scaled + r.float_bias[filter] : scaled;
        return;
    }
    const float multiplier = *r.x_scale * w_scale / *r.y_scale;
    const int biased = multiply_add(1, r.bias ? r.bias[filter] : 0, sum);
    store_level(y, r.type, place,
                std::rint(static_cast<float>(biased) * multiplier) + static_cast<float>(zero_at(r.y_zero, r.type, 0)));
}

constexpr int tile_m = 32, tile_n = 64, per_m = 4, per_n = 8, tile_threads = (tile_m / per_m) * (tile_n / per_n);

/// Where the matrices of a batch begin.
struct BatchPlace {
    long long a = 0, b = 0;
};
GPU_DEVICE BatchPlace place_of(const ProductArgs& p, int batch) {
    BatchPlace place;
    for (int axis = p.batch_rank - 1; axis >= 0; --axis) {
        const int at = batch % p.batch_dims[axis];
        batch /= p.batch_dims[axis];
        place.a += static_cast<long long>(at) * p.a_batch[axis];
        place.b += static_cast<long long>(at) * p.b_batch[axis];
    }
    return place;
}

/// Runs `tile(place, store)` for each batch of the block.
template <typename Tile>
GPU_DEVICE void for_batches(const IntegerProductArgs& args, const Tile& tile) {
    const ProductArgs& p = args.product;
    for (int batch = static_cast<int>(block_z()); batch < p.batch; batch += static_cast<int>(grid_z()))
        tile(place_of(p, batch), [&](int row, int column, int sum) {
            if (row < p.m && column < p.n)
                store_sum(args.requantize, p.y, sum, column,
                          (static_cast<long long>(batch) * p.m + row) * p.n + column);
        });
}

constexpr int few_rows = 8;  // or filters: more of a tile of tensor cores would be empty
constexpr int skinny_columns = 32, skinny_threads = 256;

/// At most 8 rows: memory-bound. Threads of a warp have neighbouring columns; warps share k out.
template <typename Store>
GPU_DEVICE void skinny_product(const IntegerProductArgs& args, const BatchPlace& of, const Store& store) {
    constexpr int parts = skinny_threads / skinny_columns;
    GPU_SHARED int partial[parts][few_rows][skinny_columns];
    const ProductArgs& p = args.product;
    const int thread = static_cast<int>(thread_index()), lane = thread % skinny_columns, part = thread / skinny_columns;
    const int first = static_cast<int>(block_x()) * skinny_columns, column = first + lane;
    const int depth = column < p.n ? p.k : 0;
    int a_zero[few_rows], sum[few_rows] = {};
    GPU_UNROLL for (int row = 0; row < few_rows; ++row) a_zero[row] =
        row < p.m ? zero_at(args.a_zero, args.a_type, args.is_a_zero_per_row ? row : 0) : 0;
    const int b_zero = column < p.n ? zero_at(args.b_zero, args.b_type, args.is_b_zero_per_column ? column : 0) : 0;
    for (int k = part; k < depth; k += parts) {
        const long long of_k = static_cast<long long>(k) * p.b_row;
        const int y =
            integer_at(p.b, args.b_type, of.b + of_k + static_cast<long long>(column) * p.b_column) - b_zero;
        GPU_UNROLL for (int row = 0; row < few_rows; ++row) {
            if (row >= p.m) continue;
            const long long at = static_cast<long long>(row) * p.a_row + static_cast<long long>(k) * p.a_column;
            sum[row] = multiply_add(integer_at(p.a, args.a_type, of.a + at) - a_zero[row], y, sum[row]);
        }
    }
    GPU_UNROLL for (int row = 0; row < few_rows; ++row) partial[part][row][lane] = sum[row];
    block_barrier();
    for (int i = thread; i < few_rows * skinny_columns; i += skinny_threads) {
        const int row = i / skinny_columns, at = i % skinny_columns;
        int total = 0;
        GPU_UNROLL for (int other = 0; other < parts; ++other) total = multiply_add(partial[other][row][at], 1, total);
        store(row, first + at, total);
    }
    block_barrier();
}

GPU_GLOBAL void integer_product_skinny(IntegerProductArgs args) {
    kernel_begin();
    for_batches(args, [&](const BatchPlace& of, const auto& store) { skinny_product(args, of, store); });
}

GPU_GLOBAL void integer_product_mma(IntegerProductArgs args, bool a_in_words) {
    kernel_begin();
    const ProductArgs& p = args.product;
    const TilePlace first = first_of_tile(p.m, p.n, mma_tile, mma_tile);
    const auto a_zero = [&](int row) {
        return row < p.m ? signed_zero(args.a_zero, args.a_type, args.is_a_zero_per_row ? row : 0) : 0;
    };
    const auto b_zero = [&](int column) {
        return column < p.n ? signed_zero(args.b_zero, args.b_type, args.is_b_zero_per_column ? column : 0) : 0;
    };
    for_batches(args, [&](const BatchPlace& of, const auto& store) {
        const auto a = [&](int row, int k) {
            if (row >= p.m) return 0u;
            const long long begin = of.a + static_cast<long long>(row) * p.a_row;
            if (a_in_words && k < p.k) return signed_word(p.a, args.a_type, begin + k);
            return word_of_bytes([&](int i) {
                return k + i < p.k
                           ? signed_byte(p.a, args.a_type, begin + static_cast<long long>(k + i) * p.a_column)
                           : a_zero(row);
            });
        };
        const auto b = [&](int k, int column) {
            if (column >= p.n) return 0u;
            const long long begin = of.b + static_cast<long long>(column) * p.b_column;
            return word_of_bytes([&](int i) {
                return k + i < p.k ? signed_byte(p.b, args.b_type, begin + static_cast<long long>(k + i) * p.b_row)
                                   : b_zero(column);
            });
        };
        tile_product_bytes(first.row, first.column, p.k, a, b, a_zero, b_zero, store, p.a_column == 1, p.b_column != 1,
                           args.is_b_zero_per_column || b_zero(0) != 0, args.is_a_zero_per_row || a_zero(0) != 0);
    });
}

/// Runs `tile(first filter, where the image begins, store)` for each image and group of the block.
template <typename Tile>
GPU_DEVICE void for_images(const IntegerConvolutionArgs& args, const Tile& tile) {
    const ConvolutionArgs& c = args.convolution;
    const int pixels = volume(c.window.output);
    for (int z = static_cast<int>(block_z()); z < c.batch * c.groups; z += static_cast<int>(grid_z())) {
        const int first_filter = z % c.groups * c.filters;
        tile(first_filter, static_cast<long long>(z) * c.channels * volume(c.window.input),
             [&](int row, int column, int sum) {
                 if (row < c.filters && column < pixels)
                     store_sum(args.requantize, c.y, sum, first_filter + row,
                               (static_cast<long long>(z) * c.filters + row) * pixels + column);
             });
    }
}

/// Few filters.
GPU_GLOBAL void integer_convolution(IntegerConvolutionArgs args) {
    kernel_begin();
    const ConvolutionArgs& c = args.convolution;
    const int taps = c.channels * volume(c.window.kernel), pixels = volume(c.window.output);
    const TilePlace first = first_of_tile(c.filters, pixels, tile_m, tile_n);
    for_images(args, [&](int first_filter, long long image, const auto& store) {
        WindowReader reader(c.window);
        const int x_zero = zero_at(args.x_zero, args.x_type, 0);
        const auto a = [&](int row, int k) {
            if (row >= c.filters || k >= taps) return 0;
            return integer_at(c.w, args.w_type, (static_cast<long long>(first_filter) + row) * taps + k) -
                   zero_at(args.w_zero, args.w_type, args.requantize.is_per_filter ? first_filter + row : 0);
        };
        const auto b = [&](int k, int column) {
            if (k >= taps || column >= pixels) return 0;
            const int offset = reader.offset(k, column);
            return offset < 0 ? 0 : integer_at(c.x, args.x_type, image + offset) - x_zero;
        };
        tile_product_exact<int, tile_m, tile_n, per_m, per_n>(first.row, first.column, taps, a, b, store, true, false);
    });
}

GPU_GLOBAL void integer_convolution_mma(IntegerConvolutionArgs args, bool w_in_words) {
    kernel_begin();
    const ConvolutionArgs& c = args.convolution;
    const int taps = c.channels * volume(c.window.kernel), pixels = volume(c.window.output);
    const int x_zero = signed_zero(args.x_zero, args.x_type, 0);
    const TilePlace first = first_of_tile(c.filters, pixels, mma_tile, mma_tile);
    for_images(args, [&](int first_filter, long long image, const auto& store) {
        WindowReader reader(c.window);
        const auto w_zero = [&](int row) {
            const int filter = args.requantize.is_per_filter ? first_filter + row : 0;
            return row < c.filters ? signed_zero(args.w_zero, args.w_type, filter) : 0;
        };
        const auto a = [&](int row, int k) {
            if (row >= c.filters) return 0u;
            const long long begin = (static_cast<long long>(first_filter) + row) * taps;
            if (w_in_words && k < taps) return signed_word(c.w, args.w_type, begin + k);
            return word_of_bytes(
                [&](int i) { return k + i < taps ? signed_byte(c.w, args.w_type, begin + k + i) : w_zero(row); });
        };
        const auto b = [&](int k, int column) {
            if (column >= pixels) return 0u;
            return word_of_bytes([&](int i) {
                const int offset = k + i < taps ? reader.offset(k + i, column) : -1;
                return offset < 0 ? x_zero : signed_byte(c.x, args.x_type, image + offset);
            });
        };
        tile_product_bytes(first.row, first.column, taps, a, b, w_zero, [&](int) { return x_zero; }, store, true, false,
                           x_zero != 0, args.requantize.is_per_filter || w_zero(0) != 0);
    });
}

/// One thread per element of the output.
GPU_GLOBAL void direct_integer_convolution(IntegerConvolutionArgs args) {
    kernel_begin();
    const ConvolutionArgs& c = args.convolution;
    const int taps = c.channels * volume(c.window.kernel), pixels = volume(c.window.output);
    const int filters = c.groups * c.filters, count = c.batch * filters * pixels;
    for (int i = global_thread(); i < count; i += all_threads()) {
        const int pixel = i % pixels, filter = i / pixels % filters, image = i / pixels / filters;
        const int x_zero = zero_at(args.x_zero, args.x_type, 0);
        const int w_zero = zero_at(args.w_zero, args.w_type, args.requantize.is_per_filter ? filter : 0);
        const long long from =
            (static_cast<long long>(image) * c.groups + filter / c.filters) * c.channels * volume(c.window.input);
        WindowReader reader(c.window);
        int sum = 0;
        for (int k = 0; k < taps; ++k) {
            const int offset = reader.offset(k, pixel);
            if (offset < 0) continue;
            sum = multiply_add(integer_at(c.w, args.w_type, static_cast<long long>(filter) * taps + k) - w_zero,
                               integer_at(c.x, args.x_type, from + offset) - x_zero, sum);
        }
        store_sum(args.requantize, c.y, sum, filter, i);
    }
}

/// An element of the weight, from its block's bits.
template <typename T>
GPU_DEVICE float block_weight(const BlockProductArgs& args, int column, int k) {
    const int per_byte = 8 / args.bits, mask = (1 << args.bits) - 1, block = k / args.block, inner = k % args.block;
    const long long of = static_cast<long long>(column) * args.blocks + block;
    const int level = args.b[of * args.blob + inner / per_byte] >> (inner % per_byte * args.bits) & mask;
    int zero = 1 << (args.bits - 1);
    if (args.zeros)
        zero = args.zeros[static_cast<long long>(column) * args.zero_row + block / per_byte] >>
                   (block % per_byte * args.bits) &
               mask;
    return static_cast<float>(level - zero) * load_element(static_cast<const T*>(args.scales) + of);
}

template <typename T>
GPU_DEVICE void store_block_sum(const BlockProductArgs& args, int row, int column, float sum) {
    if (row >= args.m || column >= args.n) return;
    if (args.bias) sum += load_element(static_cast<const T*>(args.bias) + column);
    store_element(static_cast<T*>(args.y) + static_cast<long long>(row) * args.n + column, sum);
}

template <typename T>
GPU_GLOBAL void block_product(BlockProductArgs args) {
    kernel_begin();
    const auto a = [&](int row, int k) {
        return row < args.m && k < args.k
                   ? load_element(static_cast<const T*>(args.a) + static_cast<long long>(row) * args.k + k)
                   : 0.0f;
    };
    const auto b = [&](int k, int column) {
        return k < args.k && column < args.n ? block_weight<T>(args, column, k) : 0.0f;
    };
    const auto store = [&](int row, int column, float sum) { store_block_sum<T>(args, row, column, sum); };
    const TilePlace first = first_of_tile(args.m, args.n, tile_m, tile_n);
    tile_product_exact<float, tile_m, tile_n, per_m, per_n>(first.row, first.column, args.k, a, b, store, true, true);
}

constexpr int row_columns = 4;

/// One row of a: a warp per column reads its weights once.
template <typename T>
GPU_GLOBAL void block_product_of_row(BlockProductArgs args) {
    kernel_begin();
    const int lane = static_cast<int>(thread_index()) % 32, row = static_cast<int>(block_y());
    const int column = static_cast<int>(block_x()) * row_columns + static_cast<int>(thread_index()) / 32;
    float sum = 0;
    for (int k = lane; k < args.k; k += 32)
        if (column < args.n)
            sum = multiply_add(load_element(static_cast<const T*>(args.a) + static_cast<long long>(row) * args.k + k),
                               block_weight<T>(args, column, k), sum);
    sum = warp_sum(sum);
    if (lane == 0) store_block_sum<T>(args, row, column, sum);
}

unsigned tiles(int size, int tile) { return static_cast<unsigned>((size + tile - 1) / tile); }

/// Whether all rows of a lie in words of four bytes along k.
bool is_a_in_words(const ProductArgs& p) {
    int odd = p.k | p.a_row;
    for (int axis = 0; axis < p.batch_rank; ++axis) odd |= p.a_batch[axis];
    return p.a_column == 1 && odd % 4 == 0 && reinterpret_cast<std::uintptr_t>(p.a) % 4 == 0;
}

template <typename T>
void launch_block_product_of(Queue& queue, const BlockProductArgs& args) {
    const Grid few{tiles(args.n, row_columns), static_cast<unsigned>(args.m), 1},
        many = tile_grid(tiles(args.m, tile_m), tiles(args.n, tile_n), 1);
    constexpr unsigned few_threads = 32 * row_columns, many_threads = tile_threads;
    if (args.m <= 4) GPU_LAUNCH(block_product_of_row<T>, few, few_threads, queue, args);
    else GPU_LAUNCH(block_product<T>, many, many_threads, queue, args);
}

}  // namespace

void launch_quantize(Queue& queue, const QuantizeArgs& args) {
    if (args.count > 0) GPU_LAUNCH_FREE(quantize, grid_for(args.count), free_threads, queue, args);
}

void launch_dequantize(Queue& queue, const QuantizeArgs& args) {
    if (args.count > 0) GPU_LAUNCH_FREE(dequantize, grid_for(args.count), free_threads, queue, args);
}

void launch_dynamic_range(Queue& queue, const float* x, std::int32_t count, float* scale, std::uint8_t* zero) {
    const Grid one{1, 1, 1};
    GPU_LAUNCH(dynamic_range, one, reduce_threads, queue, x, count, scale, zero);
}

void launch_integer_product(Queue& queue, const IntegerProductArgs& args) {
    const ProductArgs& p = args.product;
    if (p.m == 0 || p.n == 0 || p.batch == 0) return;
    if (p.m > few_rows) {
        const Grid grid = tile_grid(tiles(p.m, mma_tile), tiles(p.n, mma_tile), p.batch);
        GPU_LAUNCH(integer_product_mma, grid, mma_threads, queue, args, is_a_in_words(p));
        return;
    }
    const Grid grid = tile_grid(1, tiles(p.n, skinny_columns), p.batch);
    GPU_LAUNCH(integer_product_skinny, grid, skinny_threads, queue, args);
}

void launch_integer_convolution(Queue& queue, const IntegerConvolutionArgs& args) {
    const ConvolutionArgs& c = args.convolution;
    const int pixels = c.window.output[0] * c.window.output[1] * c.window.output[2];
    const long long images = static_cast<long long>(c.batch) * c.groups;
    if (pixels == 0 || c.filters == 0 || c.batch == 0) return;
    if (c.channels < 4 && c.filters < 4) {
        const long long count = static_cast<long long>(c.batch) * c.groups * c.filters * pixels;
        GPU_LAUNCH_FREE(direct_integer_convolution, grid_for(count), free_threads, queue, args);
        return;
    }
    if (c.filters > few_rows) {
        const Grid grid = tile_grid(tiles(c.filters, mma_tile), tiles(pixels, mma_tile), images);
        const int taps = c.channels * c.window.kernel[0] * c.window.kernel[1] * c.window.kernel[2];
        const bool w_in_words = taps % 4 == 0 && reinterpret_cast<std::uintptr_t>(c.w) % 4 == 0;
        GPU_LAUNCH(integer_convolution_mma, grid, mma_threads, queue, args, w_in_words);
        return;
    }
    const Grid grid = tile_grid(tiles(c.filters, tile_m), tiles(pixels, tile_n), images);
    constexpr unsigned threads = tile_threads;
    GPU_LAUNCH(integer_convolution, grid, threads, queue, args);
}

void launch_block_product(Queue& queue, const BlockProductArgs& args) {
    if (args.m == 0 || args.n == 0) return;
    if (args.type == 10) launch_block_product_of<half_t>(queue, args);
    else if (args.type == 16) launch_block_product_of<bfloat_t>(queue, args);
    else launch_block_product_of<float>(queue, args);
}

}  // namespace lapidary::cuda
