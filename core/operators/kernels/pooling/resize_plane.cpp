// SPDX-License-Identifier: Apache-2.0
#include "kernels/pooling/resize_plane.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/pooling/pool_node.h"
#include "kernels/reference/image/resize_sampling.h"
#include "kernels/vector/pooling/resize.h"

namespace lapidary::pooling {
namespace {

using reference::ResizeAxis;
using reference::ResizeGeometry;

/// Output position o is input position low[o] times low_weight[o] plus high[o] times
/// high_weight[o], or just low[o].
struct AxisTable {
    bool blends;
    std::int32_t *low, *high;
    float *low_weight, *high_weight;
};

/// How often each input position is repeated, where every output row is just each position repeated
/// in order; 0 otherwise.
std::int64_t repeats(const AxisTable& table, const ResizeAxis& axis) {
    const std::int64_t times =
        axis.input > 0 && axis.output % axis.input == 0 ? axis.output / axis.input : 0;
    if (table.blends || times < 1) return 0;
    for (std::int64_t o = 0; o < axis.output; ++o)
        if (table.low[o] != o / times) return 0;
    return times;
}

/// Numbers of a table for that many positions, all of four bytes.
constexpr std::int64_t table_size(std::int64_t positions) { return 4 * positions; }

AxisTable fill(const ResizeGeometry& g, const ResizeAxis& axis, void* memory) {
    auto* integers = static_cast<std::int32_t*>(memory);
    auto* numbers = static_cast<float*>(memory) + 2 * axis.output;
    const bool is_identity = axis.input == axis.output && axis.scale == 1;
    const AxisTable table{g.mode == reference::ResizeMode::linear && !is_identity, integers,
                          integers + axis.output, numbers, numbers + axis.output};
    for (std::int64_t o = 0; o < axis.output; ++o) {
        if (!table.blends) {
            table.low[o] =
                static_cast<std::int32_t>(is_identity ? o : reference::nearest_input(g, axis, o));
            continue;
        }
        const float x = reference::source_coordinate(g, axis, o), base = std::floor(x),
                    last = static_cast<float>(axis.input - 1);
        table.low[o] = static_cast<std::int32_t>(std::clamp(base, 0.0f, last));
        table.high[o] = static_cast<std::int32_t>(std::clamp(base + 1, 0.0f, last));
        table.high_weight[o] = x - base;
        table.low_weight[o] = 1 - (x - base);
    }
    return table;
}

}  // namespace

bool ResizePlane::prepare(const ResizeGeometry& geometry, std::string& reason) {
    if (geometry.mode == reference::ResizeMode::cubic)
        reason = "cubic filters have more than 2 taps";
    else if (geometry.antialias || geometry.exclude_outside)
        reason = "it filters or weighs what lies outside (antialias, exclude_outside)";
    else if (geometry.coordinates == reference::ResizeCoordinates::tf_crop_and_resize)
        reason = "it crops and extrapolates";
    if (!reason.empty()) return false;
    options_ = geometry;
    options_.axes.clear();
    return true;
}

void ResizePlane::run(KernelContext& context, const ResizeAxis& height, const ResizeAxis& width,
                      const float* from, float* to, std::int64_t planes, std::int64_t lanes) const {
    if (height.input < 1 || width.input < 1 ||
        std::max(height.input, width.input) > std::numeric_limits<std::int32_t>::max())
        context.fail("Resize: an image of " + std::to_string(height.input) + " x " +
                     std::to_string(width.input) + " cannot grow");
    const ResizeKernels& kernels = resize_kernels();
    const std::int64_t in_row = width.input * lanes, row = width.output * lanes,
                       line = (in_row + 15) / 16 * 16;
    Tensor lines = context.scratch(DType::f32, {context.threads().threads(), line});
    Tensor tables =
        context.scratch(DType::f32, {table_size(height.output) + table_size(width.output)});
    auto* memory = static_cast<float*>(tables.mutable_raw());
    const AxisTable y_table = fill(options_, height, memory),
                    x_table = fill(options_, width, memory + table_size(height.output));
    const std::int64_t times = lanes == 1 ? repeats(x_table, width) : 0;
    float* const all_lines = lines.mutable_data<float>().data();
    for_row_chunks(
        context, planes * height.output, 8 * planes * height.output * row,
        [&](std::int64_t first, std::int64_t end, int worker) {
            for (std::int64_t r = first; r < end; ++r) {
                const std::int64_t y = r % height.output;
                const float* image = from + r / height.output * height.input * in_row;
                const float* source = image + y_table.low[y] * in_row;
                float* out = to + r * row;
                if (y_table.blends) {
                    float* const blended = all_lines + worker * line;
                    kernels.blend_rows(source, image + y_table.high[y] * in_row,
                                       y_table.low_weight[y], y_table.high_weight[y], in_row,
                                       blended);
                    source = blended;
                } else if (r > first && y > 0 && y_table.low[y] == y_table.low[y - 1]) {
                    // A nearest row that repeats the one above is a copy of it.
                    std::memcpy(out, out - row, static_cast<std::size_t>(row) * sizeof(float));
                    continue;
                }
                if (x_table.blends)
                    kernels.blend_positions(source, x_table.low, x_table.high, x_table.low_weight,
                                            x_table.high_weight, width.output, lanes, out);
                else if (times) kernels.repeat_positions(source, times, width.output, out);
                else kernels.pick_positions(source, x_table.low, width.output, lanes, out);
            }
        });
}

}  // namespace lapidary::pooling
