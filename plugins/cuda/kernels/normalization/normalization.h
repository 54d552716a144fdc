// SPDX-License-Identifier: Apache-2.0
// Normalization of rows: layer, RMS, instance and group normalization, optionally with a residual
// added first.
#pragma once

#include <cstdint>

#include "kernels/pieces.h"
#include "queue.h"

namespace lapidary::cuda {

struct NormalizeArgs {
    const void* input = nullptr;
    // residual that is added to the input; repeats after skip_count elements
    const void* skip = nullptr;
    const void* addend = nullptr;  // one more row that is added to each row
    const void* scale = nullptr;   // null: 1
    const void* bias = nullptr;    // null: 0
    void* output = nullptr;
    void* sum = nullptr;   // the input with what was added; null: not wanted
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

/// Longest row, in elements, that one warp normalizes; longer ones take a block. For rows in pieces
/// of 16 bytes.
inline constexpr int most_warp_width = 1024;
inline bool are_rows_of_pieces(const NormalizeArgs& args) {
    const int per = elements_in_piece(args.type);
    if (per == 0 || args.width % per != 0 ||
        ((args.scale || args.bias) && args.scale_type != args.type))
        return false;
    if (args.skip && args.skip_count % args.width != 0) return false;
    const bool by_element = args.channels_per_row == args.width;
    if (!by_element && args.channels_per_row != 1 && args.spatial % per != 0) return false;
    return begin_pieces({args.input, args.skip, args.addend, args.output, args.sum,
                         by_element ? args.scale : nullptr, by_element ? args.bias : nullptr});
}
void launch_normalize_pieces(Queue& queue, const NormalizeArgs& args);

}  // namespace lapidary::cuda
