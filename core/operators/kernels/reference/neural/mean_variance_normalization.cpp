// SPDX-License-Identifier: Apache-2.0
// MeanVarianceNormalization (9, 13): Y = (X - mean) / (deviation + 1e-9) over any axes.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/reference/elementwise/widening.h"
#include "ops/geometry/broadcast.h"

namespace lapidary::reference {

void mean_variance_normalization(KernelContext& context) {
    const Tensor& x = context.input(0);
    const auto axes = normalize_axes(context.node().ints_attribute("axes", {0, 2, 3}), x.rank());
    // Strides into the statistics: 0 along normalized axes.
    Shape kept = x.shape();
    for (const int axis : axes)
        kept[static_cast<std::size_t>(axis)] =
            std::min<std::int64_t>(kept[static_cast<std::size_t>(axis)], 1);
    const Shape strides = broadcast_strides(kept, x.shape());
    const auto cells = static_cast<std::size_t>(element_count(kept));
    dispatch_compute(x.dtype(), [&]<typename T>() {
        const Widened<T> input(context, x);
        Narrowed<T> output(context, context.output(0, x.dtype(), x.shape()));
        if (x.size() == 0) return;
        const double count = static_cast<double>(x.size()) / static_cast<double>(cells);
        std::vector<double> mean(cells), variance(cells);
        const auto each = [&](auto&& body) {
            std::vector<std::int64_t> position(x.shape().size(), 0);
            std::int64_t cell = 0;
            for (std::int64_t i = 0; i < x.size(); ++i) {
                if ((i & 0xffff) == 0) context.cancel().throw_if_cancelled();
                body(i, static_cast<std::size_t>(cell));
                for (std::size_t axis = position.size(); axis-- > 0;) {
                    cell += strides[axis];
                    if (++position[axis] < x.dim(axis)) break;
                    cell -= strides[axis] * x.dim(axis);
                    position[axis] = 0;
                }
            }
        };
        each([&](std::int64_t i, std::size_t cell) { mean[cell] += input[i]; });
        for (auto& m : mean) m /= count;
        each([&](std::int64_t i, std::size_t cell) {
            variance[cell] += (input[i] - mean[cell]) * (input[i] - mean[cell]);
        });
        each([&](std::int64_t i, std::size_t cell) {
            output[i] = static_cast<T>((input[i] - mean[cell]) /
                                       (std::sqrt(variance[cell] / count) + 1e-9));
        });
        output.store();
    });
}

}  // namespace lapidary::reference
