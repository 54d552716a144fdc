// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/attention_rows.cuh"

#include "kernels/hopper/attention_clusters.h"

namespace lapidary::cuda {
namespace {

/// True where this block is the last of the query's blocks to store its part: it then joins them. A
/// part each group.
template <int per>
GPU_DEVICE bool takes_parts(SeenKeys<per>& seen, const AttentionArgs& args,
                            const AttentionBlock& block, int lanes, int thread) {
    const int row = (block.batch * args.heads + block.head) * args.queries + block.tile;
    if (!args.counters || !is_last_part(args.counters + row, args.parts)) return false;
    seen = SeenKeys<per>();
    const int column = thread % lanes * per;
    for (int slice = thread / lanes; slice < args.parts; slice += row_threads / lanes) {
        const PartOfQuery part = part_of(args, slice, block.batch, block.head, block.tile);
        float sum[per];
        GPU_UNROLL for (int c = 0; c < per; ++c) sum[c] =
            column + c < args.value_size ? load_fresh(part.sums + column + c) : 0.0f;
        seen.join(load_fresh(part.most), load_fresh(part.total), sum);
    }
    return true;
}

/// What a block has seen goes to the result, or to its part, and with those of all others to the
/// result where it is the last of them.
template <typename T, int per>
GPU_DEVICE void finish_query(RowsSeen<per> (&gathered)[2], SeenKeys<per>& seen,
                             const AttentionArgs& args, const AttentionBlock& block, int lanes,
                             int thread) {
    gathered[0].gather(seen, lanes, thread);
    bool is_done = args.parts == 1;
    if (!is_done) {
        const PartOfQuery part = part_of(args, block.slice, block.batch, block.head, block.tile);
        for (int c = thread; c < args.value_size; c += row_threads) {
            const SeenKeys<1> all = gathered[0].of_column(c);
            part.sums[c] = all.sum[0];
            if (c > 0) continue;
            *part.most = all.most;
            *part.total = all.total;
        }
        is_done = takes_parts(seen, args, block, lanes, thread);
        if (is_done) gathered[1].gather(seen, lanes, thread);
    }
    if (!is_done) return;
    for (int c = thread; c < args.value_size; c += row_threads) {
        const SeenKeys<1> all = gathered[args.parts == 1 ? 0 : 1].of_column(c);
        store_element(static_cast<T*>(args.y) +
                          place_of(args.y_strides, block.batch, block.head, block.tile, c),
                      all.total == 0 ? args.blind : all.sum[0] / all.total);
    }
}

template <typename T, bool in_pieces>
GPU_GLOBAL void GPU_BLOCKS_OF(row_threads, 2) attention_rows(AttentionArgs args, RowLanes lanes) {
    constexpr int per = per_piece<T>;
    GPU_SHARED RowsSeen<per> gathered[2];
    const AttentionBlock block = attention_block(args, 1);
    SeenKeys<per> seen = see_keys<T, in_pieces, keys_at_once>(args, lanes, block);
    finish_query<T>(gathered, seen, args, block, lanes.count, static_cast<int>(thread_index()));
}

template <typename T>
void launch_of(Queue& queue, const AttentionArgs& args) {
    const RowLanes lanes = row_lanes<T>(queue, args);
    const Grid grid = attention_grid(args, 1);
    constexpr unsigned threads = row_threads;
    if (are_rows_in_pieces<T>(args))
        GPU_LAUNCH((attention_rows<T, true>), grid, threads, queue, args, lanes);
    else GPU_LAUNCH((attention_rows<T, false>), grid, threads, queue, args, lanes);
}

}  // namespace

bool is_for_rows(const AttentionArgs& args) {
    const int most = most_row_lanes * per_piece_of(args);
    return args.queries < few_attention_rows && args.size <= most && args.value_size <= most;
}

void launch_attention_rows(Queue& queue, const AttentionArgs& args) {
    if (args.in_clusters) return launch_attention_clusters(queue, args);
    if (args.type == 10) launch_of<half_t>(queue, args);
    else if (args.type == 16) launch_of<bfloat_t>(queue, args);
    else launch_of<float>(queue, args);
}

}  // namespace lapidary::cuda
