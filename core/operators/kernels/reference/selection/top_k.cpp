// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "kernels/reference/movement/element_copy.h"
#include "kernels/reference/selection/element_order.h"
#include "ops/geometry/broadcast.h"

namespace lapidary::reference {
namespace {

struct Rows {
    std::int64_t outer, length, inner, k;
    bool largest;
};

// Ties go to the lower index; NaN counts as the largest number. The result is sorted even where the
// node leaves the order open.
template <typename T>
void select_rows(KernelContext& context, const Rows& rows, const T* in, T* values,
                 std::int64_t* indices) {
    context.threads().parallel_for(
        rows.outer * rows.inner, std::max<std::int64_t>(1, 4096 / rows.length),
        [&](std::int64_t begin, std::int64_t end) {
            std::vector<std::int64_t> order(static_cast<std::size_t>(rows.length));
            for (std::int64_t row = begin; row < end; ++row) {
                const std::int64_t o = row / rows.inner, i = row % rows.inner;
                const T* source = in + o * rows.length * rows.inner + i;
                std::iota(order.begin(), order.end(), 0);
                std::partial_sort(order.begin(), order.begin() + rows.k, order.end(),
                                  [&](std::int64_t a, std::int64_t b) {
                                      const int c = compare_elements(source[a * rows.inner],
                                                                     source[b * rows.inner]);
                                      return c != 0 ? (rows.largest ? c > 0 : c < 0) : a < b;
                                  });
                for (std::int64_t j = 0; j < rows.k; ++j) {
                    const std::int64_t to = (o * rows.k + j) * rows.inner + i;
                    values[to] = source[order[static_cast<std::size_t>(j)] * rows.inner];
                    indices[to] = order[static_cast<std::size_t>(j)];
                }
            }
        });
}

}  // namespace

void top_k(KernelContext& context) {
    const Tensor& data = context.input(0);
    const auto axis = static_cast<std::size_t>(
        normalize_axis(context.node().int_attribute("axis", -1), data.rank()));
    const std::int64_t k = context.version() >= 10 ? single_int(context.input(1), "k")
                                                   : context.node().int_attribute("k", 0);
    if (k < 0 || k > data.dim(axis)) {
        context.fail("k is " + std::to_string(k) + " where axis " + std::to_string(axis) + " of " +
                     describe(data) + " has " + std::to_string(data.dim(axis)) + " elements");
    }
    Shape shape = data.shape();
    shape[axis] = k;
    Tensor& values = context.output(0, data.dtype(), shape);
    Tensor& indices = context.output(1, DType::i64, shape);
    const Rows rows{dim_product(shape, 0, axis), data.dim(axis),
                    dim_product(shape, axis + 1, shape.size()), k,
                    context.node().int_attribute("largest", 1) != 0};
    dispatch<NumericTypes>(data.dtype(), [&]<typename T>() {
        if (values.size() == 0) return;
        select_rows(context, rows, data.data<T>().data(), values.mutable_data<T>().data(),
                    indices.mutable_data<std::int64_t>().data());
    });
}

}  // namespace lapidary::reference
