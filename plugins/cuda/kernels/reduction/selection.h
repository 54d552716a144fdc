// SPDX-License-Identifier: Apache-2.0
// Operators whose output size depends on values: NonZero and NonMaxSuppression. A first kernel
// counts; the host reads the total and allocates the output; a second kernel writes it.
#pragma once

#include <cstdint>

#include "queue.h"

namespace lapidary::cuda {

inline constexpr int selection_axes = 8;
inline constexpr int selection_chunk = 1024;  // elements of a count

struct NonZeroArgs {
    const void* input = nullptr;
    std::int32_t type = 1;
    std::int32_t count = 0;  // of elements
    std::int32_t rank = 1;
    std::int32_t dims[selection_axes] = {};
    // counts of each chunk, then the total; afterwards where the output of each chunk begins
    std::int32_t* counts = nullptr;
    std::int64_t* output = nullptr;  // [rank, found]
    std::int32_t found = 0;
};

inline int chunks_of(std::int32_t count) { return (count + selection_chunk - 1) / selection_chunk; }

/// Fills `counts`: chunks_of(count) counts and the total.
void launch_count_non_zero(Queue& queue, const NonZeroArgs& args);
void launch_write_non_zero(Queue& queue, const NonZeroArgs& args);

/// Boxes of each batch and scores of each batch and class, a row of `boxes` scores.
struct SuppressionArgs {
    const float* boxes = nullptr;   // [batches, boxes, 4]
    const float* scores = nullptr;  // [batches, classes, boxes]
    std::int32_t rows = 0, classes = 1, count = 0;
    std::int32_t most = 0;  // most boxes taken of a row
    float overlap = 0, least = 0;
    bool has_least = false, is_center = false;  // x, y, width, height instead of two corners
    std::uint8_t* alive = nullptr;              // [rows, count]
    std::int32_t* picked = nullptr;             // [rows, most]
    // counts of each row, then the total; afterwards where the output of each row begins
    std::int32_t* counts = nullptr;
    std::int64_t* output = nullptr;  // [found, 3]: batch, class, box
};

/// Fills `picked` and `counts`: one count for each of `rows` rows and the total.
void launch_suppress(Queue& queue, const SuppressionArgs& args);
void launch_write_suppressed(Queue& queue, const SuppressionArgs& args);

}  // namespace lapidary::cuda
