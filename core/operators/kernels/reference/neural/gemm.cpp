// SPDX-License-Identifier: Apache-2.0
// Gemm (7, 9, 11, 13): Y = alpha * A' * B' + beta * C with optional transposes; C broadcasts to Y.
#include <algorithm>

#include "kernels/reference/elementwise/widening.h"
#include "kernels/reference/neural/matrix_product.h"
#include "ops/geometry/gemm.h"

namespace lapidary::reference {
namespace {

template <typename T>
void float_gemm(KernelContext& context, const GemmGeometry& g, const Tensor& a, const Tensor& b,
                const Tensor* c, Tensor& y) {
    const Widened<T> left(context, a), right(context, b), addend(context, c);
    Narrowed<T> result(context, y);
    const T* rows = left.data();
    Tensor turned;
    if (g.transpose_a) {
        turned = context.scratch(dtype_of<T>, {g.rows, g.inner});
        transpose_matrix(left.data(), g.inner, g.rows, turned.mutable_data<T>().data());
        rows = turned.data<T>().data();
    }
    std::fill_n(result.data(), g.rows * g.columns, T(0));
    multiply_add<T>(
        &context.threads(), context.cancel(), g.rows, g.columns, g.inner, rows, g.inner,
        DenseMatrix<T>{right.data(), g.transpose_b ? g.inner : g.columns, g.transpose_b},
        result.data(), g.columns);
    const T alpha = context.node().float_attribute("alpha", 1.0f),
            beta = context.node().float_attribute("beta", 1.0f);
    for (std::int64_t i = 0; i < g.rows; ++i)
        for (std::int64_t j = 0; j < g.columns; ++j) {
            T& value = result[i * g.columns + j];
            value *= alpha;
            if (addend) value += beta * addend[i * g.c_row_stride + j * g.c_column_stride];
        }
    result.store();
}

/// value * factor as the specification's float factor means it for integers: exact for 1, truncated
/// otherwise.
template <typename I>
I scaled(I value, float factor) {
    if (factor == 1.0f) return value;
    const double product = static_cast<double>(value) * static_cast<double>(factor);
    const double low = static_cast<double>(std::numeric_limits<I>::min());
    const double high = static_cast<double>(std::numeric_limits<I>::max());
    if (!(product > low)) return product != product ? I(0) : std::numeric_limits<I>::min();
    if (product >= high) return std::numeric_limits<I>::max();
    return static_cast<I>(product);
}

template <typename I>
void integer_gemm(KernelContext& context, const GemmGeometry& g, const Tensor& a, const Tensor& b,
                  const Tensor* c, Tensor& y) {
    using U = std::make_unsigned_t<I>;  // sums wrap around
    const float alpha = context.node().float_attribute("alpha", 1.0f),
                beta = context.node().float_attribute("beta", 1.0f);
    const auto left = a.data<I>(), right = b.data<I>();
    auto result = y.mutable_data<I>();
    const I* addend = c ? c->data<I>().data() : nullptr;
    context.threads().parallel_for(g.rows, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            context.cancel().throw_if_cancelled();
            for (std::int64_t j = 0; j < g.columns; ++j) {
                U sum = 0;
                for (std::int64_t k = 0; k < g.inner; ++k)
                    sum +=
                        static_cast<U>(left[g.transpose_a ? k * g.rows + i : i * g.inner + k]) *
                        static_cast<U>(right[g.transpose_b ? j * g.inner + k : k * g.columns + j]);
                U value = static_cast<U>(scaled(static_cast<I>(sum), alpha));
                if (addend)
                    value += static_cast<U>(
                        scaled(addend[i * g.c_row_stride + j * g.c_column_stride], beta));
                result[i * g.columns + j] = static_cast<I>(value);
            }
        }
    });
}

}  // namespace

void gemm(KernelContext& context) {
    const Tensor& a = context.input(0);
    const Tensor& b = context.input(1);
    const Tensor* c = context.optional_input(2);
    require_same_type(a, b, "Gemm inputs");
    if (c) require_same_type(a, *c, "Gemm inputs");
    const GemmGeometry g =
        gemm_geometry(context.node(), a.shape(), b.shape(), c ? &c->shape() : nullptr);
    Tensor& y = context.output(0, a.dtype(), g.output());
    if (y.size() == 0) return;
    switch (a.dtype()) {
    case DType::i32: integer_gemm<std::int32_t>(context, g, a, b, c, y); return;
    case DType::u32: integer_gemm<std::uint32_t>(context, g, a, b, c, y); return;
    case DType::i64: integer_gemm<std::int64_t>(context, g, a, b, c, y); return;
    case DType::u64: integer_gemm<std::uint64_t>(context, g, a, b, c, y); return;
    default:
        dispatch_compute(a.dtype(), [&]<typename T>() { float_gemm<T>(context, g, a, b, c, y); });
    }
}

}  // namespace lapidary::reference
