// SPDX-License-Identifier: Apache-2.0
#include "kernels/pooling/resize_plane.h"

#include <cstring>
#include <limits>

#include "kernels/pooling/pool_node.h"
#include "kernels/reference/resize_geometry.h"
#include "kernels/reference/resize_sampling.h"

namespace lapidary::pooling {
namespace {

bool fill(const reference::ResizeGeometry& g, const reference::ResizeAxis& axis, AxisTable& table, std::string& reason) {
    if (axis.input < 1 || axis.output < 1 || axis.input > std::numeric_limits<std::int32_t>::max()) {
        reason = "an axis of " + std::to_string(axis.input) + " becomes " + std::to_string(axis.output);
        return false;
    }
    const reference::AxisSampling s = reference::sample_axis(g, axis);
    if (s.taps > 2) {
        reason = "its filter has " + std::to_string(s.taps) + " taps along an axis, fast resampling takes 2";
        return false;
    }
    if (!s.is_extrapolated.empty()) {
        reason = "it crops and extrapolates";
        return false;
    }
    table = {axis.input, axis.output, s.taps == 2, {}, {}, {}, {}};
    for (std::size_t i = 0; i < s.index.size(); i += static_cast<std::size_t>(s.taps)) {
        table.low.push_back(static_cast<std::int32_t>(s.index[i]));
        if (!table.blends) continue;
        table.high.push_back(static_cast<std::int32_t>(s.index[i + 1]));
        table.low_weight.push_back(s.weight[i]);
        table.high_weight.push_back(s.weight[i + 1]);
    }
    return true;
}

}  // namespace

bool ResizePlane::prepare(const reference::ResizeGeometry& geometry, const reference::ResizeAxis& height, const reference::ResizeAxis& width,
                          std::string& reason) {
    kernels_ = &resize_kernels();
    return fill(geometry, height, height_, reason) && fill(geometry, width, width_, reason);
}

void ResizePlane::make_row(const float* image, std::int64_t y, std::int64_t lanes, float* line, float* to) const {
    const auto at = static_cast<std::size_t>(y);
    const std::int64_t step = width_.input * lanes;
    const float* row = image + height_.low[at] * step;
    if (height_.blends) {
        kernels_->blend_rows(row, image + height_.high[at] * step, height_.low_weight[at], height_.high_weight[at], step, line);
        row = line;
    }
    if (width_.blends)
        kernels_->blend_positions(row, width_.low.data(), width_.high.data(), width_.low_weight.data(), width_.high_weight.data(), width_.output, lanes, to);
    else kernels_->pick_positions(row, width_.low.data(), width_.output, lanes, to);
}

void ResizePlane::run(KernelContext& context, const float* from, float* to, std::int64_t planes, std::int64_t lanes) const {
    const std::int64_t in_plane = height_.input * width_.input * lanes, row = width_.output * lanes, line = (width_.input * lanes + 15) / 16 * 16;
    Tensor lines = context.scratch(DType::f32, {context.threads().threads(), line});
    float* const all_lines = lines.mutable_data<float>().data();
    const std::int64_t rows = planes * height_.output;
    for_row_chunks(context, rows, 8 * rows * row, [&](std::int64_t first, std::int64_t end, int worker) {
        for (std::int64_t r = first; r < end; ++r) {
            const std::int64_t y = r % height_.output;
            // A nearest row that repeats the one above is a copy of it.
            if (!height_.blends && y > 0 && r > first && height_.low[static_cast<std::size_t>(y)] == height_.low[static_cast<std::size_t>(y) - 1])
                std::memcpy(to + r * row, to + (r - 1) * row, static_cast<std::size_t>(row) * sizeof(float));
            else make_row(from + r / height_.output * in_plane, y, lanes, all_lines + worker * line, to + r * row);
        }
    });
}

}  // namespace lapidary::pooling
