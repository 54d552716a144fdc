// SPDX-License-Identifier: Apache-2.0
// Tile and Expand: elements repeated along axes.
#include "base/checked.h"
#include "kernels/reference/movement/element_copy.h"
#include "ops/geometry/broadcast.h"

namespace lapidary::reference {

void tile(KernelContext& context) {
    const Tensor& data = context.input(0);
    const auto rank = static_cast<std::size_t>(data.rank());
    const std::vector<std::int64_t> repeats = int_list(context.input(1), "repeats", rank);
    if (repeats.size() != rank) {
        context.fail("repeats has " + std::to_string(repeats.size()) + " values for the " +
                     std::to_string(rank) + " axes of " + describe(data));
    }
    Shape shape = data.shape();
    for (std::size_t i = 0; i < rank; ++i) {
        const auto dim = repeats[i] < 0 ? std::nullopt : checked_multiply(shape[i], repeats[i]);
        if (!dim)
            context.fail("cannot repeat axis " + std::to_string(i) + " of " + describe(data) + " " +
                         std::to_string(repeats[i]) + " times");
        shape[i] = *dim;
    }
    ByteWideOutput out(context, 0, data.dtype(), shape);
    if (out.tensor().size() == 0) return;
    std::vector<std::vector<std::int64_t>> tables(rank);
    for (std::size_t i = 0; i < rank; ++i) {
        for (std::int64_t p = 0; p < shape[i]; ++p) tables[i].push_back(p % data.dim(i));
    }
    copy_mapped(context, byte_wide(context, data), tables, nullptr, out.tensor());
    out.finish();
}

void expand(KernelContext& context) {
    const Tensor& data = context.input(0);
    const Shape target = int_list(context.input(1), "the target shape", 1024);
    for (const std::int64_t dim : target) {
        if (dim < 0)
            context.fail("the target shape has the negative dimension " + std::to_string(dim));
    }
    const Shape shape = broadcast_shapes(data.shape(), target);
    ByteWideOutput out(context, 0, data.dtype(), shape);
    if (out.tensor().size() == 0) return;
    copy_strided(context, byte_wide(context, data), 0, broadcast_strides(data.shape(), shape),
                 out.tensor());
    out.finish();
}

}  // namespace lapidary::reference
