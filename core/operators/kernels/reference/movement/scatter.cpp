// SPDX-License-Identifier: Apache-2.0
// Scatter, ScatterElements, ScatterND and TensorScatter. Updates are applied in order on one
// thread, so that repeated indices give the same result in every run.
#include <algorithm>

#include "kernels/reference/movement/scatter_reduction.h"
#include "ops/geometry/broadcast.h"

namespace lapidary::reference {

ScatterReduction parse_scatter_reduction(std::string_view text) {
    if (text == "none") return ScatterReduction::none;
    if (text == "add") return ScatterReduction::add;
    if (text == "mul") return ScatterReduction::mul;
    if (text == "max") return ScatterReduction::max;
    if (text == "min") return ScatterReduction::min;
    fail_input("reduction " + quote(text) + " is none of none, add, mul, max, min");
}

void scatter_elements(KernelContext& context) {
    const Tensor& data = context.input(0);
    const Tensor& indices = context.input(1);
    const Tensor& updates = context.input(2);
    const auto rank = static_cast<std::size_t>(data.rank());
    const auto axis = static_cast<std::size_t>(
        normalize_axis(context.node().int_attribute("axis", 0), data.rank()));
    const ScatterReduction reduction =
        parse_scatter_reduction(context.node().string_attribute("reduction", "none"));
    bool fits = indices.shape() == updates.shape() && indices.rank() == data.rank() &&
                updates.dtype() == data.dtype();
    for (std::size_t i = 0; fits && i < rank; ++i)
        fits = i == axis || indices.dim(i) <= data.dim(i);
    if (!fits) {
        context.fail("indices " + describe(indices) + " and updates " + describe(updates) +
                     " do not fit " + describe(data) + " with axis " + std::to_string(axis));
    }
    const std::vector<std::int64_t> positions = to_int64s(indices);
    const Shape strides = strides_of(data.shape());
    const Tensor source = byte_wide(context, data), news = byte_wide(context, updates);
    ByteWideOutput out(context, 0, data.dtype(), data.shape());
    copy_elements(source, 0, out.tensor(), 0, source.size());
    dispatch_scatter(source.dtype(), reduction, [&]<typename T>(auto combine, T*) {
        for (std::int64_t i = 0; i < indices.size(); ++i) {
            std::int64_t rest = i, offset = 0;
            for (std::size_t d = rank; d-- > 0;) {
                const std::int64_t position =
                    d == axis ? checked_index(positions[static_cast<std::size_t>(i)],
                                              static_cast<std::int64_t>(axis), data)
                              : rest % indices.dim(d);
                offset += position * strides[d];
                rest /= indices.dim(d);
            }
            combine(elements<T>(out.tensor()) + offset, elements<T>(news) + i);
        }
    });
    out.finish();
}

void scatter_nd(KernelContext& context) {
    const Tensor& data = context.input(0);
    const Tensor& indices = context.input(1);
    const Tensor& updates = context.input(2);
    const ScatterReduction reduction =
        parse_scatter_reduction(context.node().string_attribute("reduction", "none"));
    if (data.rank() == 0 || indices.rank() == 0) {
        context.fail("data " + describe(data) + " and indices " + describe(indices) +
                     " must have at least one dimension");
    }
    const std::int64_t depth = indices.shape().back();
    if (depth < 1 || depth > data.rank()) {
        context.fail("indices " + describe(indices) + " address " + std::to_string(depth) +
                     " axes of " + describe(data));
    }
    Shape expected(indices.shape().begin(), indices.shape().end() - 1);
    expected.insert(expected.end(), data.shape().begin() + depth, data.shape().end());
    if (updates.shape() != expected || updates.dtype() != data.dtype()) {
        context.fail("updates " + describe(updates) + " should be " +
                     std::string(name_of(data.dtype())) + to_string(expected) + " for " +
                     describe(data) + " and indices " + describe(indices));
    }
    const std::vector<std::int64_t> positions = to_int64s(indices);
    const Shape strides = strides_of(data.shape());
    const std::int64_t tuples = indices.size() / depth;
    const std::int64_t block =
        dim_product(data.shape(), static_cast<std::size_t>(depth), data.shape().size());
    const Tensor source = byte_wide(context, data), news = byte_wide(context, updates);
    ByteWideOutput out(context, 0, data.dtype(), data.shape());
    copy_elements(source, 0, out.tensor(), 0, source.size());
    dispatch_scatter(source.dtype(), reduction, [&]<typename T>(auto combine, T*) {
        for (std::int64_t t = 0; t < tuples; ++t) {
            std::int64_t offset = 0;
            for (std::int64_t d = 0; d < depth; ++d) {
                offset +=
                    checked_index(positions[static_cast<std::size_t>(t * depth + d)], d, data) *
                    strides[static_cast<std::size_t>(d)];
            }
            for (std::int64_t i = 0; i < block; ++i)
                combine(elements<T>(out.tensor()) + offset + i, elements<T>(news) + t * block + i);
        }
    });
    out.finish();
}

void tensor_scatter(KernelContext& context) {
    const Tensor& cache = context.input(0);
    const Tensor& update = context.input(1);
    const std::string mode = context.node().string_attribute("mode", "linear");
    if (mode != "linear" && mode != "circular")
        context.fail("mode " + quote(mode) + " is neither linear nor circular");
    const auto axis = static_cast<std::size_t>(
        normalize_axis(context.node().int_attribute("axis", -2), cache.rank()));
    if (axis == 0) context.fail("axis 0 is the batch and cannot be written along");
    bool fits = cache.rank() == update.rank() && cache.dtype() == update.dtype();
    for (std::size_t i = 0; fits && i < cache.shape().size(); ++i)
        fits = i == axis ? update.dim(i) <= cache.dim(i) : update.dim(i) == cache.dim(i);
    if (!fits)
        context.fail("update " + describe(update) + " does not fit the cache " + describe(cache) +
                     " along axis " + std::to_string(axis));
    const std::int64_t batches = cache.dim(0), length = cache.dim(axis), count = update.dim(axis);
    std::vector<std::int64_t> starts(static_cast<std::size_t>(batches), 0);
    if (const Tensor* given = context.optional_input(2)) {
        if (given->shape() != Shape{batches})
            context.fail("write_indices " + describe(*given) + " should have shape " +
                         to_string(Shape{batches}));
        starts = to_int64s(*given);
    }
    for (const std::int64_t start : starts) {
        if (start < 0 || start >= std::max<std::int64_t>(length, 1) ||
            (mode == "linear" && start > length - count)) {
            context.fail("write index " + std::to_string(start) + " does not fit " +
                         std::to_string(count) + " elements into axis " + std::to_string(axis) +
                         " of " + describe(cache));
        }
    }
    const Tensor source = byte_wide(context, cache), news = byte_wide(context, update);
    ByteWideOutput out(context, 0, cache.dtype(), cache.shape());
    copy_elements(source, 0, out.tensor(), 0, source.size());
    const std::int64_t middle = dim_product(cache.shape(), 1, axis),
                       inner = dim_product(cache.shape(), axis + 1, cache.shape().size());
    for (std::int64_t row = 0; row < batches * middle && inner > 0; ++row) {
        const std::int64_t start = starts[static_cast<std::size_t>(row / middle)];
        for (std::int64_t i = 0; i < count; ++i)
            copy_elements(news, (row * count + i) * inner, out.tensor(),
                          (row * length + (start + i) % length) * inner, inner);
    }
    out.finish();
}

}  // namespace lapidary::reference
