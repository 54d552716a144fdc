// SPDX-License-Identifier: Apache-2.0
// Concat and Split: pieces of one axis put together and taken apart.
#include "kernels/reference/movement/concat.h"

#include "base/checked.h"
#include "kernels/reference/movement/element_copy.h"
#include "ops/geometry/broadcast.h"
#include "ops/geometry/split.h"

namespace lapidary::reference {

Shape concat_shape(KernelContext& context, std::int64_t& named) {
    const Tensor& first = context.input(0);
    if (first.rank() == 0)
        context.fail("cannot concatenate scalars: input 0 is " + describe(first));
    const auto axis = static_cast<std::size_t>(named = normalize_axis(named, first.rank()));
    Shape shape = first.shape();
    for (std::size_t i = 1; i < context.input_count(); ++i) {
        const Tensor& part = context.input(i);
        bool fits = part.dtype() == first.dtype() && part.rank() == first.rank();
        for (std::size_t d = 0; fits && d < shape.size(); ++d)
            fits = d == axis || part.dim(d) == shape[d];
        if (!fits) {
            context.fail("input " + std::to_string(i) + ": " + describe(part) +
                         " cannot be concatenated with " + describe(first) + " along axis " +
                         std::to_string(axis));
        }
        const auto sum = checked_add(shape[axis], part.dim(axis));
        if (!sum) fail_limit("the size of axis " + std::to_string(axis) + " overflows");
        shape[axis] = *sum;
    }
    return shape;
}

void concat(KernelContext& context) {
    std::int64_t axis = context.node().int_attribute("axis", 1);
    const Shape shape = concat_shape(context, axis);
    std::vector<Tensor> parts;
    for (std::size_t i = 0; i < context.input_count(); ++i) parts.push_back(context.input(i));
    join_into(context, parts, static_cast<std::size_t>(axis),
              context.output(0, parts[0].dtype(), shape));
}

std::vector<std::int64_t> split_sizes(KernelContext& context, std::size_t axis) {
    const Tensor& data = context.input(0);
    const auto parts = static_cast<std::int64_t>(context.output_count());
    std::vector<std::int64_t> sizes;
    if (context.version() < 13) sizes = context.node().ints_attribute("split");
    else if (const Tensor* lengths = context.optional_input(1))
        sizes = int_list(*lengths, "split", context.output_count());
    const bool given =
        context.version() < 13 ? context.node().has_attribute("split") : context.has_input(1);
    if (!given) {
        const std::int64_t count = context.node().int_attribute("num_outputs", parts);
        if (count != parts) {
            context.fail("num_outputs is " + std::to_string(count) + " where the node has " +
                         std::to_string(parts) + " outputs");
        }
        sizes = split_evenly(data.dim(axis), parts, context.version() >= 18);
    }
    if (sizes.size() != context.output_count()) {
        context.fail("split has " + std::to_string(sizes.size()) + " sizes where the node has " +
                     std::to_string(parts) + " outputs");
    }
    check_split(sizes, data.dim(axis));
    return sizes;
}

void split(KernelContext& context) {
    const Tensor& data = context.input(0);
    const auto axis = static_cast<std::size_t>(
        normalize_axis(context.node().int_attribute("axis", 0), data.rank()));
    const std::vector<std::int64_t> sizes = split_sizes(context, axis);
    const Tensor source = byte_wide(context, data);
    const Shape strides = strides_of(data.shape());
    std::int64_t at = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (context.wants_output(i)) {
            Shape shape = data.shape();
            shape[axis] = sizes[i];
            ByteWideOutput out(context, i, data.dtype(), std::move(shape));
            copy_strided(context, source, at * strides[axis], strides, out.tensor());
            out.finish();
        }
        at += sizes[i];
    }
}

}  // namespace lapidary::reference
