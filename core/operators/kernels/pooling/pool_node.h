// SPDX-License-Identifier: Apache-2.0
// What the pooling kernels share: the node's attributes, and how work is cut into tasks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "kernels/kernel.h"
#include "ops/geometry/window.h"

namespace lapidary::pooling {

struct PoolNode {
    WindowAttributes window;
    std::size_t rank;     // spatial axes
    bool counts_padding;  // AveragePool
};

/// Nothing, with the reason, when kernel_shape does not name 1 to `most_axes` axes.
std::optional<PoolNode> read_pool(const Node& node, std::size_t most_axes, std::string& reason);

/// A pool over three axes; missing outer axes have one position.
struct PlaneWindow {
    WindowAxis axes[3];  // depth, height, width
    Shape shape;         // of the output
};
/// `input`: [N, C] and `pool.rank` (1 to 3) spatial sizes. Throws what window_axis() throws.
PlaneWindow plane_window(const PoolNode& pool, const Shape& input);

/// factors[x] = 1 / (taps of window x inside the input, or in its padding too), 0 where there is
/// none.
void fill_factors(const WindowAxis& axis, bool counts_padding, float* factors);
/// The same for one position.
float factor_at(const WindowAxis& axis, bool counts_padding, std::int64_t position);
/// Input rows under the window at `position`: taps [begin, end).
struct TapRange {
    std::int64_t begin, end;
};
TapRange taps_inside(const WindowAxis& axis, std::int64_t position);

/// "f32 only" for kernels that take nothing else; true when the input's type is known to be
/// `dtype`.
bool has_dtype(const KernelRequest& request, DType dtype, std::string& reason);

/// body(first, end, worker) over chunks of [0, rows), `bytes` being what all of them move; small
/// work stays here.
template <typename Body>
void for_row_chunks(KernelContext& context, std::int64_t rows, std::int64_t bytes,
                    const Body& body) {
    constexpr std::int64_t serial_bytes = 128 << 10, chunk_bytes = 64 << 10;
    const int threads = context.threads().threads();
    if (threads == 1 || bytes < serial_bytes) {
        const std::int64_t step = std::max<std::int64_t>(
            1, bytes == 0 ? rows : rows * (1 << 20) / std::max<std::int64_t>(bytes, 1));
        for (std::int64_t first = 0; first < rows; first += step) {
            context.cancel().throw_if_cancelled();
            body(first, std::min(rows, first + step), 0);
        }
        return;
    }
    const std::int64_t chunks = std::clamp<std::int64_t>(bytes / chunk_bytes, 1, rows),
                       step = (rows + chunks - 1) / chunks;
    context.threads().parallel_tasks((rows + step - 1) / step, [&](std::int64_t task, int worker) {
        context.cancel().throw_if_cancelled();
        body(task * step, std::min(rows, (task + 1) * step), worker);
    });
}

}  // namespace lapidary::pooling
