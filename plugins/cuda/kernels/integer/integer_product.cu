// SPDX-License-Identifier: Apache-2.0
#include "kernels/integer/integer_product.h"

#include "kernels/integer/byte_product.cuh"
#include "kernels/product/product_parts.cuh"
#include "kernels/integer/requantize.cuh"

namespace lapidary::cuda {
namespace {

/// Large tiles are only used for results without parts.
template <typename Tile>
constexpr bool has_parts = Tile::n == 64;

/// The work of a block: one part of one product of the batch.
struct ByteItem {
    int batch, part, begin, depth;
    long long output;  // where it begins
};
GPU_DEVICE ByteItem item_of(const IntegerProductArgs& args, int item) {
    const int part = item % args.parts, batch = item / args.parts, begin = part * args.part_depth;
    const int left = args.product.k - begin;
    return {batch, part, begin, left < args.part_depth ? left : args.part_depth,
            static_cast<long long>(batch) * args.product.m * args.product.n};
}

/// The parameters of a thread's four columns.
struct ByteColumns {
    int column, count;
    int zero[4], sum[4];
    FilterScale scale[4];
};

/// Calls use(row, columns, sums) with zero points subtracted.
template <typename Tile, typename Sums, typename Scale, typename Use>
GPU_DEVICE void for_sums(const IntegerProductArgs& args, const TilePlace& first,
                         const ByteItem& item, const Sums& sums, int* totals, const Scale& scale,
                         const Use& use) {
    const ProductArgs& p = args.product;
    for_sums_of_tile<Tile>(
        sums, totals,
        [&](int c) {
            ByteColumns of;
            of.column = first.column + c;
            of.count = p.n - of.column;
            GPU_UNROLL for (int i = 0; i < 4; ++i) {
                const bool is_there = i < of.count;
                of.zero[i] = is_there && Sums::has_row_sums
                                 ? zero_at(args.b_zero, args.b_type,
                                           args.is_b_zero_per_column ? of.column + i : 0)
                                 : 0;
                of.sum[i] = Sums::has_column_sums ? totals[Tile::m + c + i] : 0;
                if (is_there) of.scale[i] = scale(of.column + i);
            }
            return of;
        },
        [&](const ByteColumns& of, int r, const int(&products)[4]) {
            const int row = first.row + r;
            if (row >= p.m || of.count <= 0) return;
            const int a_zero = Sums::has_column_sums ? zero_at(args.a_zero, args.a_type,
                                                               args.is_a_zero_per_row ? row : 0)
                                                     : 0;
            const int row_sum = Sums::has_row_sums ? totals[r] : 0;
            int sum[4];
            GPU_UNROLL for (int i = 0; i < 4; ++i) sum[i] =
                ByteSum{products[i], row_sum, of.sum[i]}.without(a_zero, of.zero[i], item.depth);
            use(row, of, sum);
        });
}

/// Adds the sums of all parts of the block's tile.
template <typename Tile>
GPU_DEVICE void add_parts(const IntegerProductArgs& args, const TilePlace& first,
                          const ByteItem& item) {
    const ProductArgs& p = args.product;
    const Requantize& r = args.requantize;
    const float y_zero = zero_of_output(r);
    const long long step = static_cast<long long>(p.batch) * p.m * p.n;
    constexpr int along = Tile::n / 4;
    for (int i = static_cast<int>(thread_index()); i < Tile::m * along; i += Tile::threads) {
        const int row = first.row + i / along, column = first.column + i % along * 4,
                  count = p.n - column;
        if (row >= p.m || count <= 0) continue;
        const bool is_whole = count >= 4 && p.n % 4 == 0;
        const long long place = item.output + static_cast<long long>(row) * p.n + column;
        int sum[4] = {};
        GPU_UNROLL_4 for (int part = 0; part < args.parts; ++part) {
            float of_part[4];  // integers, by their bits
            load_fresh_quad(reinterpret_cast<const float*>(args.partial) + part * step + place,
                            of_part, count, is_whole);
            GPU_UNROLL for (int e = 0; e < 4; ++e) sum[e] =
                multiply_add(1, static_cast<int>(bits_of(of_part[e])), sum[e]);
        }
        const auto scale = [&](int e) {
            return e < count ? scale_of(r, column + e) : FilterScale();
        };
        with_kind(r, [&](auto kind) {
            store_sums(kind, r, y_zero, p.y, place, sum, scale, count, is_whole);
        });
    }
}

template <typename Tile, typename Sums>
GPU_DEVICE void finish_tile(const IntegerProductArgs& args, const TilePlace& first,
                            const ByteItem& item, const Sums& sums, int* totals) {
    const ProductArgs& p = args.product;
    const auto store = [&](auto kind, const Requantize& r, void* y, long long output) {
        const float y_zero = zero_of_output(r);
        for_sums<Tile>(
            args, first, item, sums, totals, [&](int column) { return scale_of(r, column); },
            [&](int row, const ByteColumns& of, const int(&sum)[4]) {
                store_sums(
                    kind, r, y_zero, y, output + static_cast<long long>(row) * p.n + of.column, sum,
                    [&](int i) { return of.scale[i]; }, of.count, of.count >= 4 && p.n % 4 == 0);
            });
    };
    if constexpr (has_parts<Tile>)
        if (args.parts > 1) {
            const long long of_part = static_cast<long long>(item.part) * p.batch * p.m * p.n;
            store(SumKindTag<SumKind::whole>(), Requantize(), args.partial, of_part + item.output);
            const int counter =
                item.batch * static_cast<int>(grid_x()) + static_cast<int>(block_x());
            if (is_last_part(args.counters + counter, args.parts))
                add_parts<Tile>(args, first, item);
            return;
        }
    with_kind(args.requantize, [&](auto kind) { store(kind, args.requantize, p.y, item.output); });
}

template <typename Tile, bool b_along_k, typename Sums>
GPU_DEVICE void multiply_item(unsigned char* ring, const IntegerProductArgs& args,
                              const TilePlace& first, const ByteItem& item) {
    const ProductArgs& p = args.product;
    const BatchPlace of = place_of(p, item.batch);
    const std::uint8_t* const of_a = static_cast<const std::uint8_t*>(p.a) + of.a +
                                     static_cast<long long>(first.row) * p.a_row + item.begin;
    const std::uint8_t* const of_b = static_cast<const std::uint8_t*>(p.b) + of.b +
                                     static_cast<long long>(first.column) * p.b_column +
                                     static_cast<long long>(item.begin) * p.b_row;
    Sums sums;
    PiecesAlongK<Tile, Tile::m> a(of_a, p.a_row, p.m - first.row, item.depth);
    if constexpr (b_along_k) {
        PiecesAlongK<Tile, Tile::n> b(of_b, p.b_column, p.n - first.column, item.depth);
        finish_tile<Tile>(args, first, item, sums,
                          tile_product_bytes<Tile>(ring, item.depth, a, b, sums));
    } else {
        PiecesAlongN<Tile> b(of_b, p.b_row, p.n - first.column, item.depth);
        finish_tile<Tile>(args, first, item, sums,
                          tile_product_bytes<Tile>(ring, item.depth, a, b, sums));
    }
}

template <typename Tile, bool b_along_k, bool is_a_signed, bool is_b_signed>
GPU_GLOBAL void GPU_BLOCKS_OF(Tile::threads, Tile::blocks)
    integer_product(IntegerProductArgs args) {
    kernel_begin();
    GPU_SHARED_16 unsigned char ring[Tile::ring_size];
    const ProductArgs& p = args.product;
    const TilePlace first = first_of_tile(p.m, p.n, Tile::m, Tile::n);
    const bool sums_rows = args.is_b_zero_per_column || zero_at(args.b_zero, args.b_type, 0) != 0;
    const bool sums_columns = args.is_a_zero_per_row || zero_at(args.a_zero, args.a_type, 0) != 0;
    for (int i = static_cast<int>(block_z()); i < p.batch * args.parts;
         i += static_cast<int>(grid_z())) {
        const ByteItem item = item_of(args, i);
        if (sums_rows)
            multiply_item<Tile, b_along_k,
                          ByteSums<Tile, b_along_k, is_a_signed, is_b_signed, true, true>>(
                ring, args, first, item);
        else if (sums_columns)
            multiply_item<Tile, b_along_k,
                          ByteSums<Tile, b_along_k, is_a_signed, is_b_signed, false, true>>(
                ring, args, first, item);
        else
            multiply_item<Tile, b_along_k,
                          ByteSums<Tile, b_along_k, is_a_signed, is_b_signed, false, false>>(
                ring, args, first, item);
    }
}

template <typename Tile, bool b_along_k>
void launch_of_types(Queue& queue, const Grid& grid, const IntegerProductArgs& args) {
    constexpr unsigned threads = Tile::threads;
    const bool is_a_signed = args.a_type == 3, is_b_signed = args.b_type == 3;
    if (is_a_signed && is_b_signed)
        GPU_LAUNCH((integer_product<Tile, b_along_k, true, true>), grid, threads, queue, args);
    else if (is_a_signed)
        GPU_LAUNCH((integer_product<Tile, b_along_k, true, false>), grid, threads, queue, args);
    else if (is_b_signed)
        GPU_LAUNCH((integer_product<Tile, b_along_k, false, true>), grid, threads, queue, args);
    else GPU_LAUNCH((integer_product<Tile, b_along_k, false, false>), grid, threads, queue, args);
}

unsigned tiles(int size, int tile) { return static_cast<unsigned>((size - 1) / tile + 1); }

template <typename Tile>
void launch_of(Queue& queue, const IntegerProductArgs& args, bool b_along_k) {
    const ProductArgs& p = args.product;
    const Grid grid = tile_grid(tiles(p.m, Tile::m), tiles(p.n, Tile::n),
                                static_cast<long long>(p.batch) * args.parts);
    if (b_along_k) launch_of_types<Tile, true>(queue, grid, args);
    else launch_of_types<Tile, false>(queue, grid, args);
}

constexpr int rounded_up(int value, int to) { return (value + to - 1) / to * to; }

/// Packing of the matrices [rows, columns] of an operand's batch; batch axes that repeat are left
/// out.
BytePack pack_of(const void* from, std::int32_t rows, std::int32_t columns, std::int32_t row,
                 std::int32_t column, const ProductArgs& p, const std::int32_t* strides) {
    BytePack pack;
    pack.from = static_cast<const std::uint8_t*>(from);
    pack.rows = rows;
    pack.columns = columns;
    pack.row = row;
    pack.column = column;
    pack.pitch = rounded_up(columns, 16);
    for (int axis = 0; axis < p.batch_rank; ++axis) {
        pack.batch_dims[axis] = strides[axis] == 0 ? 1 : p.batch_dims[axis];
        pack.batch_strides[axis] = strides[axis];
        pack.batch *= pack.batch_dims[axis];
    }
    pack.batch_rank = p.batch_rank;
    return pack;
}

/// Whether the matrix lies in pieces of `size` bytes.
bool is_in_pieces(const BytePack& pack, int size) {
    int odd = pack.columns | (pack.rows == 1 ? 0 : pack.row);
    for (int axis = 0; axis < pack.batch_rank; ++axis) odd |= pack.batch_strides[axis];
    return pack.column == 1 && odd % size == 0 &&
           reinterpret_cast<std::uintptr_t>(pack.from) % static_cast<unsigned>(size) == 0;
}

/// Strides of the batches of a packed operand.
void set_batches(const BytePack& pack, std::int32_t* strides) {
    std::int32_t step = pack.rows * pack.pitch;
    for (int axis = pack.batch_rank - 1; axis >= 0; --axis) {
        strides[axis] = pack.batch_strides[axis] == 0 ? 0 : step;
        step *= pack.batch_dims[axis];
    }
}

constexpr long long enough_tiles = 100, enough_parts = 132;  // of a device of many multiprocessors
constexpr int least_depth = 640;

}  // namespace

IntegerProductPlan plan_of(const IntegerProductArgs& args) {
    IntegerProductPlan plan;
    const ProductArgs& p = args.product;
    if (p.m == 0 || p.n == 0 || p.batch == 0) return plan;
    plan.part_depth = p.k;
    plan.loop = ByteLoop::few_rows;
    plan.a = pack_of(p.a, p.m, p.k, p.a_row, p.a_column, p, p.a_batch);
    if (p.m <= byte_rows) {
        plan.packs_a = !is_in_pieces(plan.a, 4);
        plan.packed_bytes = plan.packs_a ? plan.a.bytes() : 0;
        return plan;
    }
    plan.b_along_k = p.b_row == 1 && (p.b_column != 1 || p.n == 1);
    plan.b = plan.b_along_k ? pack_of(p.b, p.n, p.k, p.b_column, p.b_row, p, p.b_batch)
                            : pack_of(p.b, p.k, p.n, p.b_row, p.b_column, p, p.b_batch);
    plan.packs_a = !is_in_pieces(plan.a, 16);
    plan.packs_b = !is_in_pieces(plan.b, 16);
    plan.packed_bytes = (plan.packs_a ? plan.a.bytes() : 0) + (plan.packs_b ? plan.b.bytes() : 0);
    const auto blocks_of = [&](int rows, int columns) {
        return static_cast<long long>(tiles(p.m, rows)) * tiles(p.n, columns) * p.batch;
    };
    const bool is_large =
        p.m > 64 && p.n > 64 && blocks_of(BytesLarge::m, BytesLarge::n) >= enough_tiles;
    plan.loop = is_large ? ByteLoop::large : ByteLoop::small;
    const long long blocks = blocks_of(BytesSmall::m, BytesSmall::n);
    if (is_large || p.k < 2 * least_depth || blocks > enough_parts / 2) return plan;
    const long long most = p.k / least_depth, wanted = (enough_parts + blocks - 1) / blocks;
    plan.part_depth = rounded_up(static_cast<int>((p.k - 1) / (wanted < most ? wanted : most) + 1),
                                 BytesSmall::depth);
    plan.parts = (p.k - 1) / plan.part_depth + 1;
    plan.partial_bytes = 4LL * plan.parts * p.batch * p.m * p.n;
    return plan;
}

void launch_integer_product(Queue& queue, const IntegerProductArgs& given, void* memory) {
    IntegerProductPlan plan = plan_of(given);
    IntegerProductArgs args = given;
    ProductArgs& p = args.product;
    args.parts = plan.parts;
    args.part_depth = plan.part_depth;
    if (plan.loop == ByteLoop::none) return;
    auto* to = static_cast<std::uint8_t*>(memory);
    if (plan.packs_a) {
        p.a = plan.a.to = to;
        p.a_row = plan.a.pitch;
        p.a_column = 1;
        set_batches(plan.a, p.a_batch);
        to += plan.a.bytes();
    } else {
        plan.a.rows = 0;
    }
    if (plan.packs_b) {
        p.b = plan.b.to = to;
        (plan.b_along_k ? p.b_column : p.b_row) = plan.b.pitch;
        (plan.b_along_k ? p.b_row : p.b_column) = 1;
        set_batches(plan.b, p.b_batch);
        to += plan.b.bytes();
    } else {
        plan.b.rows = 0;
    }
    if (plan.parts > 1) {
        args.partial = reinterpret_cast<std::int32_t*>(to);
        args.counters = queue.counters;
    }
    launch_byte_packs(queue, plan.a, plan.b);
    if (plan.loop == ByteLoop::few_rows) launch_few_byte_rows(queue, args);
    else if (plan.loop == ByteLoop::large) launch_of<BytesLarge>(queue, args, plan.b_along_k);
    else launch_of<BytesSmall>(queue, args, plan.b_along_k);
}

std::int64_t memory_of(const IntegerProductArgs& args) {
    const IntegerProductPlan plan = plan_of(args);
    return plan.packed_bytes + plan.partial_bytes;
}

}  // namespace lapidary::cuda
