// SPDX-License-Identifier: Apache-2.0
// MatMul (1, 9, 13): numpy.matmul over the last two axes with broadcast leading axes.
#include <algorithm>

#include "kernels/reference/elementwise/widening.h"
#include "kernels/reference/neural/matrix_product.h"
#include "ops/geometry/broadcast.h"

namespace lapidary::reference {
namespace {

/// One product per batch element; offsets are in elements.
struct MatMulGeometry {
    std::int64_t rows = 1, inner = 1, columns = 1, batches = 1;
    Shape batch, a_strides, b_strides;  // of the batch axes, 0 where broadcast
    Shape output;

    std::int64_t offset(const Shape& strides, std::int64_t index) const {
        std::int64_t result = 0;
        for (std::size_t axis = batch.size(); axis-- > 0;) {
            result += index % batch[axis] * strides[axis];
            index /= batch[axis];
        }
        return result;
    }
};

MatMulGeometry geometry_of(const Tensor& a, const Tensor& b) {
    if (a.rank() == 0 || b.rank() == 0) fail_input("MatMul: expected at least one axis, found a scalar");
    Shape sa = a.shape(), sb = b.shape();
    if (a.rank() == 1) sa.insert(sa.begin(), 1);
    if (b.rank() == 1) sb.push_back(1);
    MatMulGeometry g;
    g.rows = sa[sa.size() - 2];
    g.inner = sa.back();
    g.columns = sb.back();
    if (sb[sb.size() - 2] != g.inner)
        fail_input("MatMul: the inner dimensions of A " + to_string(a.shape()) + " and B " + to_string(b.shape()) +
                   " differ");
    const Shape batch_a(sa.begin(), sa.end() - 2), batch_b(sb.begin(), sb.end() - 2);
    g.batch = broadcast_shapes(batch_a, batch_b);
    g.output = g.batch;
    if (a.rank() > 1) g.output.push_back(g.rows);
    if (b.rank() > 1) g.output.push_back(g.columns);

    if (batch_b.empty()) {  // all rows of A meet the same B
        g.rows = element_count(batch_a) * g.rows;
        g.batch.clear();
        return g;
    }
    g.batches = element_count(g.batch);
    g.a_strides = broadcast_strides(batch_a, g.batch);
    g.b_strides = broadcast_strides(batch_b, g.batch);
    for (auto& s : g.a_strides) s *= g.rows * g.inner;
    for (auto& s : g.b_strides) s *= g.inner * g.columns;
    return g;
}

/// Calls product(pool, batch) for every batch element: side by side when there are enough, else one after another with
/// all threads inside.
template <typename Product>
void for_each_batch(KernelContext& context, const MatMulGeometry& g, const Product& product) {
    if (g.batches > 1 && g.batches >= context.threads().threads()) {
        const double work =
            std::max(1.0, static_cast<double>(g.rows) * static_cast<double>(g.inner) * static_cast<double>(g.columns));
        const auto grain = static_cast<std::int64_t>(std::max(1.0, 65536.0 / work));
        context.threads().parallel_for(g.batches, grain, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) product(nullptr, i);
        });
        return;
    }
    for (std::int64_t i = 0; i < g.batches; ++i) product(&context.threads(), i);
}

template <typename T>
void float_matmul(KernelContext& context, const MatMulGeometry& g, const Tensor& a, const Tensor& b, Tensor& y) {
    const Widened<T> left(context, a), right(context, b);
    Narrowed<T> result(context, y);
    for_each_batch(context, g, [&](ThreadPool* pool, std::int64_t i) {
        T* c = result.data() + i * g.rows * g.columns;
        std::fill_n(c, g.rows * g.columns, T(0));
        multiply_add<T>(pool, context.cancel(), g.rows, g.columns, g.inner, left.data() + g.offset(g.a_strides, i),
                        g.inner, DenseMatrix<T>{right.data() + g.offset(g.b_strides, i), g.columns, false}, c,
                        g.columns);
    });
    result.store();
}

/// Integers wrap around; U is the unsigned type of their width.
template <typename U>
void integer_matmul(KernelContext& context, const MatMulGeometry& g, const Tensor& a, const Tensor& b, Tensor& y) {
    const U* left = static_cast<const U*>(a.raw());
    const U* right = static_cast<const U*>(b.raw());
    U* result = static_cast<U*>(y.mutable_raw());
    for_each_batch(context, g, [&](ThreadPool*, std::int64_t batch) {
        const U* la = left + g.offset(g.a_strides, batch);
        const U* rb = right + g.offset(g.b_strides, batch);
        for (std::int64_t i = 0; i < g.rows; ++i) {
            context.cancel().throw_if_cancelled();
            U* c = result + (batch * g.rows + i) * g.columns;
            std::fill_n(c, g.columns, U(0));
            for (std::int64_t k = 0; k < g.inner; ++k)
                for (std::int64_t j = 0; j < g.columns; ++j) c[j] += la[i * g.inner + k] * rb[k * g.columns + j];
        }
    });
}

}  // namespace

void matmul(KernelContext& context) {
    const Tensor& a = context.input(0);
    const Tensor& b = context.input(1);
    require_same_type(a, b, "MatMul inputs");
    const MatMulGeometry g = geometry_of(a, b);
    Tensor& y = context.output(0, a.dtype(), g.output);
    if (y.size() == 0) return;
    switch (a.dtype()) {
        case DType::i32:
        case DType::u32: integer_matmul<std::uint32_t>(context, g, a, b, y); return;
        case DType::i64:
        case DType::u64: integer_matmul<std::uint64_t>(context, g, a, b, y); return;
        default: dispatch_compute(a.dtype(), [&]<typename T>() { float_matmul<T>(context, g, a, b, y); });
    }
}

}  // namespace lapidary::reference
