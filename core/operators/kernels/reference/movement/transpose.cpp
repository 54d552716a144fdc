// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/movement/element_copy.h"
#include "ops/geometry/broadcast.h"

namespace lapidary::reference {

void transpose(KernelContext& context) {
    const Tensor& data = context.input(0);
    const auto rank = static_cast<std::size_t>(data.rank());
    std::vector<std::int64_t> permutation = context.node().ints_attribute("perm");
    if (!context.node().has_attribute("perm")) {
        for (std::size_t i = rank; i-- > 0;) permutation.push_back(static_cast<std::int64_t>(i));
    }
    if (permutation.size() != rank) {
        context.fail("perm has " + std::to_string(permutation.size()) + " axes, the input " +
                     describe(data) + " has " + std::to_string(rank));
    }
    const Shape own = strides_of(data.shape());
    Shape shape, strides;
    for (const int axis : normalize_axes(permutation, data.rank())) {
        shape.push_back(data.dim(static_cast<std::size_t>(axis)));
        strides.push_back(own[static_cast<std::size_t>(axis)]);
    }
    ByteWideOutput out(context, 0, data.dtype(), std::move(shape));
    copy_strided(context, byte_wide(context, data), 0, strides, out.tensor());
    out.finish();
}

}  // namespace lapidary::reference
