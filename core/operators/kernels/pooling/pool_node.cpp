// SPDX-License-Identifier: Apache-2.0
#include "kernels/pooling/pool_node.h"

namespace lapidary::pooling {

std::optional<PoolNode> read_pool(const Node& node, std::size_t most_axes, std::string& reason) {
    const std::size_t rank = node.ints_attribute("kernel_shape").size();
    if (rank == 0 || rank > most_axes) {
        reason = "its window has " + std::to_string(rank) + " axes, fast pools take 1 to " +
                 std::to_string(most_axes);
        return std::nullopt;
    }
    return PoolNode{read_window_attributes(node, rank), rank,
                    node.int_attribute("count_include_pad", 0) != 0};
}

TapRange taps_inside(const WindowAxis& axis, std::int64_t position) {
    const std::int64_t start = position * axis.stride - axis.pad_begin;
    const std::int64_t begin = start < 0 ? (-start + axis.dilation - 1) / axis.dilation : 0;
    const std::int64_t end =
        start >= axis.input ? 0
                            : std::min(axis.kernel, (axis.input - 1 - start) / axis.dilation + 1);
    return {std::min(begin, std::max<std::int64_t>(end, 0)), std::max<std::int64_t>(end, 0)};
}

float factor_at(const WindowAxis& axis, bool counts_padding, std::int64_t position) {
    const TapRange inside = taps_inside(axis, position);
    std::int64_t count = inside.end - inside.begin;
    if (counts_padding) {
        // Taps beyond the padding, which ceil_mode makes, do not count.
        const std::int64_t start = position * axis.stride - axis.pad_begin;
        count = std::clamp<std::int64_t>(
            (axis.input + axis.pad_end - 1 - start) / axis.dilation + 1, 0, axis.kernel);
    }
    return count > 0 ? 1.0f / static_cast<float>(count) : 0.0f;
}

PlaneWindow plane_window(const PoolNode& pool, const Shape& input) {
    PlaneWindow planes;
    for (WindowAxis& a : planes.axes) a.input = a.output = 1;
    planes.shape = {input[0], input[1]};
    for (std::size_t i = 0; i < pool.rank; ++i) {
        WindowAxis& a = planes.axes[3 - pool.rank + i];
        a = window_axis(pool.window, i, input[i + 2], pool.window.kernel[i]);
        planes.shape.push_back(a.output);
    }
    return planes;
}

void fill_factors(const WindowAxis& axis, bool counts_padding, float* factors) {
    for (std::int64_t i = 0; i < axis.output; ++i) factors[i] = factor_at(axis, counts_padding, i);
}

bool has_dtype(const KernelRequest& request, DType dtype, std::string& reason) {
    const Type& type = request.input_type(0);
    if (type.is_tensor() && type.dtype == dtype) return true;
    reason =
        "its input is " + to_string(type) + ", this kernel takes " + std::string(name_of(dtype));
    return false;
}

}  // namespace lapidary::pooling
