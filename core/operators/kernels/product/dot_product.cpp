// SPDX-License-Identifier: Apache-2.0
#include "kernels/product/dot_product.h"

#include <algorithm>

#include "kernels/product/task_runs.h"
#include "kernels/vector/product/product.h"
#include "kernels/vector/product/product_dot.h"

namespace lapidary {
namespace {

constexpr std::int64_t few_columns = 4;

/// Adding up the lanes costs as much as some 50 multiplications per sum; packing B costs the more
/// the fewer rows share it.
bool has_few_rows(const Product& p) {
    return p.transposed_b && p.rows <= (p.inner >= 256 ? 48 : 16);
}
/// Whether a row-major B with few columns is transposed first.
bool turns_b(const Product& p) { return !p.transposed_b && (p.columns > 1 || p.b_stride != 1); }

/// scale, biases, residual and activation of rows x columns at (row, column) of C, which holds the
/// sums.
void finish(const Product& p, std::int64_t row, std::int64_t rows, std::int64_t column,
            std::int64_t columns) {
    float* c = p.c + row * p.c_stride + column;
    if (p.scale != 1 || p.bias || p.row_bias || p.residual)
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < columns; ++j) {
                float v = c[i * p.c_stride + j] * p.scale;
                if (p.bias) v += p.bias[column + j];
                if (p.row_bias) v += p.row_bias[row + i];
                if (p.residual) v += p.residual[(row + i) * p.residual_stride + column + j];
                c[i * p.c_stride + j] = v;
            }
    if (!p.activation) return;
    const bool is_dense = p.c_stride == columns;
    product_kernels().activate(c, p.c_stride, is_dense ? 1 : rows,
                               is_dense ? rows * columns : columns, p.activation);
}

}  // namespace

bool prefers_dots(const Product& p) {
    if (p.packed_b || p.packed_half_b || p.source || p.transposed_a || p.inner < 8 ||
        p.residual == p.c)
        return false;
    return has_few_rows(p) || p.columns <= few_columns;
}

std::size_t dots_workspace(const Product& p) {
    return !has_few_rows(p) && turns_b(p)
               ? static_cast<std::size_t>(p.inner * p.columns) * sizeof(float)
               : 0;
}

void multiply_dots(const Product& p, ThreadPool* pool, const CancelToken* cancel,
                   std::byte* workspace) {
    const bool by_rows = !has_few_rows(p);  // the rows are the many
    const float* b = p.b;
    std::int64_t b_stride = p.b_stride;
    if (by_rows && turns_b(p)) {
        auto* turned = reinterpret_cast<float*>(workspace);
        for (std::int64_t k = 0; k < p.inner; ++k)
            for (std::int64_t j = 0; j < p.columns; ++j)
                turned[j * p.inner + k] = b[k * p.b_stride + j];
        b = turned;
        b_stride = p.inner;
    }
    const std::int64_t many = by_rows ? p.rows : p.columns;
    const auto range = [&](std::int64_t begin, std::int64_t end) {
        ProductDots dots;
        dots.inner = p.inner;
        dots.few_count = by_rows ? p.columns : p.rows;
        dots.many_count = end - begin;
        dots.few = by_rows ? b : p.a;
        dots.few_stride = by_rows ? b_stride : p.a_stride;
        dots.many = by_rows ? p.a + begin * p.a_stride : b + begin * b_stride;
        dots.many_stride = by_rows ? p.a_stride : b_stride;
        dots.to = p.c + begin * (by_rows ? p.c_stride : 1);
        dots.to_few = by_rows ? 1 : p.c_stride;
        dots.to_many = by_rows ? p.c_stride : 1;
        product_dot_kernels().dots(dots);
        if (by_rows) finish(p, begin, end - begin, 0, p.columns);
        else finish(p, 0, p.rows, begin, end - begin);
    };
    const int workers = pool ? pool->threads() : 1;
    constexpr std::int64_t least = 16;  // rows of C or a cache line of columns
    const std::int64_t units = (many + least - 1) / least,
                       tasks = std::min<std::int64_t>(units, workers == 1 ? 1 : 4 * workers);
    if (tasks <= 1) return range(0, many);
    TaskRuns runs(tasks, 1, workers);
    pool->parallel_tasks(tasks, [&](std::int64_t, int worker) {
        if (cancel) cancel->throw_if_cancelled();
        const std::int64_t task = runs.take(worker);
        range(units * task / tasks * least, std::min(many, units * (task + 1) / tasks * least));
    });
}

}  // namespace lapidary
