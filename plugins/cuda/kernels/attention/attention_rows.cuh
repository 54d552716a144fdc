// SPDX-License-Identifier: Apache-2.0
// Attention of few queries, such as new tokens. A block handles one query of a head and a part of
// its keys. A group of a few neighbouring threads shares each key: the group reads the key and its
// values in pieces of 16 bytes, for several keys at once. Each group keeps its own running result;
// the results are joined at the end. With a cache, the blocks that read keys and values also write
// them to the output cache.
#pragma once

#include "kernels/attention/attention_score.cuh"
#include "kernels/product/product_parts.cuh"

namespace lapidary::cuda {

inline constexpr int row_threads = 256, row_warps = row_threads / 32, most_row_lanes = 32,
                     keys_at_once = 8;

/// How rows are read: the number of threads that share a key (a power of two), and which tensors
/// are read in pieces.
struct RowLanes {
    int count = 1;
    bool q_in_pieces = false;
    bool fetches_past = false;  // the past is prefetched while earlier kernels still run
};

/// Elements of a row from `column` on; 0 beyond `columns`.
template <typename T, bool in_pieces>
GPU_DEVICE Piece load_columns(const T* row, int step, int column, int columns) {
    if constexpr (in_pieces) {
        return column < columns ? piece_at(row + column) : Piece{};
    } else {
        T elements[per_piece<T>] = {};
        GPU_UNROLL for (int i = 0; i < per_piece<T>; ++i) if (column + i < columns) elements[i] =
            row[static_cast<long long>(column + i) * step];
        Piece piece;
        memcpy(&piece, static_cast<const void*>(elements), sizeof(piece));
        return piece;
    }
}
template <typename T, bool in_pieces>
GPU_DEVICE void store_columns(T* row, int column, int columns, const Piece& piece) {
    if constexpr (in_pieces) {
        if (column < columns) *reinterpret_cast<Piece*>(row + column) = piece;
    } else {
        T elements[per_piece<T>];
        memcpy(static_cast<void*>(elements), &piece, sizeof(piece));
        GPU_UNROLL for (int i = 0; i < per_piece<T>; ++i) if (column + i < columns)
            row[column + i] = elements[i];
    }
}

/// Keys or values of a head: those of the past, where there is a cache, then the new ones.
template <typename T, bool in_pieces>
struct RowsOfHead {
    const T *fresh, *old;  // where row 0 would begin
    T* present;
    int fresh_step, column_step, columns, past, old_end, fresh_end;

    GPU_METHOD void set(const void* data, const HeadStrides& of, const CacheOfHeads& cache,
                        const AttentionArgs& args, int batch, int head, int count, int length) {
        columns = count;
        const long long matrix = static_cast<long long>(batch) * args.key_heads + head;
        // without a past nothing is read there
        old = static_cast<const T*>(cache.past ? cache.past : data) +
              (cache.past ? matrix * args.old_rows * count : 0);
        present =
            static_cast<T*>(cache.present) + (cache.present ? matrix * args.capacity * count : 0);
        past = past_of(args, length);
        old_end = !cache.past ? 0 : past < args.old_rows ? past : args.old_rows;
        fresh_end = past + (args.capacity > 0 ? args.fresh_rows : args.keys);
        fresh_step = of.row;
        column_step = of.column;
        fresh = static_cast<const T*>(data) + place_of(of, batch, head, 0, 0) -
                static_cast<long long>(past) * of.row;
    }
    /// Null where the row does not exist.
    GPU_METHOD const T* place_of_row(int row, int end) const {
        const bool is_old = row < past;
        const T* const from = (is_old ? old : fresh) + row * (is_old ? columns : fresh_step);
        return row < end && row < (is_old ? old_end : fresh_end) ? from : nullptr;
    }
    GPU_METHOD Piece at(const T* from, int row, int column) const {
        return from
                   ? load_columns<T, in_pieces>(from, row < past ? 1 : column_step, column, columns)
                   : Piece{};
    }
    GPU_METHOD void keep(int row, int column, const Piece& piece) const {
        store_columns<T, in_pieces>(present + row * columns, column, columns, piece);
    }
};

/// The mask and bias of a query, and which keys it sees.
struct RowOfMask {
    int from, to;
    long long bias;

    GPU_METHOD RowOfMask(const AttentionArgs& args, const AttentionBlock& block, int length,
                         int end_of_block)
        : from(0), to(args.length_filters || args.keys < length ? args.keys : length),
          bias(place_of(args.bias_strides, block.batch, block.head, block.tile, 0)) {
        if (end_of_block < to) to = end_of_block;
        if (!args.is_causal) return;
        const int end = causal_end(args, block.tile, length);
        if (end < to) to = end;
        if (args.window > 0) from = end - args.window;
    }
};

/// Loads the bias of the keys `first`, `first` + `step` and so on. It does not depend on scores, so
/// it is loaded before them.
template <typename B, int keys_at_once>
GPU_DEVICE void load_bias(float (&bias)[keys_at_once], const AttentionArgs& args,
                          const RowOfMask& row, int first, int step) {
    const B* const from = static_cast<const B*>(args.bias) + row.bias;
    GPU_UNROLL for (int u = 0; u < keys_at_once; ++u) {
        const int key = first + u * step, last = args.keys - 1;
        bias[u] = bias_of(from + static_cast<long long>(key < last ? key : last) *
                                     args.bias_strides.column);
    }
}
template <int keys_at_once>
GPU_DEVICE void load_bias_of_type(float (&bias)[keys_at_once], const AttentionArgs& args,
                                  const RowOfMask& row, int first, int step) {
    if (args.bias_type == 1) load_bias<float>(bias, args, row, first, step);
    else if (args.bias_type == 10) load_bias<half_t>(bias, args, row, first, step);
    else load_bias<bfloat_t>(bias, args, row, first, step);
}

/// Turns products into the scores of the keys `first`, `first` + `step` and so on.
template <int keys_at_once>
GPU_DEVICE void finish_scores(float (&score)[keys_at_once], const float (&bias)[keys_at_once],
                              const AttentionArgs& args, const RowOfMask& row, int batch, int first,
                              int step, int length) {
    const float factor = args.softcap > 0 ? args.scale / args.softcap : args.scale;
    GPU_UNROLL for (int u = 0; u < keys_at_once; ++u) score[u] *= factor;
    if (args.softcap > 0)
        GPU_UNROLL for (int u = 0; u < keys_at_once; ++u) score[u] =
            about_tanh(score[u]) * args.softcap;
    GPU_UNROLL for (int u = 0; u < keys_at_once; ++u) score[u] += bias[u];
    if (args.key_mask || args.length_filters) {
        GPU_UNROLL for (int u = 0; u < keys_at_once; ++u) {
            const int key = first + u * step, last = args.keys - 1, at = key < last ? key : last;
            if (args.key_mask && args.key_mask[static_cast<long long>(batch) * args.keys + at] <= 0)
                score[u] += args.key_filter;
            if (args.length_filters && key >= length) score[u] += args.key_filter;
        }
    }
    if (args.allowed) {
        GPU_UNROLL for (int u = 0; u < keys_at_once; ++u) {
            const int key = first + u * step, last = args.keys - 1;
            const long long column = key < last ? key : last;
            if (args.allowed[row.bias + column * args.bias_strides.column] == 0)
                score[u] = -INFINITY;
        }
    }
}

/// The results of all groups of `lanes` threads, in shared memory, one for each warp. Their order
/// does not matter.
template <int per>
struct RowsSeen {
    float most[row_warps], total[row_warps], sums[row_warps][most_row_lanes * per];

    GPU_METHOD void gather(SeenKeys<per>& seen, int lanes, int thread) {
        for (int mask = 16; mask >= lanes; mask /= 2) {
            const float other_most = shuffle_xor(seen.most, mask),
                        other_total = shuffle_xor(seen.total, mask);
            float other_sum[per];
            GPU_UNROLL for (int c = 0; c < per; ++c) other_sum[c] = shuffle_xor(seen.sum[c], mask);
            seen.join(other_most, other_total, other_sum);
        }
        const int lane = thread % 32;
        if (lane < lanes)
            GPU_UNROLL for (int c = 0; c < per; ++c) sums[thread / 32][lane * per + c] =
                seen.sum[c];
        if (lane == 0) {
            most[thread / 32] = seen.most;
            total[thread / 32] = seen.total;
        }
        block_barrier();
    }
    /// Of one column.
    GPU_METHOD SeenKeys<1> of_column(int column) const {
        SeenKeys<1> all;
        GPU_UNROLL for (int warp = 0; warp < row_warps; ++warp) all.most =
            std::fmax(all.most, most[warp]);
        const float base = all.most == -INFINITY ? 0.0f : all.most;
        GPU_UNROLL for (int warp = 0; warp < row_warps; ++warp) {
            const float share = power_of_two(most[warp] - base);
            all.total = multiply_add(total[warp], share, all.total);
            all.sum[0] = multiply_add(sums[warp][column], share, all.sum[0]);
        }
        return all;
    }
};

/// Turns scores into weights and adds the weighted values.
template <typename T, int keys_at_once, int per>
GPU_DEVICE void weigh(SeenKeys<per>& seen, float (&score)[keys_at_once],
                      Piece (&of_value)[keys_at_once], const RowOfMask& mask, int first, int step,
                      float factor) {
    float best = -INFINITY;
    GPU_UNROLL for (int u = 0; u < keys_at_once; ++u) {
        const int key = first + u * step;
        if (key < mask.from || key >= mask.to) score[u] = -INFINITY;
        best = std::fmax(best, score[u]);
    }
    if (best < least_score && best > -INFINITY) {
        GPU_UNROLL for (int u = 0; u < keys_at_once; ++u) score[u] = nearer_score(score[u]);
        best = nearer_score(best);
    }
    best = std::fmax(seen.most, best * factor);
    const float base = best == -INFINITY ? 0.0f : best, shrink = power_of_two(seen.most - base);
    seen.most = best;
    seen.total *= shrink;
    GPU_UNROLL for (int c = 0; c < per; ++c) seen.sum[c] *= shrink;
    GPU_UNROLL for (int u = 0; u < keys_at_once; ++u) {
        const float weight = power_of_two(multiply_add(score[u], factor, -base));
        // the values of a hidden key are ignored
        GPU_UNROLL for (int w = 0; w < 4; ++w) of_value[u].words[w] =
            weight == 0 ? 0 : of_value[u].words[w];
        seen.total += weight;
        float v[per];
        elements_of<T>(of_value[u], v);
        GPU_UNROLL for (int c = 0; c < per; ++c) seen.sum[c] =
            multiply_add(weight, v[c], seen.sum[c]);
    }
}

/// Prefetches the past of a part of the keys to the device's cache, before kernel_begin() allows
/// reading it: usually the last run was the last to write it.
template <typename T>
GPU_DEVICE void fetch_past(const CacheOfHeads& cache, const AttentionArgs& args,
                           const AttentionBlock& block, int columns) {
    // bytes of a cache line; lines that a thread prefetches at most
    constexpr int line = 128, most = 16;
    if (!cache.past || args.past_follows_length) return;
    const int first = block.slice * args.part_keys;
    int end = args.parts == 1 ? args.old_rows : first + args.part_keys;
    if (end > args.old_rows) end = args.old_rows;
    const long long matrix =
        static_cast<long long>(block.batch) * args.key_heads + key_head_of(args, block.head);
    const auto* const from =
        static_cast<const T*>(cache.past) + (matrix * args.old_rows + first) * columns;
    const long long bytes =
        static_cast<long long>(end - first) * columns * static_cast<long long>(sizeof(T));
    GPU_ROLLED for (int i = 0; i < most; ++i) {
        const long long at = (static_cast<long long>(i) * row_threads + thread_index()) * line;
        if (at >= bytes) return;
        fetch_to_cache(reinterpret_cast<const char*>(from) + at);
    }
}

/// The running result of a thread over the block's keys, `keys_at_once` at a time. Also writes the
/// output cache. Calls kernel_begin().
template <typename T, bool in_pieces, int keys_at_once>
GPU_DEVICE SeenKeys<per_piece<T>> see_keys(const AttentionArgs& args, const RowLanes& lanes,
                                           const AttentionBlock& block) {
    constexpr int per = per_piece<T>;
    if (lanes.fetches_past) fetch_past<T>(args.k_cache, args, block, args.size);
    if (lanes.fetches_past) fetch_past<T>(args.v_cache, args, block, args.value_size);
    const bool asks_for_length = args.key_lengths != nullptr;
    if (asks_for_length) kernel_begin();
    const int thread = static_cast<int>(thread_index()), column = thread % lanes.count * per;
    const int length = length_of(args, block.batch), key_head = key_head_of(args, block.head);
    const int step = row_threads / lanes.count;
    const bool keeps = args.capacity > 0 && block.tile == 0 &&  // the first head of its keys
                       (block.head == 0 || key_head_of(args, block.head - 1) != key_head);
    const int rows = args.capacity > 0 ? args.capacity : args.keys,
              first_key = block.slice * args.part_keys;
    int end_key = first_key + args.part_keys;
    if (end_key > rows || block.slice == args.parts - 1) end_key = keeps ? rows : args.keys;
    const RowOfMask mask(args, block, length, end_key);
    RowsOfHead<T, in_pieces> ks, vs;
    ks.set(args.k, args.k_strides, args.k_cache, args, block.batch, key_head, args.size, length);
    vs.set(args.v, args.v_strides, args.v_cache, args, block.batch, key_head, args.value_size,
           length);
    const T* const of_query = static_cast<const T*>(args.q) +
                              place_of(args.q_strides, block.batch, block.head, block.tile, 0);
    SeenKeys<per> seen;
    const bool plain = is_plain(args);
    const float factor = plain ? args.scale * log2_of_e : log2_of_e;
    bool may_read = asks_for_length;
    for (int at = first_key; at < end_key; at += step * keys_at_once) {
        const int first = at + thread / lanes.count;
        const T *key_places[keys_at_once], *value_places[keys_at_once];
        GPU_UNROLL for (int u = 0; u < keys_at_once; ++u) {
            key_places[u] = ks.place_of_row(first + u * step, end_key);
            value_places[u] = vs.place_of_row(first + u * step, end_key);
        }
        if (!may_read) kernel_begin();
        may_read = true;
        const Piece query =
            lanes.q_in_pieces
                ? load_columns<T, true>(of_query, 1, column, args.size)
                : load_columns<T, false>(of_query, args.q_strides.column, column, args.size);
        Piece of_key[keys_at_once], of_value[keys_at_once];
        GPU_UNROLL for (int u = 0; u < keys_at_once; ++u) of_key[u] =
            ks.at(key_places[u], first + u * step, column);
        GPU_UNROLL for (int u = 0; u < keys_at_once; ++u) of_value[u] =
            vs.at(value_places[u], first + u * step, column);
        float score[keys_at_once] = {}, bias[keys_at_once] = {}, q[per];
        if (args.bias) load_bias_of_type(bias, args, mask, first, step);
        elements_of<T>(query, q);
        GPU_UNROLL for (int u = 0; u < keys_at_once; ++u) {
            if (at + u * step >= end_key) break;
            float k[per];
            elements_of<T>(of_key[u], k);
            GPU_UNROLL for (int c = 0; c < per; ++c) score[u] = multiply_add(q[c], k[c], score[u]);
        }
        if (keeps) GPU_UNROLL for (int u = 0; u < keys_at_once; ++u) {
                if (first + u * step >= end_key) continue;
                ks.keep(first + u * step, column, of_key[u]);
                vs.keep(first + u * step, column, of_value[u]);
            }
        for (int other = lanes.count / 2; other > 0; other /= 2)
            GPU_UNROLL for (int u = 0; u < keys_at_once; ++u) score[u] +=
                shuffle_xor(score[u], other);
        if (!plain) finish_scores(score, bias, args, mask, block.batch, first, step, length);
        weigh<T>(seen, score, of_value, mask, first, step, factor);
    }
    if (!may_read) kernel_begin();
    return seen;
}

inline int per_piece_of(const AttentionArgs& args) {
    return args.type == 1 ? per_piece<float> : per_piece<half_t>;
}

inline bool lies_in_pieces(const void* data, const HeadStrides& s, int columns, int per) {
    return s.column == 1 && reinterpret_cast<std::uintptr_t>(data) % 16 == 0 &&
           (s.batch | s.head | s.row | columns) % per == 0;
}
inline bool lies_in_pieces(const CacheOfHeads& cache) {
    return (reinterpret_cast<std::uintptr_t>(cache.past) |
            reinterpret_cast<std::uintptr_t>(cache.present)) %
               16 ==
           0;
}

/// The number of threads that share a key, for sizes that is_for_rows() accepts.
template <typename T>
RowLanes row_lanes(const Queue& queue, const AttentionArgs& args) {
    constexpr int per = per_piece<T>;
    RowLanes lanes{1, lies_in_pieces(args.q, args.q_strides, args.size, per), queue.overlaps};
    while (lanes.count * per < args.size || lanes.count * per < args.value_size) lanes.count *= 2;
    return lanes;
}
/// Whether all keys and values, new ones and those of caches, lie in pieces.
template <typename T>
bool are_rows_in_pieces(const AttentionArgs& args) {
    constexpr int per = per_piece<T>;
    return lies_in_pieces(args.k, args.k_strides, args.size, per) &&
           lies_in_pieces(args.v, args.v_strides, args.value_size, per) &&
           lies_in_pieces(args.k_cache) && lies_in_pieces(args.v_cache);
}

}  // namespace lapidary::cuda
