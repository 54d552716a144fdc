// SPDX-License-Identifier: Apache-2.0
// Kernels that move elements without looking at them.
#pragma once

#include <cstdint>

#include "queue.h"

namespace lapidary::cuda {

inline constexpr int copy_axes = 10;

/// output[sum at * output_strides] = input[sum at * input_strides] for all coordinates. Strides in
/// elements.
struct CopyArgs {
    const void* input = nullptr;
    void* output = nullptr;
    std::int32_t element_bytes = 4, axes = 0, count = 0;
    std::int32_t dims[copy_axes] = {};
    std::int32_t input_strides[copy_axes] = {}, output_strides[copy_axes] = {};
};
void launch_copy(Queue& queue, CopyArgs args);

/// Runs of neighbouring elements that are joined into longer rows (Concat) or taken from them
/// (Split). Sizes in elements.
struct RunPart {
    const void* input = nullptr;
    void* output = nullptr;
    std::int32_t run = 0, input_pitch = 0, output_pitch = 0;
};
struct RunsArgs {
    static constexpr int most_parts = 8;  // of a launch
    std::int32_t element_bytes = 4, rows = 0, parts = 0;
    RunPart part[most_parts];
};
void launch_runs(Queue& queue, RunsArgs args);

enum class PadMode : std::int32_t { constant, reflect, edge, wrap };
struct PadArgs {
    const void* input = nullptr;
    void* output = nullptr;
    // one element on the device; null: zero
    const void* value = nullptr;
    std::int32_t element_bytes = 4, axes = 0, count = 0;  // of the output
    PadMode mode = PadMode::constant;
    std::int32_t input_dims[copy_axes] = {}, dims[copy_axes] = {}, begins[copy_axes] = {};
};
void launch_pad(Queue& queue, const PadArgs& args);

/// output[outer, index, inner] = input[outer, indices[index], inner].
struct GatherArgs {
    const void* input = nullptr;
    const void* indices = nullptr;
    void* output = nullptr;
    std::int32_t index_type = 7, element_bytes = 4;
    std::int32_t outer = 1, extent = 1, indices_count = 1, inner = 1;
    std::int32_t node = 0;
};
void launch_gather(Queue& queue, GatherArgs args);

/// GatherElements and ScatterElements: elements of `indices` along one axis of the data.
struct ElementsArgs {
    const void* input = nullptr;  // data, or updates of a scatter
    const void* indices = nullptr;
    void* output = nullptr;
    std::int32_t index_type = 7, element_bytes = 4, axes = 0, axis = 0, count = 0;  // of indices
    // of the axis of the data
    std::int32_t extent = 1;
    std::int32_t dims[copy_axes] = {}, data_strides[copy_axes] = {};
    bool scatters = false;
    std::int32_t node = 0;
};
void launch_elements(Queue& queue, const ElementsArgs& args);

/// GatherND and ScatterND: rows of `width` indices name slices of `slice` elements.
struct SlicesArgs {
    const void* input = nullptr;  // data, or updates of a scatter
    const void* indices = nullptr;
    void* output = nullptr;
    std::int32_t index_type = 7, element_bytes = 4, rows = 0, width = 0, slice = 1;
    std::int32_t rows_per_batch = 1, batch_stride = 0;  // batches of the data of a gather
    std::int32_t extents[copy_axes] = {}, strides[copy_axes] = {};
    bool scatters = false;
    std::int32_t node = 0;
};
void launch_slices(Queue& queue, const SlicesArgs& args);

/// Keeps the upper or lower triangle of matrices and fills the rest with zeros.
struct TriangleArgs {
    const void* input = nullptr;
    void* output = nullptr;
    std::int32_t element_bytes = 4, count = 0, rows = 1, columns = 1, diagonal = 0;
    bool keeps_upper = true;
};
void launch_triangle(Queue& queue, const TriangleArgs& args);

/// Fills `count` elements with one value.
void launch_fill(Queue& queue, void* output, std::int32_t element_bytes, std::int32_t count,
                 std::uint64_t bits);

}  // namespace lapidary::cuda
