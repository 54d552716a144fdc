// SPDX-License-Identifier: Apache-2.0
// Products of few rows of bytes. They are memory-bound, so many threads read the weights once.
// Tensor cores multiply 16 columns of the weights at a time by up to 8 rows. Their operands are
// signed bytes: 128 is subtracted from a u8 and its zero point.
#include "kernels/integer/byte_product.cuh"
#include "kernels/integer/integer_product.h"
#include "kernels/integer/requantize.cuh"

namespace lapidary::cuda {
namespace {

GPU_DEVICE int signed_zero(const void* data, int type, long long i) {
    return zero_at(data, type, i) - (type == 2 ? 128 : 0);
}
/// The bits to flip to turn four bytes of the type into signed ones.
GPU_DEVICE std::uint32_t flip_of(int type) { return type == 2 ? 0x80808080u : 0u; }
/// A mask of the bytes of a word from k on that are below `depth`.
GPU_DEVICE std::uint32_t bytes_before(int depth, int k) {
    const int there = depth - k;
    return there >= 4 ? ~0u : there <= 0 ? 0u : (1u << (8 * there)) - 1;
}

/// Layout of weights: rows in pieces of 16, 8 or 4 bytes, words along k, or anything else.
enum class WeightLayout : std::uint8_t { rows, along_k, any };

/// Loads words of four bytes along k for `width` columns. Columns beyond the end repeat the last
/// one.
template <WeightLayout layout, int width>
class WeightReader {
public:
    GPU_METHOD WeightReader(const std::uint8_t* b, const ProductArgs& p, int column, int type)
        : depth_(p.k), row_(p.b_row), flip_(flip_of(type)) {
        if constexpr (layout == WeightLayout::rows) {
            first_[0] = b + (column < p.n ? column : p.n - width);
        } else {
            GPU_UNROLL for (int c = 0; c < width; ++c) first_[c] =
                b + static_cast<long long>(column + c < p.n ? column + c : p.n - 1) * p.b_column;
        }
    }
    /// Loads `width` words at k as they are stored; where they exist only partly, as signed bytes
    /// with zeros.
    template <bool is_whole>
    GPU_METHOD void read(int k, std::uint32_t* raw) const {
        if constexpr (layout == WeightLayout::rows) {
            GPU_UNROLL for (int i = 0; i < 4; ++i) read_row(
                is_whole || k + i < depth_, first_[0] + static_cast<long long>(k + i) * row_,
                raw + i * (width / 4), is_whole ? 0u : flip_);
        } else {
            GPU_UNROLL for (int c = 0; c < width; ++c) {
                raw[c] = word_of<is_whole>(first_[c], k);
                if constexpr (!is_whole) raw[c] = (raw[c] ^ flip_) & bytes_before(depth_, k);
            }
        }
    }
    /// Transposes what read() returned to words along k.
    template <bool is_whole>
    GPU_METHOD void turn(const std::uint32_t* raw, std::uint32_t (&words)[width]) const {
        const std::uint32_t flip = is_whole ? flip_ : 0u;
        if constexpr (layout == WeightLayout::rows) {
            GPU_UNROLL for (int w = 0; w < width / 4; ++w) {  // transposes four by four bytes
                std::uint32_t r[4];
                GPU_UNROLL for (int i = 0; i < 4; ++i) r[i] = raw[i * (width / 4) + w] ^ flip;
                const std::uint32_t low = permute_bytes(r[0], r[1], 0x5140),
                                    high = permute_bytes(r[2], r[3], 0x5140);
                const std::uint32_t next_low = permute_bytes(r[0], r[1], 0x7362),
                                    next_high = permute_bytes(r[2], r[3], 0x7362);
                words[4 * w] = permute_bytes(low, high, 0x5410);
                words[4 * w + 1] = permute_bytes(low, high, 0x7632);
                words[4 * w + 2] = permute_bytes(next_low, next_high, 0x5410);
                words[4 * w + 3] = permute_bytes(next_low, next_high, 0x7632);
            }
        } else {
            GPU_UNROLL for (int c = 0; c < width; ++c) words[c] = raw[c] ^ flip;
        }
    }

private:
    GPU_METHOD static void read_row(bool is_there, const std::uint8_t* from, std::uint32_t* words,
                                    std::uint32_t flip) {
        GPU_UNROLL for (int w = 0; w < width / 4; ++w) words[w] = 0;
        if (!is_there) return;
        if constexpr (width == 16) {
            const Piece piece = *reinterpret_cast<const Piece*>(from);
            GPU_UNROLL for (int w = 0; w < 4; ++w) words[w] = piece.words[w] ^ flip;
        } else if constexpr (width == 8) {
            const auto pair = *reinterpret_cast<const std::uint64_t*>(from);
            words[0] = static_cast<std::uint32_t>(pair) ^ flip;
            words[1] = static_cast<std::uint32_t>(pair >> 32) ^ flip;
        } else {
            words[0] = *reinterpret_cast<const std::uint32_t*>(from) ^ flip;
        }
    }
    template <bool is_whole>
    GPU_METHOD std::uint32_t word_of(const std::uint8_t* from, int k) const {
        if constexpr (layout == WeightLayout::along_k) {
            return is_whole || k < depth_ ? *reinterpret_cast<const std::uint32_t*>(from + k) : 0u;
        } else {
            std::uint32_t word = 0;
            GPU_UNROLL for (int i = 0; i < 4; ++i) if (is_whole || k + i < depth_) word |=
                static_cast<std::uint32_t>(from[static_cast<long long>(k + i) * row_]) << (8 * i);
            return word;
        }
    }

    const std::uint8_t* first_[layout == WeightLayout::rows ? 1 : width];
    int depth_, row_;
    std::uint32_t flip_;
};

/// The sums of a warp: `width` columns for each of 8 groups of lanes.
template <int width>
struct FewSums {
    int of[width / 2][4] = {};
    int row = 0, columns[width] = {};

    GPU_METHOD void add(const std::uint32_t (&low)[width], const std::uint32_t (&high)[width],
                        const std::uint32_t (&rows)[2]) {
        GPU_UNROLL for (int i = 0; i < width / 2; ++i) {
            const std::uint32_t weights[4] = {low[2 * i], low[2 * i + 1], high[2 * i],
                                              high[2 * i + 1]};
            mma_bytes<true, true>(of[i], weights, rows);
        }
        row = add_bytes<true>(rows[1], add_bytes<true>(rows[0], row));
        GPU_UNROLL for (int c = 0; c < width; ++c) columns[c] =
            add_bytes<true>(high[c], add_bytes<true>(low[c], columns[c]));
    }
};

template <int width>
constexpr int few_warps = width == 16 ? 8 : 16;  // warps of a block, which share k

/// The sums of a block's warps in shared memory: rows of the product, then sums of columns, then
/// sums of rows.
template <int width>
struct FewShared {
    static constexpr int columns = 8 * width, warps = few_warps<width>;
    int of[warps][byte_rows + 1][columns];
    int rows[warps][byte_rows];
};

template <int width>
GPU_DEVICE void share_sums(FewShared<width>& shared, const FewSums<width>& sums) {
    const int lane = static_cast<int>(thread_index()) % 32,
              warp = static_cast<int>(thread_index()) / 32;
    const int group = lane / 4, quarter = lane % 4;
    const auto of_quad = [](int v) {
        v += shuffle_xor(v, 1);
        return v + shuffle_xor(v, 2);
    };
    GPU_UNROLL for (int i = 0; i < width / 2; ++i) GPU_UNROLL for (int e = 0; e < 4; ++e)
        shared.of[warp][2 * quarter + e % 2][width * group + 2 * i + e / 2] = sums.of[i][e];
    GPU_UNROLL for (int c = 0; c < width; ++c) {
        const int sum = of_quad(sums.columns[c]);
        if (quarter == 0) shared.of[warp][byte_rows][width * group + c] = sum;
    }
    const int of_row = of_quad(sums.row);
    if (quarter == 0) shared.rows[warp][group] = of_row;
}

/// Adds four neighbours of a row of the result over all warps.
template <int width>
GPU_DEVICE void finish_few(const IntegerProductArgs& args, const FewShared<width>& shared, int row,
                           int c, int column, long long output) {
    const ProductArgs& p = args.product;
    const int count = p.n - column;
    if (row >= p.m || count <= 0) return;
    int products[4] = {}, columns[4] = {}, of_row = 0, sum[4];
    GPU_UNROLL for (int warp = 0; warp < few_warps<width>; ++warp) {
        GPU_UNROLL for (int i = 0; i < 4; ++i) {
            products[i] = multiply_add(1, shared.of[warp][row][c + i], products[i]);
            columns[i] += shared.of[warp][byte_rows][c + i];
        }
        of_row += shared.rows[warp][row];
    }
    const int a_zero = signed_zero(args.a_zero, args.a_type, args.is_a_zero_per_row ? row : 0);
    GPU_UNROLL for (int i = 0; i < 4; ++i) {
        const int at = args.is_b_zero_per_column ? column + (i < count ? i : 0) : 0;
        sum[i] = ByteSum{products[i], of_row, columns[i]}.without(
            a_zero, signed_zero(args.b_zero, args.b_type, at), p.k);
    }
    const Requantize& r = args.requantize;
    const auto scale = [&](int i) { return i < count ? scale_of(r, column + i) : FilterScale(); };
    with_kind(r, [&](auto kind) {
        store_sums(kind, r, zero_of_output(r), p.y,
                   output + static_cast<long long>(row) * p.n + column, sum, scale, count,
                   count >= 4 && p.n % 4 == 0);
    });
}

constexpr int few_step = 32;  // elements along k that a warp multiplies at once

/// Multiplies steps along k that are `apart` from each other; all are loaded before the first is
/// multiplied. Lanes of quarter q hold the elements from 4 * q and from 16 + 4 * q on. `row`: a row
/// of a, in words along k.
template <int steps, bool is_whole, WeightLayout layout, int width>
GPU_DEVICE void add_steps(FewSums<width>& sums, const WeightReader<layout, width>& weights,
                          const std::uint8_t* row, int k, int apart, int depth,
                          std::uint32_t flip) {
    std::uint32_t raw[steps][2][width], rows[steps][2];
    GPU_UNROLL for (int i = 0; i < steps; ++i) GPU_UNROLL for (int half = 0; half < 2; ++half) {
        const int at = k + i * apart + half * 16;
        weights.template read<is_whole>(at, raw[i][half]);
        rows[i][half] =
            is_whole || at < depth ? *reinterpret_cast<const std::uint32_t*>(row + at) : 0u;
    }
    GPU_UNROLL for (int i = 0; i < steps; ++i) {
        std::uint32_t words[2][width];
        GPU_UNROLL for (int half = 0; half < 2; ++half) {
            weights.template turn<is_whole>(raw[i][half], words[half]);
            rows[i][half] ^= flip;
            if constexpr (!is_whole) rows[i][half] &= bytes_before(depth, k + half * 16);
        }
        sums.add(words[0], words[1], rows[i]);
    }
}

template <WeightLayout layout, int width>
GPU_GLOBAL void few_byte_rows(IntegerProductArgs args) {
    kernel_begin();
    GPU_SHARED FewShared<width> shared;
    constexpr int warps = few_warps<width>, columns = FewShared<width>::columns,
                  at_once = width == 4 ? 3 : 16 / width;
    const ProductArgs& p = args.product;
    const int lane = static_cast<int>(thread_index()) % 32,
              warp = static_cast<int>(thread_index()) / 32;
    const int group = lane / 4, quarter = lane % 4;
    const int first = static_cast<int>(block_x()) * columns, whole = p.k / few_step,
              begin = quarter * 4;
    const std::uint32_t flip = flip_of(args.a_type);
    for (int batch = static_cast<int>(block_z()); batch < p.batch;
         batch += static_cast<int>(grid_z())) {
        const BatchPlace of = place_of(p, batch);
        const WeightReader<layout, width> weights(static_cast<const std::uint8_t*>(p.b) + of.b, p,
                                                  first + width * group, args.b_type);
        const std::uint8_t* const row =
            static_cast<const std::uint8_t*>(p.a) + of.a +
            static_cast<long long>(group < p.m ? group : p.m - 1) * p.a_row;
        FewSums<width> sums;
        int i = warp;
        for (; i + (at_once - 1) * warps < whole; i += at_once * warps)
            add_steps<at_once, true>(sums, weights, row, i * few_step + begin, warps * few_step,
                                     p.k, flip);
        GPU_ROLLED for (; i < whole; i += warps)
            add_steps<1, true>(sums, weights, row, i * few_step + begin, 0, p.k, flip);
        if (whole * few_step < p.k && warp == whole % warps)
            add_steps<1, false>(sums, weights, row, whole * few_step + begin, 0, p.k, flip);
        share_sums(shared, sums);
        block_barrier();
        for (int i = static_cast<int>(thread_index()); i < byte_rows * columns / 4;
             i += 32 * warps) {
            const int c = i % (columns / 4) * 4;
            finish_few(args, shared, i / (columns / 4), c, first + c,
                       static_cast<long long>(batch) * p.m * p.n);
        }
        block_barrier();
    }
}

bool is_in_words(const void* data, int odd, const std::int32_t* strides, int axes, int size) {
    for (int axis = 0; axis < axes; ++axis) odd |= strides[axis];
    return odd % size == 0 &&
           reinterpret_cast<std::uintptr_t>(data) % static_cast<unsigned>(size) == 0;
}

template <WeightLayout layout, int width>
void launch_of(Queue& queue, const IntegerProductArgs& args) {
    const ProductArgs& p = args.product;
    constexpr int columns = FewShared<width>::columns;
    const Grid grid = tile_grid(1, static_cast<unsigned>((p.n - 1) / columns + 1), p.batch);
    constexpr unsigned threads = 32 * few_warps<width>;
    GPU_LAUNCH((few_byte_rows<layout, width>), grid, threads, queue, args);
}

}  // namespace

void launch_few_byte_rows(Queue& queue, const IntegerProductArgs& args) {
    const ProductArgs& p = args.product;
    const auto lies_in = [&](int width) {
        return p.b_column == 1 && is_in_words(p.b, p.b_row | p.n, p.b_batch, p.batch_rank, width);
    };
    const auto fills = [&](int width) {  // a device of many multiprocessors
        constexpr long long enough_blocks = 120;
        return static_cast<long long>(p.batch) * ((p.n - 1) / (8 * width) + 1) >= enough_blocks;
    };
    if (lies_in(16) && fills(16)) launch_of<WeightLayout::rows, 16>(queue, args);
    else if (lies_in(8) && fills(8)) launch_of<WeightLayout::rows, 8>(queue, args);
    else if (lies_in(4)) launch_of<WeightLayout::rows, 4>(queue, args);
    else if (p.b_row == 1 && is_in_words(p.b, p.b_column | p.k, p.b_batch, p.batch_rank, 4))
        launch_of<WeightLayout::along_k, 4>(queue, args);
    else launch_of<WeightLayout::any, 4>(queue, args);
}

}  // namespace lapidary::cuda
