// SPDX-License-Identifier: Apache-2.0
// MatMul (1, 9, 13): numpy.matmul over the last two axes with broadcast leading axes.
#include <algorithm>

#include "kernels/reference/elementwise/widening.h"
#include "kernels/reference/neural/matrix_product.h"
#include "ops/geometry/matmul.h"

namespace lapidary::reference {
namespace {

/// Calls product(pool, batch) for every batch element: side by side when there are enough, else one
/// after another with all threads inside.
template <typename Product>
void for_each_batch(KernelContext& context, const MatMulGeometry& g, const Product& product) {
    if (g.batches > 1 && g.batches >= context.threads().threads()) {
        const double work =
            std::max(1.0, static_cast<double>(g.rows) * static_cast<double>(g.inner) *
                              static_cast<double>(g.columns));
        const auto grain = static_cast<std::int64_t>(std::max(1.0, 65536.0 / work));
        context.threads().parallel_for(g.batches, grain, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) product(nullptr, i);
        });
        return;
    }
    for (std::int64_t i = 0; i < g.batches; ++i) product(&context.threads(), i);
}

template <typename T>
void float_matmul(KernelContext& context, const MatMulGeometry& g, const Tensor& a, const Tensor& b,
                  Tensor& y) {
    const Widened<T> left(context, a), right(context, b);
    Narrowed<T> result(context, y);
    for_each_batch(context, g, [&](ThreadPool* pool, std::int64_t i) {
        T* c = result.data() + i * g.rows * g.columns;
        std::fill_n(c, g.rows * g.columns, T(0));
        multiply_add<T>(pool, context.cancel(), g.rows, g.columns, g.inner,
                        left.data() + g.offset(g.a, i), g.inner,
                        DenseMatrix<T>{right.data() + g.offset(g.b, i), g.columns, false}, c,
                        g.columns);
    });
    result.store();
}

/// Integers wrap around; U is the unsigned type of their width.
template <typename U>
void integer_matmul(KernelContext& context, const MatMulGeometry& g, const Tensor& a,
                    const Tensor& b, Tensor& y) {
    const U* left = static_cast<const U*>(a.raw());
    const U* right = static_cast<const U*>(b.raw());
    U* result = static_cast<U*>(y.mutable_raw());
    for_each_batch(context, g, [&](ThreadPool*, std::int64_t batch) {
        const U* la = left + g.offset(g.a, batch);
        const U* rb = right + g.offset(g.b, batch);
        for (std::int64_t i = 0; i < g.rows; ++i) {
            context.cancel().throw_if_cancelled();
            U* c = result + (batch * g.rows + i) * g.columns;
            std::fill_n(c, g.columns, U(0));
            for (std::int64_t k = 0; k < g.inner; ++k)
                for (std::int64_t j = 0; j < g.columns; ++j)
                    c[j] += la[i * g.inner + k] * rb[k * g.columns + j];
        }
    });
}

}  // namespace

void matmul(KernelContext& context) {
    const Tensor& a = context.input(0);
    const Tensor& b = context.input(1);
    require_same_type(a, b, "MatMul inputs");
    const MatMulGeometry g = matmul_geometry("MatMul", a.shape(), {}, b.shape(), {});
    Tensor& y = context.output(0, a.dtype(), g.output);
    if (y.size() == 0) return;
    switch (a.dtype()) {
    case DType::i32:
    case DType::u32: integer_matmul<std::uint32_t>(context, g, a, b, y); return;
    case DType::i64:
    case DType::u64: integer_matmul<std::uint64_t>(context, g, a, b, y); return;
    default:
        dispatch_compute(a.dtype(), [&]<typename T>() { float_matmul<T>(context, g, a, b, y); });
    }
}

}  // namespace lapidary::reference
