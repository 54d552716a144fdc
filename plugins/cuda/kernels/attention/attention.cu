// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/attention.h"

#include "kernels/attention/attention_score.cuh"
#include "kernels/block_reduce.cuh"

namespace lapidary::cuda {
namespace {

constexpr int tile_queries = 16, tile_keys = 64, row_threads = 8,
              attention_threads = tile_queries * row_threads;
constexpr int columns_per_thread = attention_size / attention_threads;

/// The score of a query with a key, including biases; -infinity where the key is hidden.
template <typename T>
GPU_DEVICE float score_of(const AttentionArgs& args, const float* q, int batch, int head, int query,
                          int key, int length) {
    if (is_hidden(args, batch, head, query, key, length)) return -INFINITY;
    const T* const k =
        static_cast<const T*>(args.k) +
        place_of(args.k_strides, batch, head / (args.heads / args.key_heads), key, 0);
    float sum = 0;
    for (int c = 0; c < args.size; ++c)
        sum = multiply_add(
            q[c], load_element(k + static_cast<long long>(c) * args.k_strides.column), sum);
    return score_of_product(args, sum, batch, head, query, key, length);
}

/// Turns the scores of a tile of keys into weights exp(score - most). Updates `most` and `total`,
/// the sum of weights, for this tile; results of earlier tiles have to be multiplied by `shrink`.
GPU_DEVICE void weigh_tile(int row, int part, float (&p)[tile_queries][tile_keys],
                           float (&parts)[tile_queries][row_threads], float (&most)[tile_queries],
                           float (&total)[tile_queries], float (&shrink)[tile_queries]) {
    float best = most[row];
    for (int key = part; key < tile_keys; key += row_threads) best = Larger()(best, p[row][key]);
    parts[row][part] = best;
    block_barrier();
    for (int other = 0; other < row_threads; ++other) best = Larger()(best, parts[row][other]);
    float share = 0;
    for (int key = part; key < tile_keys; key += row_threads) {
        const float weight = best == -INFINITY ? 0.0f : std::exp(p[row][key] - best);
        p[row][key] = weight;
        share += weight;
    }
    block_barrier();
    parts[row][part] = share;
    block_barrier();
    if (part == 0) {
        shrink[row] = best == -INFINITY ? 1.0f : std::exp(most[row] - best);
        most[row] = best;
        total[row] *= shrink[row];
        for (int other = 0; other < row_threads; ++other) total[row] += parts[row][other];
    }
    block_barrier();
}

/// A block handles 16 queries of a head and a part of its keys, 64 keys at a time.
template <typename T>
GPU_GLOBAL void attention(AttentionArgs args) {
    kernel_begin();
    GPU_SHARED float q[tile_queries][attention_size];
    GPU_SHARED float p[tile_queries][tile_keys];
    GPU_SHARED float parts[tile_queries][row_threads];
    GPU_SHARED float most[tile_queries];
    GPU_SHARED float total[tile_queries];
    GPU_SHARED float shrink[tile_queries];
    const int thread = static_cast<int>(thread_index()), row = thread / row_threads,
              part = thread % row_threads;
    const AttentionBlock block = attention_block(args, tile_queries);
    const int head = block.head, batch = block.batch, first = block.tile * tile_queries;
    const int slice = block.slice, first_key = slice * args.part_keys;
    const int end_key =
        args.keys - first_key < args.part_keys ? args.keys : first_key + args.part_keys;
    const int length = length_of(args, batch);
    for (int i = thread; i < tile_queries * args.size; i += attention_threads) {
        const int r = i / args.size, c = i % args.size;
        const T* const from =
            static_cast<const T*>(args.q) + place_of(args.q_strides, batch, head, first + r, c);
        q[r][c] = first + r < args.queries ? load_element(from) : 0.0f;
    }
    if (part == 0) {
        most[row] = -INFINITY;
        total[row] = 0;
    }
    float sum[columns_per_thread][tile_queries] = {};
    block_barrier();
    for (int at = first_key; at < end_key; at += tile_keys) {
        for (int i = thread; i < tile_queries * tile_keys; i += attention_threads)
            p[i / tile_keys][i % tile_keys] =
                score_of<T>(args, q[i / tile_keys], batch, head, first + i / tile_keys,
                            at + i % tile_keys, length);
        block_barrier();
        weigh_tile(row, part, p, parts, most, total, shrink);
        const int count = end_key - at < tile_keys ? end_key - at : tile_keys;
        GPU_UNROLL for (int j = 0; j < columns_per_thread; ++j) {
            const int column = thread + j * attention_threads;
            if (column >= args.value_size) continue;
            GPU_UNROLL for (int r = 0; r < tile_queries; ++r) sum[j][r] *= shrink[r];
            for (int key = 0; key < count; ++key) {
                const float v =
                    load_element(static_cast<const T*>(args.v) +
                                 place_of(args.v_strides, batch,
                                          head / (args.heads / args.key_heads), at + key, column));
                GPU_UNROLL for (int r = 0; r < tile_queries; ++r) if (p[r][key] != 0.0f) sum[j][r] =
                    multiply_add(p[r][key], v, sum[j][r]);
            }
        }
        block_barrier();
    }
    GPU_UNROLL for (int j = 0; j < columns_per_thread; ++j)
        GPU_UNROLL for (int r = 0; r < tile_queries; ++r) {
        const int column = thread + j * attention_threads;
        if (column >= args.value_size || first + r >= args.queries) continue;
        if (args.parts > 1) part_of(args, slice, batch, head, first + r).sums[column] = sum[j][r];
        else
            store_element(
                static_cast<T*>(args.y) + place_of(args.y_strides, batch, head, first + r, column),
                total[r] == 0 ? args.blind : sum[j][r] / total[r]);
    }
    if (args.parts > 1 && part == 0 && first + row < args.queries) {
        const PartOfQuery of_row = part_of(args, slice, batch, head, first + row);
        *of_row.most = nearer_score(most[row]) * log2_of_e;
        *of_row.total = total[row];
    }
}

/// Joins the parts of a query in order.
template <typename T>
GPU_GLOBAL void join_parts(AttentionArgs args) {
    kernel_begin();
    const int count = args.batch * args.heads * args.queries * args.value_size;
    for (int i = global_thread(); i < count; i += all_threads()) {
        const int row = i / args.value_size, column = i - row * args.value_size,
                  matrix = row / args.queries;
        const int query = row - matrix * args.queries, batch = matrix / args.heads,
                  head = matrix - batch * args.heads;
        SeenKeys<1> seen;
        GPU_UNROLL_4 for (int slice = 0; slice < args.parts; ++slice) {
            const PartOfQuery part = part_of(args, slice, batch, head, query);
            const float sum[1] = {part.sums[column]};
            seen.join(*part.most, *part.total, sum);
        }
        store_element(
            static_cast<T*>(args.y) + place_of(args.y_strides, batch, head, query, column),
            seen.total == 0 ? args.blind : seen.sum[0] / seen.total);
    }
}

// multiprocessors: about as many as large devices have
constexpr int most_parts = 32, multiprocessors = 132;

/// When splitting the keys pays; a split costs about as much as some hundred keys. The members are:
/// most blocks without a split, fewest keys in all and in a part, the number of which a part's keys
/// are a multiple, and how many blocks are enough.
struct SplitRule {
    int tile, most_blocks, keys, keys_of_part, unit, enough_blocks;
};
SplitRule rule_of(const AttentionArgs& args) {
    if (is_for_rows(args)) return {1, 66, 768, 64, 32, 2 * multiprocessors};
    if (is_for_tiles(args)) return {tile_queries_of(args), 66, 512, 256, 64, multiprocessors};
    return {tile_queries, 100, 4 * tile_keys, 2 * tile_keys, tile_keys, multiprocessors};
}

template <typename T>
void launch_of(Queue& queue, AttentionArgs& args) {
    constexpr unsigned threads = attention_threads;
    const long long rows = static_cast<long long>(args.batch) * args.heads * args.queries;
    if (is_for_rows(args)) {
        if (args.parts > 1 && rows <= counter_count) args.counters = queue.counters;
        launch_attention_rows(queue, args);
    } else if (is_for_tiles(args)) {
        launch_attention_tiles(queue, args);
    } else {
        const AttentionArgs& in = args;
        GPU_LAUNCH(attention<T>, attention_grid(args, tile_queries), threads, queue, in);
    }
    if (args.parts == 1 || args.counters || args.in_clusters) return;
    const AttentionArgs& in = args;
    GPU_LAUNCH_FREE(join_parts<T>, grid_for(rows * args.value_size), free_threads, queue, in);
}

}  // namespace

AttentionSplit split_of(const AttentionArgs& args) {
    AttentionSplit split{1, args.keys, 0};
    const SplitRule rule = rule_of(args);
    const long long heads = static_cast<long long>(args.batch) * args.heads;
    const long long blocks = heads * ((args.queries + rule.tile - 1) / rule.tile);
    if (blocks == 0 || blocks > rule.most_blocks || args.keys < rule.keys) return split;
    long long parts = rule.enough_blocks / blocks;
    if (parts > args.keys / rule.keys_of_part) parts = args.keys / rule.keys_of_part;
    if (parts > most_parts) parts = most_parts;
    const auto keys = static_cast<std::int32_t>((args.keys + parts - 1) / parts);
    split.part_keys = (keys + rule.unit - 1) / rule.unit * rule.unit;
    split.parts = (args.keys + split.part_keys - 1) / split.part_keys;
    if (split.parts == 1) return {1, args.keys, 0};
    split.partial_bytes = 4LL * split.parts * heads * args.queries * (args.value_size + 2);
    return split;
}

void launch_attention(Queue& queue, const AttentionArgs& given) {
    AttentionArgs args = given;
    const bool is_empty =
        args.batch == 0 || args.heads == 0 || args.queries == 0 || args.value_size == 0;
    if (args.capacity > 0 && (is_empty || !is_for_rows(args))) launch_caches(queue, args);
    if (is_empty) return;
    if (args.parts == 1) args.part_keys = args.keys;
    if (args.type == 10) launch_of<half_t>(queue, args);
    else if (args.type == 16) launch_of<bfloat_t>(queue, args);
    else launch_of<float>(queue, args);
}

}  // namespace lapidary::cuda
