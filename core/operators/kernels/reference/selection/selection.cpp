// SPDX-License-Identifier: Apache-2.0
// NonZero, Compress and OneHot.
#include <algorithm>

#include "kernels/reference/movement/element_copy.h"
#include "kernels/text_room.h"
#include "ops/geometry/broadcast.h"

namespace lapidary::reference {
namespace {

std::vector<std::int64_t> nonzero_positions(const Tensor& data) {
    std::vector<std::int64_t> positions;
    const auto collect = [&](const auto& is_set) {
        for (std::int64_t i = 0; i < data.size(); ++i)
            if (is_set(static_cast<std::size_t>(i))) positions.push_back(i);
    };
    if (data.dtype() == DType::string)
        collect([&](std::size_t i) { return !data.data<std::string>()[i].empty(); });
    else
        dispatch<NumericOrBoolTypes>(data.dtype(), [&]<typename T>() {
            collect([&](std::size_t i) { return data.data<T>()[i] != T{}; });
        });
    return positions;
}

// Reads indices of any numeric type. NaN and numbers beyond int64 become INT64_MIN, which selects
// nothing.
std::vector<std::int64_t> one_hot_indices(const Tensor& indices) {
    if (is_integer(indices.dtype())) return to_int64s(indices);
    std::vector<std::int64_t> result;
    for (const double v : to_doubles(indices))
        result.push_back(v > -9e18 && v < 9e18 ? static_cast<std::int64_t>(v) : INT64_MIN);
    return result;
}

}  // namespace

void non_zero(KernelContext& context) {
    const Tensor& data = context.input(0);
    const std::vector<std::int64_t> positions = nonzero_positions(data);
    const auto count = static_cast<std::int64_t>(positions.size());
    // a scalar counts as one element of a list
    const Shape dims = data.rank() == 0 ? Shape{1} : data.shape();
    auto out = context.output(0, DType::i64, {static_cast<std::int64_t>(dims.size()), count})
                   .mutable_data<std::int64_t>();
    for (std::int64_t i = 0; i < count; ++i) {
        std::int64_t rest = positions[static_cast<std::size_t>(i)];
        for (std::size_t d = dims.size(); d-- > 0;) {
            out[d * positions.size() + static_cast<std::size_t>(i)] = rest % dims[d];
            rest /= dims[d];
        }
    }
}

void compress(KernelContext& context) {
    const Tensor& data = context.input(0);
    const Tensor& condition = context.input(1);
    if (condition.rank() != 1 || condition.dtype() != DType::boolean)
        context.fail("condition must be a list of bool, found " + describe(condition));
    const bool has_axis = context.node().has_attribute("axis");
    const auto axis = has_axis ? static_cast<std::size_t>(normalize_axis(
                                     context.node().int_attribute("axis", 0), data.rank()))
                               : 0;
    const Tensor source = byte_wide(context, has_axis ? data : data.reshaped({data.size()}));
    if (condition.size() > source.dim(axis)) {
        context.fail("condition has " + std::to_string(condition.size()) + " entries where axis " +
                     std::to_string(axis) + " of " + describe(source) + " has " +
                     std::to_string(source.dim(axis)) + " elements");
    }
    std::vector<std::int64_t> kept;
    for (std::int64_t i = 0; i < condition.size(); ++i) {
        if (condition.data<bool>()[static_cast<std::size_t>(i)]) kept.push_back(i);
    }
    Shape shape = source.shape();
    shape[axis] = static_cast<std::int64_t>(kept.size());
    ByteWideOutput out(context, 0, data.dtype(), shape);
    const std::int64_t outer = dim_product(shape, 0, axis),
                       inner = dim_product(shape, axis + 1, shape.size());
    std::int64_t to = 0;
    for (std::int64_t o = 0; o < outer && out.tensor().size() > 0; ++o) {
        for (const std::int64_t item : kept) {
            copy_elements(source, (o * source.dim(axis) + item) * inner, out.tensor(), to, inner);
            to += inner;
        }
    }
    out.finish();
}

void one_hot(KernelContext& context) {
    const Tensor& indices = context.input(0);
    const Tensor& values = context.input(2);
    const Tensor& depth_tensor = context.input(1);
    if (depth_tensor.size() != 1)
        context.fail("depth must be one number, found " + describe(depth_tensor));
    const std::int64_t depth = one_hot_indices(depth_tensor).front();
    if (depth < 0) context.fail("depth " + std::to_string(depth) + " is not usable");
    if (values.shape() != Shape{2})
        context.fail("values must be [off, on], found " + describe(values));
    const auto axis = static_cast<std::size_t>(
        normalize_axis(context.node().int_attribute("axis", -1), indices.rank() + 1));
    Shape shape = indices.shape();
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), depth);
    const std::vector<std::int64_t> selected = one_hot_indices(indices);
    const Tensor off_on = byte_wide(context, values);
    ByteWideOutput out(context, 0, values.dtype(), shape);
    if (out.tensor().size() == 0) return;
    const std::int64_t inner = dim_product(shape, axis + 1, shape.size());
    const bool negative_allowed = context.version() >= 11;
    TextRoom room(context);
    dispatch_by_width(off_on.dtype(), [&]<typename T>() {
        T* to = elements<T>(out.tensor());
        room.take(elements<T>(off_on), 1, out.tensor().size());
        room.take(elements<T>(off_on) + 1, 1, indices.size());
        std::fill_n(to, out.tensor().size(), elements<T>(off_on)[0]);
        for (std::int64_t i = 0; i < indices.size(); ++i) {
            std::int64_t index = selected[static_cast<std::size_t>(i)];
            if (index < 0 && negative_allowed && index >= -depth) index += depth;
            if (index >= 0 && index < depth)
                to[(i / inner * depth + index) * inner + i % inner] = elements<T>(off_on)[1];
        }
    });
    out.finish();
}

}  // namespace lapidary::reference
