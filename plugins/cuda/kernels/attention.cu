// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention.h"

#include "kernels/attention_score.cuh"
#include "kernels/block_reduce.cuh"

namespace lapidary::cuda {
namespace {

constexpr int tile_queries = 16, tile_keys = 64, row_threads = 8, attention_threads = tile_queries * row_threads;
constexpr int columns_per_thread = attention_size / attention_threads;

/// The score of a query with a key, with what is added to it; -infinity where the key is hidden.
template <typename T>
GPU_DEVICE float score_of(const AttentionArgs& args, const float* q, int batch, int head, int query, int key,
                          int length) {
    if (is_hidden(args, batch, head, query, key, length)) return -INFINITY;
    const T* const k =
        static_cast<const T*>(args.k) + place_of(args.k_strides, batch, head / (args.heads / args.key_heads), key, 0);
    float sum = 0;
    for (int c = 0; c < args.size; ++c)
        sum = multiply_add(q[c], load_element(k + static_cast<long long>(c) * args.k_strides.column), sum);
    return score_of_product(args, sum, batch, head, query, key, length);
}

/// 16 queries of a head and a part of its keys per block, 64 keys at a time.
template <typename T>
GPU_GLOBAL void attention(AttentionArgs args) {
    kernel_begin();
    GPU_SHARED float q[tile_queries][attention_size];
    GPU_SHARED float p[tile_queries][tile_keys];
    GPU_SHARED float parts[tile_queries][row_threads];
    GPU_SHARED float most[tile_queries];
    GPU_SHARED float total[tile_queries];
    GPU_SHARED float shrink[tile_queries];
    const int thread = static_cast<int>(thread_index()), row = thread / row_threads, part = thread % row_threads;
    const AttentionBlock block = attention_block(args, tile_queries);
    const int head = block.head, batch = block.batch, first = block.tile * tile_queries;
    const int slice = block.slice, first_key = slice * args.part_keys;
    const int end_key = args.keys - first_key < args.part_keys ? args.keys : first_key + args.part_keys;
    const int length = length_of(args, batch);
    for (int i = thread; i < tile_queries * args.size; i += attention_threads) {
        const int r = i / args.size, c = i % args.size;
        const T* const from = static_cast<const T*>(args.q) + place_of(args.q_strides, batch, head, first + r, c);
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
                score_of<T>(args, q[i / tile_keys], batch, head, first + i / tile_keys, at + i % tile_keys, length);
        block_barrier();
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
        const int count = end_key - at < tile_keys ? end_key - at : tile_keys;
        GPU_UNROLL for (int j = 0; j < columns_per_thread; ++j) {
            const int column = thread + j * attention_threads;
            if (column >= args.value_size) continue;
            GPU_UNROLL for (int r = 0; r < tile_queries; ++r) sum[j][r] *= shrink[r];
            for (int key = 0; key < count; ++key) {
                const float v = load_element(
                    static_cast<const T*>(args.v) +
                    place_of(args.v_strides, batch, head / (args.heads / args.key_heads), at + key, column));
                GPU_UNROLL for (int r = 0; r < tile_queries; ++r) if (p[r][key] != 0.0f) sum[j][r] =
                    multiply_add(p[r][key], v, sum[j][r]);
            }
        }
        block_barrier();
    }
    GPU_UNROLL for (int j = 0; j < columns_per_thread; ++j) GPU_UNROLL for (int r = 0; r < tile_queries; ++r) {
        const int column = thread + j * attention_threads;
        if (column >= args.value_size || first + r >= args.queries) continue;
        if (args.parts > 1) part_of(args, slice, batch, head, first + r)[column] = sum[j][r];
        else store_element(static_cast<T*>(args.y) + place_of(args.y_strides, batch, head, first + r, column),
                           most[r] == -INFINITY ? args.blind : sum[j][r] / total[r]);
    }
    if (args.parts > 1 && part == 0 && first + row < args.queries) {
        float* const of_row = part_of(args, slice, batch, head, first + row) + args.value_size;
        of_row[0] = most[row];
        of_row[1] = total[row];
    }
}

/// Parts of a query, in their order.
template <typename T>
GPU_GLOBAL void join_parts(AttentionArgs args) {
    kernel_begin();
    const long long count = static_cast<long long>(args.batch) * args.heads * args.queries * args.value_size;
    for (long long i = global_thread(); i < count; i += all_threads()) {
        const int column = static_cast<int>(i % args.value_size);
        const int query = static_cast<int>(i / args.value_size % args.queries);
        const int head = static_cast<int>(i / args.value_size / args.queries % args.heads);
        const int batch = static_cast<int>(i / args.value_size / args.queries / args.heads);
        float most = -INFINITY, total = 0, sum = 0;
        for (int part = 0; part < args.parts; ++part)
            most = Larger()(most, part_of(args, part, batch, head, query)[args.value_size]);
        for (int part = 0; part < args.parts; ++part) {
            const float* const of = part_of(args, part, batch, head, query);
            if (of[args.value_size] == -INFINITY) continue;  // it sees no key
            const float share = std::exp(of[args.value_size] - most);
            total += of[args.value_size + 1] * share;
            sum += of[column] * share;
        }
        store_element(static_cast<T*>(args.y) + place_of(args.y_strides, batch, head, query, column),
                      most == -INFINITY ? args.blind : sum / total);
    }
}

template <typename T>
GPU_GLOBAL void rotary(RotaryArgs args, Fault* fault) {
    kernel_begin();
    const int count = args.batch * args.heads * args.rows * args.size;
    for (int i = global_thread(); i < count; i += all_threads()) {
        const int c = i % args.size, head = i / args.size % args.heads, row = i / args.size / args.heads % args.rows;
        const int batch = i / args.size / args.heads / args.rows;
        const T* const x = static_cast<const T*>(args.x);
        const auto element = [&](int column) {
            return load_element(x + place_of(args.x_strides, batch, head, row, column));
        };
        float y = element(c);
        if (c < 2 * args.half) {
            long long position = 0;
            if (args.is_one_position) position = args.position_ids[0] + row;
            else if (args.position_ids) position = args.position_ids[static_cast<long long>(batch) * args.rows + row];
            else if (args.key_lengths) position = args.key_lengths[batch] + args.length_offset - args.rows + row;
            else position = args.past + row;
            if (args.clamps && position >= args.positions) position = args.positions - 1;
            if (position < 0 || position >= args.positions) {
                report_fault(fault, index_out_of_range, args.node, position, args.positions);
                position = 0;
            }
            const int pair = args.is_interleaved ? c / 2 : c % args.half;
            const bool is_second = args.is_interleaved ? c % 2 == 1 : c >= args.half;
            const long long at = position * args.half + pair;
            const float cosine = load_element(static_cast<const T*>(args.cosines) + at);
            const float sine = load_element(static_cast<const T*>(args.sines) + at);
            const int other = args.is_interleaved ? c ^ 1 : is_second ? c - args.half : c + args.half;
            y = is_second ? element(other) * sine + y * cosine : y * cosine - element(other) * sine;
        }
        store_element(static_cast<T*>(args.y) + place_of(args.y_strides, batch, head, row, c), y);
    }
}

template <typename T>
GPU_GLOBAL void cache(CacheArgs args) {
    kernel_begin();
    const int count = args.batch * args.heads * args.capacity * args.size;
    for (int i = global_thread(); i < count; i += all_threads()) {
        const int c = i % args.size, row = i / args.size % args.capacity;
        const int head = i / args.size / args.capacity % args.heads, batch = i / args.size / args.capacity / args.heads;
        const int past = args.key_lengths ? args.key_lengths[batch] + args.length_offset - args.rows : args.past;
        T value{};
        if (row < past && row < args.old_rows)
            value = static_cast<const T*>(
                args.old)[((static_cast<long long>(batch) * args.heads + head) * args.old_rows + row) * args.size + c];
        else if (row >= past && row < past + args.rows)
            value = static_cast<const T*>(args.fresh)[place_of(args.fresh_strides, batch, head, row - past, c)];
        static_cast<T*>(args.y)[i] = value;
    }
}

}  // namespace

namespace {

constexpr long long enough_blocks = 128;  // about as many as large devices have multiprocessors
constexpr int least_keys = 2 * tile_keys, most_parts = 32;

unsigned query_tiles(const AttentionArgs& args) {
    const int tile = is_for_rows(args) ? 1 : is_for_tiles(args) ? attention_tile_queries : tile_queries;
    return static_cast<unsigned>((args.queries + tile - 1) / tile);
}

template <typename T>
void launch_of(Queue& queue, const AttentionArgs& args) {
    constexpr unsigned threads = attention_threads;
    if (is_for_rows(args)) launch_attention_rows(queue, args);
    else if (is_for_tiles(args)) launch_attention_tiles(queue, args);
    else GPU_LAUNCH(attention<T>, attention_grid(args, tile_queries), threads, queue, args);
    if (args.parts == 1) return;
    const Grid elements = grid_for(static_cast<long long>(args.batch) * args.heads * args.queries * args.value_size);
    GPU_LAUNCH_FREE(join_parts<T>, elements, free_threads, queue, args);
}

}  // namespace

AttentionSplit split_of(const AttentionArgs& args) {
    AttentionSplit split{1, args.keys, 0};
    const long long rows = static_cast<long long>(args.batch) * args.heads;
    const long long blocks = rows * query_tiles(args);
    if (blocks == 0 || blocks > enough_blocks * 3 / 4 || args.keys < 2 * least_keys) return split;
    long long parts = (enough_blocks + blocks - 1) / blocks;
    if (parts > args.keys / least_keys) parts = args.keys / least_keys;
    if (parts > most_parts) parts = most_parts;
    const auto keys = static_cast<std::int32_t>((args.keys + parts - 1) / parts);
    split.part_keys = (keys + tile_keys - 1) / tile_keys * tile_keys;
    split.parts = (args.keys + split.part_keys - 1) / split.part_keys;
    if (split.parts == 1) return {1, args.keys, 0};
    split.partial_bytes = 4LL * split.parts * rows * args.queries * (args.value_size + 2);
    return split;
}

void launch_attention(Queue& queue, const AttentionArgs& given) {
    AttentionArgs args = given;
    if (args.batch == 0 || args.heads == 0 || args.queries == 0 || args.value_size == 0) return;
    if (args.parts == 1) args.part_keys = args.keys;
    if (args.type == 10) launch_of<half_t>(queue, args);
    else if (args.type == 16) launch_of<bfloat_t>(queue, args);
    else launch_of<float>(queue, args);
}

void launch_rotary(Queue& queue, const RotaryArgs& args) {
    const long long count = static_cast<long long>(args.batch) * args.heads * args.rows * args.size;
    if (count == 0) return;
    Fault* const fault = queue.fault;
    const Grid grid = grid_for(count);
    if (args.type == 10) GPU_LAUNCH_FREE(rotary<half_t>, grid, free_threads, queue, args, fault);
    else if (args.type == 16) GPU_LAUNCH_FREE(rotary<bfloat_t>, grid, free_threads, queue, args, fault);
    else GPU_LAUNCH_FREE(rotary<float>, grid, free_threads, queue, args, fault);
}

void launch_cache(Queue& queue, const CacheArgs& args) {
    const long long count = static_cast<long long>(args.batch) * args.heads * args.capacity * args.size;
    if (count == 0) return;
    const Grid grid = grid_for(count);
    if (args.type == 1) GPU_LAUNCH_FREE(cache<float>, grid, free_threads, queue, args);
    else GPU_LAUNCH_FREE(cache<std::uint16_t>, grid, free_threads, queue, args);
}

}  // namespace lapidary::cuda
