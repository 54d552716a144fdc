// SPDX-License-Identifier: Apache-2.0
// Adds rows of tables and normalizes the sums: either in one kernel with a warp per token, or
// element by element into memory that the normalization kernel reads.
#include "kernels/normalization/embedding.h"
#include "kernels/normalization/normalize_row.cuh"

namespace lapidary::cuda {
namespace {

GPU_DEVICE long long id_at(const EmbedIds& ids, int i) {
    if (!ids.data) return 0;
    return ids.is_wide ? at<std::int64_t>(ids.data, i) : at<std::int32_t>(ids.data, i);
}

GPU_DEVICE int table_row(long long index, int count, int node, Fault* fault) {
    const long long row = index < 0 ? index + count : index;
    if (row >= 0 && row < count) return static_cast<int>(row);
    report_fault(fault, index_out_of_range, node, index, count);
    return 0;
}

struct TokenRows {
    int word = 0, position = 0, segment = 0;
};

GPU_DEVICE TokenRows rows_of_token(const EmbedArgs& args, int token, Fault* fault) {
    TokenRows rows;
    const int place = token % args.length,
              of_positions = args.position_batches == 1 ? place : token;
    // all are loaded before the first is checked
    const long long word = id_at(args.words, token),
                    position = args.positions.data ? id_at(args.positions, of_positions) : place,
                    segment = args.segment_table ? id_at(args.segments, token) : 0;
    rows.word = table_row(word, args.word_count, args.node, fault);
    rows.position = table_row(position, args.position_count, args.node, fault);
    if (args.segment_table) rows.segment = table_row(segment, args.segment_count, args.node, fault);
    return rows;
}

GPU_GLOBAL void embed(EmbedArgs args, Fault* fault) {
    kernel_begin();
    const int count = args.batch * args.length * args.width;
    for (int i = global_thread(); i < count; i += all_threads()) {
        const int at = i % args.width;
        const TokenRows rows = rows_of_token(args, i / args.width, fault);
        const auto element = [&](const void* table, int row) {
            return load_as<float>(table, args.type, static_cast<long long>(row) * args.width + at);
        };
        float sum =
            element(args.word_table, rows.word) + element(args.position_table, rows.position);
        if (args.segment_table) sum += element(args.segment_table, rows.segment);
        store_as<float>(args.output, args.type, i, sum);
    }
}

/// Counts one row of the mask, by a warp.
GPU_DEVICE void count_row(const EmbedArgs& args, int row) {
    const int lane = static_cast<int>(thread_index()) % 32;
    float count = 0;
    for (int i = lane; args.mask && i < args.length; i += 32)
        count += args.mask[static_cast<long long>(row) * args.length + i] == 1 ? 1.0f : 0.0f;
    count = warp_sum(count);
    if (lane == 0) args.counts[row] = static_cast<std::int32_t>(count);
}

GPU_GLOBAL void count_mask(EmbedArgs args) {
    kernel_begin();
    const int row = global_thread() / 32;
    if (row < args.batch) count_row(args, row);
}

/// Uses a warp per token, then a warp per row of the mask.
template <typename T, int kept>
GPU_GLOBAL void embed_and_normalize(EmbedArgs args, NormalizeArgs norm, Fault* fault) {
    kernel_begin();
    constexpr int per = per_piece<T>;
    const int token = global_thread() / 32, lane = static_cast<int>(thread_index()) % 32;
    if (token >= norm.rows) {
        if (args.counts && token - norm.rows < args.batch) count_row(args, token - norm.rows);
        return;
    }
    const TokenRows rows = rows_of_token(args, token, fault);
    const auto row_of = [&](const void* table, int row) {
        return static_cast<const T*>(table) +
               (table ? static_cast<long long>(row) * args.width : 0);
    };
    const T* const word = row_of(args.word_table, rows.word);
    const T* const position = row_of(args.position_table, rows.position);
    const T* const segment = row_of(args.segment_table, rows.segment);
    Piece of_word[kept], of_position[kept], of_segment[kept];
    GPU_UNROLL for (int j = 0; j < kept; ++j) {
        const int first = (lane + j * 32) * per;
        of_word[j] = of_position[j] = of_segment[j] = Piece{};
        if (first >= args.width) continue;
        of_word[j] = piece_at(word + first);
        of_position[j] = piece_at(position + first);
        if (segment) of_segment[j] = piece_at(segment + first);
    }
    float x[kept][per];
    GPU_UNROLL for (int j = 0; j < kept; ++j) {
        elements_of<T>(of_word[j], x[j]);
        add_piece<T>(x[j], of_position[j]);
        add_piece<T>(x[j], of_segment[j]);
    }
    normalize_kept_row<T, 32>(norm, token, lane, x);
}

template <typename T>
void launch_in_one(Queue& queue, const EmbedArgs& args, const NormalizeArgs& norm) {
    const long long warps = static_cast<long long>(norm.rows) + (args.counts ? args.batch : 0);
    const unsigned threads = threads_of_warps(warps);
    constexpr int step = per_piece<half_t> / per_piece<T>;
    const int pieces = args.width / per_piece<T>;
    Fault* const fault = queue.fault;
    with_pieces<step, 2 * step, 3 * step, 4 * step>((pieces + 31) / 32, [&]<int kept>() {
        GPU_LAUNCH((embed_and_normalize<T, kept>), grid_of_warps(warps, threads), threads, queue,
                   args, norm, fault);
    });
}

}  // namespace

void launch_embed_normalize(Queue& queue, const EmbedArgs& args, const NormalizeArgs& norm) {
    if (norm.rows == 0 && args.batch == 0) return;
    if (norm.rows > 0 && norm.width > 0 && embeds_in_one(args, norm))
        return with_float_type(norm.type,
                               [&]<typename T>() { launch_in_one<T>(queue, args, norm); });
    const long long count = static_cast<long long>(norm.rows) * args.width;
    Fault* const fault = queue.fault;
    if (count > 0) GPU_LAUNCH_FREE(embed, grid_for(count), free_threads, queue, args, fault);
    launch_normalize(queue, norm);
    if (args.counts && args.batch > 0)
        GPU_LAUNCH(count_mask, grid_of_warps(args.batch, 32), 32, queue, args);
}

}  // namespace lapidary::cuda
