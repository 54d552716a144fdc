// SPDX-License-Identifier: Apache-2.0
// Operators that make tensors from attributes, shapes and numbers: Constant, ConstantOfShape,
// Range, EyeLike, Shape and Size.
#include <algorithm>
#include <cmath>

#include "base/checked.h"
#include "kernels/reference/movement/element_copy.h"

namespace lapidary::reference {
namespace {

template <typename T>
Tensor list_of(const std::vector<T>& values) {
    return Tensor::of<T>({static_cast<std::int64_t>(values.size())}, values);
}

Tensor dense(KernelContext& context, const SparseTensor& sparse) {
    const std::size_t bytes = storage_bytes(sparse.values.dtype(), element_count(sparse.shape));
    if (bytes > context.limits().tensor_bytes) {
        fail_limit("the sparse constant of shape " + to_string(sparse.shape) + " needs " +
                   std::to_string(bytes) + " bytes as a dense tensor");
    }
    return sparse.to_dense();
}

template <typename T>
std::int64_t range_count(T start, T limit, T delta) {
    if constexpr (std::is_floating_point_v<T>) {
        const double count = std::ceil((static_cast<double>(limit) - static_cast<double>(start)) /
                                       static_cast<double>(delta));
        if (!(count < 9e18))
            fail_input("range from " + std::to_string(start) + " to " + std::to_string(limit) +
                       " by " + std::to_string(delta) + " has no usable length");
        return count > 0 ? static_cast<std::int64_t>(count) : 0;
    } else {
        const __int128 distance = static_cast<__int128>(limit) - start, step = delta;
        if ((step > 0) != (distance > 0) || distance == 0) return 0;
        const __int128 count = (distance + step - (step > 0 ? 1 : -1)) / step;
        if (count > static_cast<__int128>(INT64_MAX))
            fail_limit("the range has more elements than can be counted");
        return static_cast<std::int64_t>(count);
    }
}

}  // namespace

void constant(KernelContext& context) {
    for (const Attribute& a : context.node().attributes) {
        if (const auto* tensor = std::get_if<Tensor>(&a.value)) context.set_output(0, *tensor);
        else if (const auto* sparse = std::get_if<SparseTensor>(&a.value))
            context.set_output(0, dense(context, *sparse));
        else if (const auto* i = std::get_if<std::int64_t>(&a.value))
            context.set_output(0, Tensor::scalar(*i));
        else if (const auto* f = std::get_if<float>(&a.value))
            context.set_output(0, Tensor::scalar(*f));
        else if (const auto* s = std::get_if<std::string>(&a.value))
            context.set_output(0, Tensor::scalar(*s));
        else if (const auto* is = std::get_if<std::vector<std::int64_t>>(&a.value))
            context.set_output(0, list_of(*is));
        else if (const auto* fs = std::get_if<std::vector<float>>(&a.value))
            context.set_output(0, list_of(*fs));
        else if (const auto* ss = std::get_if<std::vector<std::string>>(&a.value))
            context.set_output(0, list_of(*ss));
        else
            context.fail("attribute " + quote(a.name) + " of kind " +
                         std::string(kind_of(a.value)) + " cannot be a constant");
        return;
    }
    context.fail("the constant has no value attribute");
}

void constant_of_shape(KernelContext& context) {
    const std::vector<std::int64_t> dims = int_list(context.input(0), "the shape", 1024);
    const Tensor* given = context.node().tensor_attribute("value");
    if (given && given->size() != 1)
        context.fail("value must have one element, found " + describe(*given));
    const Tensor value = given ? byte_wide(context, *given) : Tensor::scalar(0.0f);
    ByteWideOutput out(context, 0, given ? given->dtype() : DType::f32, dims);
    copy_strided(context, value, 0, Shape(dims.size(), 0), out.tensor());
    out.finish();
}

void range(KernelContext& context) {
    const Tensor& start = context.input(0);
    for (std::size_t i = 0; i < 3; ++i) {
        const Tensor& bound = context.input(i);
        if (bound.size() != 1 || bound.dtype() != start.dtype()) {
            context.fail("start, limit and delta must be scalars of one type, input " +
                         std::to_string(i) + " is " + describe(bound));
        }
    }
    dispatch<NumericTypes>(start.dtype(), [&]<typename T>() {
        using C = compute_t<T>;
        const C first = start.data<T>()[0], limit = context.input(1).data<T>()[0],
                delta = context.input(2).data<T>()[0];
        if (delta == C{0}) context.fail("delta must not be 0");
        auto out = context.output(0, start.dtype(), {range_count<C>(first, limit, delta)})
                       .template mutable_data<T>();
        for (std::size_t i = 0; i < out.size(); ++i) {
            if constexpr (std::is_floating_point_v<C>)
                out[i] = static_cast<T>(first + static_cast<C>(i) * delta);
            else
                out[i] = static_cast<T>(static_cast<std::uint64_t>(first) +
                                        i * static_cast<std::uint64_t>(delta));
        }
    });
}

void eye_like(KernelContext& context) {
    const Tensor& like = context.input(0);
    if (like.rank() != 2) context.fail("expected a matrix, found " + describe(like));
    const std::int64_t number =
        context.node().int_attribute("dtype", static_cast<std::int64_t>(like.dtype()));
    if (!is_known_dtype(number))
        context.fail("dtype " + std::to_string(number) + " is no element type");
    const std::int64_t k = context.node().int_attribute("k", 0), rows = like.dim(0),
                       columns = like.dim(1);
    dispatch<NumericOrBoolTypes>(static_cast<DType>(number), [&]<typename T>() {
        auto out =
            context.output(0, static_cast<DType>(number), like.shape()).template mutable_data<T>();
        std::ranges::fill(out, static_cast<T>(0));
        for (std::int64_t r = 0; r < rows; ++r) {
            const auto column = checked_add(r, k);
            if (column && *column >= 0 && *column < columns)
                out[static_cast<std::size_t>(r * columns + *column)] = static_cast<T>(1);
        }
    });
}

void shape(KernelContext& context) {
    const Shape& dims = context.input(0).shape();
    const auto rank = static_cast<std::int64_t>(dims.size());
    const auto position = [&](std::string_view name, std::int64_t fallback) {
        const std::int64_t p = context.node().int_attribute(name, fallback);
        return std::clamp<std::int64_t>(p < 0 ? p + rank : p, 0, rank);
    };
    const std::int64_t start = position("start", 0), end = std::max(position("end", rank), start);
    auto out = context.output(0, DType::i64, {end - start}).mutable_data<std::int64_t>();
    std::copy(dims.begin() + start, dims.begin() + end, out.begin());
}

void size(KernelContext& context) {
    const std::int64_t count = context.input(0).size();
    context.output(0, DType::i64, {}).mutable_data<std::int64_t>()[0] = count;
}

}  // namespace lapidary::reference
