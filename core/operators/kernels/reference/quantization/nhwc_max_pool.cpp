// SPDX-License-Identifier: Apache-2.0
// com.microsoft NhwcMaxPool: MaxPool of 8-bit integers with the channels last.
#include "kernels/reference/control_flow/nested_kernel.h"

namespace lapidary::reference {

void max_pool(KernelContext&);
void transpose(KernelContext&);

void nhwc_max_pool(KernelContext& context) {
    const Tensor& x = context.input(0);
    const std::int64_t rank = x.rank();
    if (rank < 3)
        context.fail("input 0: expected x [N, spatial..., C], found " + to_string(x.shape()));
    std::vector<std::int64_t> to_front{0, rank - 1}, to_back{0};
    for (std::int64_t i = 1; i < rank - 1; ++i) {
        to_front.push_back(i);
        to_back.push_back(i + 1);
    }
    to_back.push_back(1);
    const auto moved = [&](const Tensor& t, const std::vector<std::int64_t>& permutation) {
        return run_nested_one(context, transpose, NestedNode{"Transpose"}.set("perm", permutation),
                              {t});
    };
    const Tensor y =
        run_nested_one(context, max_pool, {"MaxPool", 12, window_attributes(context.node())},
                       {moved(x, to_front)});
    set_result(context, 0, moved(y, to_back));
}

}  // namespace lapidary::reference
