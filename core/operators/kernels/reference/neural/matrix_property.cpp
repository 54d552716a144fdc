// SPDX-License-Identifier: Apache-2.0
// Det, Inverse (com.microsoft) and Trilu: operators on the last two dimensions.
#include <vector>

#include "kernels/reference/elementwise/elementwise_binary.h"

namespace lapidary::reference {
namespace {

void require_square(const KernelContext& context, const Shape& shape) {
    if (shape.size() < 2 || shape[shape.size() - 1] != shape[shape.size() - 2])
        context.fail("input 0: expected square matrices [..., n, n], found " + to_string(shape));
}

/// Gauss-Jordan elimination with row exchanges on n x n `a`; the same steps are done to `companion`
/// (n x n) when given. Returns the determinant; 0 when singular.
double eliminate(std::vector<double>& a, std::vector<double>* companion, std::int64_t n) {
    double determinant = 1;
    for (std::int64_t column = 0; column < n; ++column) {
        std::int64_t pivot = column;
        for (std::int64_t row = column + 1; row < n; ++row)
            if (std::fabs(a[row * n + column]) > std::fabs(a[pivot * n + column])) pivot = row;
        const double value = a[pivot * n + column];
        if (value == 0) return 0;
        if (pivot != column) {
            for (std::int64_t k = 0; k < n; ++k) {
                std::swap(a[pivot * n + k], a[column * n + k]);
                if (companion) std::swap((*companion)[pivot * n + k], (*companion)[column * n + k]);
            }
            determinant = -determinant;
        }
        determinant *= value;
        for (std::int64_t row = companion ? 0 : column + 1; row < n; ++row) {
            if (row == column) continue;
            const double factor = a[row * n + column] / value;
            if (factor == 0) continue;
            for (std::int64_t k = column; k < n; ++k) a[row * n + k] -= factor * a[column * n + k];
            if (companion)
                for (std::int64_t k = 0; k < n; ++k)
                    (*companion)[row * n + k] -= factor * (*companion)[column * n + k];
        }
    }
    return determinant;
}

template <typename F>
void for_each_matrix(KernelContext& context, const Tensor& x, const F& f) {
    require_square(context, x.shape());
    const std::int64_t n = x.shape().back();
    const std::int64_t count = element_count(std::span(x.shape()).first(x.shape().size() - 2));
    const std::vector<double> values = to_doubles(x);
    std::vector<double> matrix(static_cast<std::size_t>(n * n));
    for (std::int64_t i = 0; i < count; ++i) {
        context.cancel().throw_if_cancelled();
        std::copy_n(values.begin() + i * n * n, n * n, matrix.begin());
        f(i, n, matrix);
    }
}

}  // namespace

void det(KernelContext& context) {
    const Tensor& x = context.input(0);
    require_square(context, x.shape());
    const Shape shape(x.shape().begin(), x.shape().end() - 2);
    Tensor& y = context.output(0, x.dtype(), shape);
    Tensor wide = context.scratch(DType::f64, shape);
    const auto out = wide.mutable_data<double>();
    for_each_matrix(context, x, [&](std::int64_t i, std::int64_t n, std::vector<double>& matrix) {
        out[i] = eliminate(matrix, nullptr, n);
    });
    convert_into(context, wide, y);
}

void inverse(KernelContext& context) {
    const Tensor& x = context.input(0);
    Tensor& y = context.output(0, x.dtype(), x.shape());
    Tensor wide = context.scratch(DType::f64, x.shape());
    const auto out = wide.mutable_data<double>();
    for_each_matrix(context, x, [&](std::int64_t i, std::int64_t n, std::vector<double>& matrix) {
        std::vector<double> result(matrix.size(), 0.0);
        for (std::int64_t k = 0; k < n; ++k) result[k * n + k] = 1;
        if (eliminate(matrix, &result, n) == 0)
            context.fail("matrix " + std::to_string(i) + " is singular and has no inverse");
        for (std::int64_t row = 0; row < n; ++row)
            for (std::int64_t k = 0; k < n; ++k)
                out[(i * n + row) * n + k] = result[row * n + k] / matrix[row * n + row];
    });
    convert_into(context, wide, y);
}

void trilu(KernelContext& context) {
    const Tensor& x = context.input(0);
    if (x.rank() < 2)
        context.fail("input 0: expected rank 2 or more, found " + to_string(x.shape()));
    const bool upper = context.node().int_attribute("upper", 1) != 0;
    std::int64_t diagonal = 0;
    if (const Tensor* k = context.optional_input(1)) {
        if (k->size() != 1)
            context.fail("input 1: expected a scalar, found " + to_string(k->shape()));
        diagonal = to_int64s(*k)[0];
    }
    const std::int64_t columns = x.shape().back(), rows = x.shape()[x.shape().size() - 2];
    diagonal = std::clamp(diagonal, -rows - 1, columns + 1);  // beyond these nothing changes
    Tensor& y = context.output(0, x.dtype(), x.shape());
    dispatch_by_width(x.dtype(), [&]<typename T>() {
        const T* in = static_cast<const T*>(x.raw());
        T* out = static_cast<T*>(y.mutable_raw());
        for_ranges(context, x.size(), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                const std::int64_t column = i % columns, row = i / columns % rows;
                const bool keeps = upper ? column - row >= diagonal : column - row <= diagonal;
                out[i] = keeps ? in[i] : T();
            }
        });
    });
}

}  // namespace lapidary::reference
