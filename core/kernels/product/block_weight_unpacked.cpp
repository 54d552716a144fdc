// SPDX-License-Identifier: Apache-2.0
#include "kernels/product/block_weight_unpacked.h"

#include <algorithm>
#include <bit>

#include "kernels/integer/workspace.h"
#include "kernels/product/packed_product.h"

namespace lapidary {
namespace {

/// Vectors [begin, end) of columns that start at column `first` in the order of packed_matrix.
void unpack(const BlockWeightMatrix& w, std::int64_t first, std::int64_t columns, std::int64_t begin, std::int64_t end,
            float* to) {
    const std::int64_t vector = w.kernels->vector, panels = packed_matrix::panels(columns);
    std::int64_t panel = 0;
    for (std::int64_t v = begin; v < end; ++v) {
        const std::int64_t column = v * vector;
        while (panel + 1 < panels && packed_matrix::panel_begin(columns, panel + 1) <= column) ++panel;
        const std::int64_t start = packed_matrix::panel_begin(columns, panel),
                           width = packed_matrix::panel_begin(columns, panel + 1) - start;
        const std::int64_t stride = (width + vector - 1) / vector * vector, place = first + column;
        w.kernels->unpack(w.group(place / w.kernels->group), static_cast<int>(place % w.kernels->group / vector),
                          w.inner, to + start * w.inner + column - start, stride);
    }
}

bool is_finite(const float* values, std::int64_t count) {
    constexpr std::uint32_t exponent = 0x7f800000;
    bool found = false;
    for (std::int64_t i = 0; i < count; ++i) found |= (std::bit_cast<std::uint32_t>(values[i]) & exponent) == exponent;
    return !found;
}

}  // namespace

void multiply_unpacked(KernelContext& context, const BlockWeightMatrix& w, std::int64_t rows, const float* a,
                       const float* bias, float* c) {
    const std::int64_t threads = context.threads().threads(), vector = w.kernels->vector;
    constexpr std::int64_t most_floats = 2 << 20;
    const std::int64_t step = std::clamp(most_floats / w.inner / 96 * 96, std::int64_t{96} * threads,
                                         (w.columns + 95) / 96 * 96 + 96 * threads);
    Product p;
    p.rows = rows;
    p.inner = w.inner;
    p.a = a;
    p.a_stride = w.inner;
    p.c_stride = w.columns;
    p.packed_b = a;  // stands for what will be there
    std::size_t workspace = 0;
    for (const std::int64_t columns : {std::min(step, w.columns), w.columns % step}) {
        p.columns = columns;
        if (columns > 0) workspace = std::max(workspace, product_workspace(p, static_cast<int>(threads)));
    }
    enum class Part : std::uint8_t { panels, product };
    Workspace<Part> work(context, {{Part::panels, packed_matrix::bytes(w.inner, std::min(step, w.columns))},
                                   {Part::product, workspace}});
    float* panels = work.part<float>(Part::panels);
    for (std::int64_t first = 0; first < w.columns; first += step) {
        p.columns = std::min(step, w.columns - first);
        const std::int64_t vectors = (p.columns + vector - 1) / vector;
        context.threads().parallel_tasks(vectors, [&](std::int64_t v, int) {
            context.cancel().throw_if_cancelled();
            unpack(w, first, p.columns, v, v + 1, panels);
        });
        p.packed_b = panels;
        p.c = c + first;
        p.bias = bias ? bias + first : nullptr;
        multiply(p, context.threads(), context.cancel(), work.part<std::byte>(Part::product));
    }
}

void multiply_rows_that_are_not_finite(KernelContext& context, const BlockWeightMatrix& w, std::int64_t rows,
                                       const float* a, const float* bias, float* c) {
    for (std::int64_t row = 0; row < rows; ++row) {
        const std::int64_t first = row;
        while (row < rows && !is_finite(a + row * w.inner, w.inner)) ++row;
        if (row > first) multiply_unpacked(context, w, row - first, a + first * w.inner, bias, c + first * w.columns);
    }
}

}  // namespace lapidary
