// SPDX-License-Identifier: Apache-2.0
// Einsum (12): operands are contracted from left to right, each step one batched matrix product.
#include <algorithm>

#include "kernels/reference/elementwise/widening.h"
#include "kernels/reference/neural/einsum_equation.h"
#include "kernels/reference/neural/matrix_product.h"
#include "ops/geometry/broadcast.h"

namespace lapidary::reference {
namespace {

using Labels = std::vector<int>;

bool holds(const Labels& labels, int label) {
    return std::find(labels.begin(), labels.end(), label) != labels.end();
}

/// A dense operand with one unique label per axis.
struct Operand {
    Labels labels;
    Shape shape;
    Tensor values;
};

template <typename T>
class Contraction {
public:
    Contraction(KernelContext& context, const EinsumEquation& equation)
        : context_(context), equation_(equation) {}

    /// Takes the diagonal over repeated labels and drops axes of size 1 that broadcast.
    Operand load(const T* from, const Shape& shape, const Labels& labels) const {
        Operand result;
        Shape strides;
        const Shape own = strides_of(shape);
        for (std::size_t axis = 0; axis < labels.size(); ++axis) {
            if (shape[axis] == 1 && equation_.sizes.at(labels[axis]) != 1) continue;
            const auto known = std::find(result.labels.begin(), result.labels.end(), labels[axis]);
            if (known != result.labels.end()) {
                strides[static_cast<std::size_t>(known - result.labels.begin())] += own[axis];
                continue;
            }
            result.labels.push_back(labels[axis]);
            result.shape.push_back(shape[axis]);
            strides.push_back(own[axis]);
        }
        result.values = gather(from, result.shape, strides);
        return result;
    }

    /// The same values with axes in the order of `labels`, which may miss some: those are summed
    /// away.
    Operand arrange(const Operand& from, const Labels& labels) const {
        Operand result;
        Labels order = labels;
        for (const int label : from.labels)
            if (!holds(labels, label)) order.push_back(label);
        Shape shape, strides;
        const Shape own = strides_of(from.shape);
        std::int64_t kept = 1, summed = 1;
        for (std::size_t i = 0; i < order.size(); ++i) {
            const auto axis = static_cast<std::size_t>(
                std::find(from.labels.begin(), from.labels.end(), order[i]) - from.labels.begin());
            shape.push_back(from.shape[axis]);
            strides.push_back(own[axis]);
            (i < labels.size() ? kept : summed) *= from.shape[axis];
        }
        result.labels = labels;
        result.shape.assign(shape.begin(),
                            shape.begin() + static_cast<std::ptrdiff_t>(labels.size()));
        result.values = gather(data(from), shape, strides);
        if (order.size() == labels.size()) return result;
        Tensor sums = context_.scratch(dtype_of<T>, {kept});
        const T* terms = data(result);
        T* to = sums.mutable_data<T>().data();
        for (std::int64_t i = 0; i < kept; ++i) {
            T sum = 0;
            for (std::int64_t k = 0; k < summed; ++k) sum += terms[i * summed + k];
            to[i] = sum;
        }
        result.values = std::move(sums);
        return result;
    }

    /// Product of two operands; labels outside `needed` are summed away.
    Operand multiply(const Operand& a, const Operand& b, const Labels& needed) const {
        Labels batch, sum, left, right;
        for (const int label : a.labels) {
            if (holds(b.labels, label)) (holds(needed, label) ? batch : sum).push_back(label);
            else if (holds(needed, label)) left.push_back(label);
        }
        for (const int label : b.labels)
            if (!holds(a.labels, label) && holds(needed, label)) right.push_back(label);
        const Operand x = arrange(a, joined({batch, left, sum})),
                      y = arrange(b, joined({batch, sum, right}));
        const std::int64_t batches = size(batch), rows = size(left), inner = size(sum),
                           columns = size(right);
        Operand result;
        result.labels = joined({batch, left, right});
        for (const int label : result.labels) result.shape.push_back(equation_.sizes.at(label));
        result.values = context_.scratch(dtype_of<T>, result.shape);
        T* to = result.values.template mutable_data<T>().data();
        std::fill_n(to, result.values.size(), T(0));
        if (result.values.size() == 0) return result;
        const auto one = [&](ThreadPool* pool, std::int64_t i) {
            product(pool, rows, columns, inner, data(x) + i * rows * inner,
                    data(y) + i * inner * columns, to + i * rows * columns);
        };
        if (batches == 1) {
            one(&context_.threads(), 0);
            return result;
        }
        const std::int64_t size_of_one = std::clamp<std::int64_t>(rows * columns, 1, 1 << 16);
        context_.threads().parallel_for(batches, (1 << 16) / size_of_one,
                                        [&](std::int64_t begin, std::int64_t end) {
                                            for (std::int64_t i = begin; i < end; ++i)
                                                one(nullptr, i);
                                        });
        return result;
    }

    static const T* data(const Operand& o) { return o.values.template data<T>().data(); }

private:
    static Labels joined(std::initializer_list<Labels> parts) {
        Labels all;
        for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
        return all;
    }
    std::int64_t size(const Labels& labels) const {
        std::int64_t product = 1;
        for (const int label : labels) product *= equation_.sizes.at(label);
        return product;
    }
    void product(ThreadPool* pool, std::int64_t rows, std::int64_t columns, std::int64_t inner,
                 const T* a, const T* b, T* c) const {
        if constexpr (std::is_floating_point_v<T>) {
            multiply_add<T>(pool, context_.cancel(), rows, columns, inner, a, inner,
                            DenseMatrix<T>{b, columns, false}, c, columns);
        } else {
            for (std::int64_t i = 0; i < rows; ++i) {
                context_.cancel().throw_if_cancelled();
                for (std::int64_t k = 0; k < inner; ++k)
                    for (std::int64_t j = 0; j < columns; ++j)
                        c[i * columns + j] = static_cast<T>(c[i * columns + j] +
                                                            a[i * inner + k] * b[k * columns + j]);
            }
        }
    }
    Tensor gather(const T* from, const Shape& shape, const Shape& strides) const {
        Tensor result = context_.scratch(dtype_of<T>, shape);
        auto to = result.template mutable_data<T>();
        std::vector<std::int64_t> position(shape.size(), 0);
        std::int64_t offset = 0;
        for (std::size_t i = 0; i < to.size(); ++i) {
            if ((i & 0xffff) == 0) context_.cancel().throw_if_cancelled();
            to[i] = from[offset];
            for (std::size_t axis = shape.size(); axis-- > 0;) {
                offset += strides[axis];
                if (++position[axis] < shape[axis]) break;
                offset -= strides[axis] * shape[axis];
                position[axis] = 0;
            }
        }
        return result;
    }

    KernelContext& context_;
    const EinsumEquation& equation_;
};

/// `operand(i)` is a pointer to input i's elements as T; `store` takes the result's.
template <typename T, typename Source, typename Store>
void contract(KernelContext& context, const EinsumEquation& e, const Source& operand,
              const Store& store) {
    const Contraction<T> contraction(context, e);
    Operand total;
    for (std::size_t i = 0; i < e.operands.size(); ++i) {
        Labels needed = e.output;
        for (std::size_t later = i + 1; later < e.operands.size(); ++later)
            needed.insert(needed.end(), e.operands[later].begin(), e.operands[later].end());
        Operand next = operand(contraction, i);
        total = i == 0 ? std::move(next) : contraction.multiply(total, next, needed);
    }
    const Operand result = contraction.arrange(total, e.output);
    store(Contraction<T>::data(result));
}

/// Integers wrap around; U is the unsigned type of their width.
template <typename U>
void integer_einsum(KernelContext& context, const EinsumEquation& e, DType dtype) {
    contract<U>(
        context, e,
        [&](const Contraction<U>& c, std::size_t i) {
            return c.load(static_cast<const U*>(context.input(i).raw()), context.input(i).shape(),
                          e.operands[i]);
        },
        [&](const U* values) {
            Tensor& y = context.output(0, dtype, e.output_shape());
            std::copy_n(values, y.size(), static_cast<U*>(y.mutable_raw()));
        });
}

}  // namespace

void einsum(KernelContext& context) {
    std::vector<Shape> shapes;
    for (std::size_t i = 0; i < context.input_count(); ++i) {
        shapes.push_back(context.input(i).shape());
        require_same_type(context.input(0), context.input(i), "Einsum inputs");
    }
    const EinsumEquation e = read_equation(context.node().string_attribute("equation", ""), shapes);
    const DType dtype = context.input(0).dtype();
    if (is_integer(dtype)) {
        switch (bit_width(dtype)) {
        case 8: integer_einsum<std::uint8_t>(context, e, dtype); return;
        case 16: integer_einsum<std::uint16_t>(context, e, dtype); return;
        case 32: integer_einsum<std::uint32_t>(context, e, dtype); return;
        case 64: integer_einsum<std::uint64_t>(context, e, dtype); return;
        default: break;
        }
    }
    dispatch_compute(dtype, [&]<typename T>() {
        contract<T>(
            context, e,
            [&](const Contraction<T>& c, std::size_t i) {
                const Widened<T> values(context, context.input(i));
                return c.load(values.data(), context.input(i).shape(), e.operands[i]);
            },
            [&](const T* values) {
                Narrowed<T> output(context, context.output(0, dtype, e.output_shape()));
                std::copy_n(values, output.size(), output.data());
                output.store();
            });
    });
}

}  // namespace lapidary::reference
