// SPDX-License-Identifier: Apache-2.0
// Embedding of tokens, followed by a normalization.
#pragma once

#include "kernels/normalization/normalization.h"

namespace lapidary::cuda {

struct EmbedIds {
    const void* data = nullptr;  // null: zeros
    bool is_wide = false;        // the ids are int64, else int32
};

/// The sum of rows of three tables: words, positions and (may be null) segments.
struct EmbedArgs {
    EmbedIds words, segments, positions;  // positions without data: 0, 1, 2 ...
    const void *word_table = nullptr, *position_table = nullptr, *segment_table = nullptr;
    // the sums, where a separate kernel normalizes them
    void* output = nullptr;
    const std::int32_t* mask = nullptr;  // [batch, length]; null: zeros
    // the number of ones in each row of the mask; null: not wanted
    std::int32_t* counts = nullptr;
    std::int32_t type = 1, batch = 0, length = 0, width = 1;
    std::int32_t word_count = 0, position_count = 0, segment_count = 0, node = 0;
    std::int32_t position_batches = 1;
};

/// Whether one kernel does both, and writes norm.sum where that is wanted. Otherwise `output` is
/// memory for the sums, which the normalization reads.
inline bool embeds_in_one(const EmbedArgs& args, const NormalizeArgs& norm) {
    return norm.width <= most_warp_width && are_rows_of_pieces(norm) &&
           begin_pieces({args.word_table, args.position_table, args.segment_table});
}
void launch_embed_normalize(Queue& queue, const EmbedArgs& args, const NormalizeArgs& norm);

}  // namespace lapidary::cuda
