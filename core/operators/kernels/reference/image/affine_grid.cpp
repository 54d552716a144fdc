// SPDX-License-Identifier: Apache-2.0
// AffineGrid (20): theta applied to evenly spaced positions in [-1, 1], innermost axis first.
#include <array>

#include "kernels/reference/elementwise/widening.h"

namespace lapidary::reference {

void affine_grid(KernelContext& context) {
    const Tensor& theta = context.input(0);
    const std::vector<std::int64_t> size = to_int64s(context.input(1));
    if (size.size() != 4 && size.size() != 5)
        fail_input("AffineGrid: expected size with 4 or 5 entries, found " +
                   std::to_string(size.size()));
    const std::size_t rank = size.size() - 2;
    const Shape expected{size[0], static_cast<std::int64_t>(rank),
                         static_cast<std::int64_t>(rank) + 1};
    if (theta.shape() != expected)
        fail_input("AffineGrid: expected theta " + to_string(expected) + ", found " +
                   to_string(theta.shape()));
    Shape shape{size[0]};
    std::int64_t positions = 1;
    for (std::size_t axis = 0; axis < rank; ++axis) shape.push_back(size[axis + 2]);
    shape.push_back(static_cast<std::int64_t>(rank));
    if (element_count(shape) > 0)
        positions = element_count(shape) / size[0] / static_cast<std::int64_t>(rank);
    else positions = 0;
    const bool align_corners = context.node().int_attribute("align_corners", 0) != 0;

    dispatch_compute(theta.dtype(), [&]<typename T>() {
        const Widened<T> matrix(context, theta);
        Narrowed<T> output(context, context.output(0, theta.dtype(), shape));
        T* to = output.data();
        // A single position along an axis lies in the middle.
        const auto coordinate = [&](std::int64_t index, std::int64_t length) {
            const auto i = static_cast<double>(index), n = static_cast<double>(length);
            if (align_corners) return length > 1 ? 2 * i / (n - 1) - 1 : 0.0;
            return (2 * i + 1) / n - 1;
        };
        for (std::int64_t image = 0; image < size[0]; ++image)
            for (std::int64_t p = 0; p < positions; ++p) {
                if ((p & 0xfff) == 0) context.cancel().throw_if_cancelled();
                std::array<double, 3> location{};
                std::int64_t left = p;
                for (std::size_t i = 0; i < rank; ++i) {  // i counts from the innermost axis
                    const std::int64_t length = size[size.size() - 1 - i];
                    location[i] = coordinate(left % length, length);
                    left /= length;
                }
                for (std::size_t row = 0; row < rank; ++row) {
                    const T* m =
                        matrix.data() + (static_cast<std::size_t>(image) * rank + row) * (rank + 1);
                    double sum = m[rank];
                    for (std::size_t i = 0; i < rank; ++i)
                        sum += static_cast<double>(m[i]) * location[i];
                    *to++ = static_cast<T>(sum);
                }
            }
        output.store();
    });
}

}  // namespace lapidary::reference
