// SPDX-License-Identifier: Apache-2.0
// Normalization of rows: of layers, of roots of mean squares, of instances and groups; with a residual added before.
#pragma once

#include <cstdint>

#include "queue.h"

namespace lapidary::cuda {

struct NormalizeArgs {
    const void* input = nullptr;
    const void* skip = nullptr;    // added to the input; repeats after skip_count elements
    const void* addend = nullptr;  // of one row's width, added too
    const void* scale = nullptr;   // null: 1
    const void* bias = nullptr;    // null: 0
    void* output = nullptr;
    void* sum = nullptr;   // the input with what was added; null: not asked for
    void* mean = nullptr;  // of each row, as floats; null
    void* inverse_deviation = nullptr;
    std::int32_t type = 1, scale_type = 1;
    std::int32_t rows = 0, width = 1, skip_count = 1;
    // scale and bias of element i of a row: [(row % row_groups) * channels_per_row + i / spatial]
    std::int32_t row_groups = 1, channels_per_row = 1, spatial = 1;
    float epsilon = 1e-5f;
    bool is_root_mean_square = false;
};
void launch_normalize(Queue& queue, const NormalizeArgs& args);

/// Rows of three tables, added: of words, positions and (may be null) segments.
struct EmbedArgs {
    const std::int32_t* words = nullptr;
    const std::int32_t* segments = nullptr;
    const std::int32_t* positions = nullptr;  // null: 0, 1, 2 ...
    const void *word_table = nullptr, *position_table = nullptr, *segment_table = nullptr;
    void* output = nullptr;
    std::int32_t type = 1, batch = 0, length = 0, width = 1;
    std::int32_t word_count = 0, position_count = 0, segment_count = 0, node = 0;
    std::int32_t position_batches = 1;
};
void launch_embed(Queue& queue, const EmbedArgs& args);
/// Of each row of `length` masks how many are 1.
void launch_count_mask(Queue& queue, const std::int32_t* mask, std::int32_t* counts, std::int32_t batch,
                       std::int32_t length);

}  // namespace lapidary::cuda
