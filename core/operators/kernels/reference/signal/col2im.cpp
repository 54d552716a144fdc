// SPDX-License-Identifier: Apache-2.0
// Col2Im (18): sums column blocks [N, C * taps, blocks] back into images [N, C, ...].
#include <algorithm>

#include "base/checked.h"
#include "kernels/dispatch.h"
#include "kernels/kernel.h"
#include "ops/geometry/window.h"

namespace lapidary::reference {
namespace {

std::int64_t product_of(const std::vector<std::int64_t>& sizes) {
    std::int64_t product = 1;
    for (const std::int64_t size : sizes) {
        const auto next = checked_multiply(product, size);
        if (!next) fail_limit("Col2Im: " + to_string(sizes) + " is too large");
        product = *next;
    }
    return product;
}

}  // namespace

void col2im(KernelContext& context) {
    const Tensor& x = context.input(0);
    const std::vector<std::int64_t> image = to_int64s(context.input(1)),
                                    block = to_int64s(context.input(2));
    if (x.rank() != 3)
        fail_input("Col2Im: expected an input [N, C * taps, blocks], found " +
                   to_string(x.shape()));
    const auto axes =
        window_axes(read_window_attributes(context.node(), image.size()), image, block);
    const std::int64_t taps = product_of(block), size = product_of(image);
    std::int64_t blocks = 1;  // window_axes() made sure that this fits
    for (const auto& a : axes) blocks *= a.output;
    if (taps == 0 || x.dim(1) % taps != 0 || x.dim(2) != blocks)
        fail_input("Col2Im: the input " + to_string(x.shape()) + " does not hold " +
                   std::to_string(blocks) + " blocks of " + std::to_string(taps) + " taps");
    const std::int64_t channels = x.dim(1) / taps;
    Shape shape{x.dim(0), channels};
    shape.insert(shape.end(), image.begin(), image.end());
    dispatch<NumericTypes>(x.dtype(), [&]<typename T>() {
        const T* from = x.data<T>().data();
        T* to = context.output(0, x.dtype(), shape).template mutable_data<T>().data();
        if (element_count(shape) == 0) return;
        // integers wrap around
        using Sum = std::conditional_t<std::is_integral_v<T>, std::uint64_t, compute_t<T>>;
        context.threads().parallel_for(
            x.dim(0) * channels, 1, [&](std::int64_t begin, std::int64_t end) {
                std::vector<Sum> sums(static_cast<std::size_t>(size));
                for (std::int64_t channel = begin; channel < end; ++channel) {
                    context.cancel().throw_if_cancelled();
                    std::fill(sums.begin(), sums.end(), Sum(0));
                    for (std::int64_t i = 0; i < taps * blocks; ++i) {
                        std::int64_t tap = i / blocks, position = i % blocks, offset = 0,
                                     stride = 1;
                        bool inside = true;
                        for (std::size_t axis = axes.size(); axis-- > 0;) {
                            const WindowAxis& a = axes[axis];
                            const std::int64_t at = position % a.output * a.stride - a.pad_begin +
                                                    tap % a.kernel * a.dilation;
                            inside = inside && at >= 0 && at < a.input;
                            offset += at * stride;
                            stride *= a.input;
                            position /= a.output;
                            tap /= a.kernel;
                        }
                        if (inside)
                            sums[static_cast<std::size_t>(offset)] +=
                                static_cast<Sum>(from[channel * taps * blocks + i]);
                    }
                    for (std::int64_t i = 0; i < size; ++i)
                        to[channel * size + i] = static_cast<T>(sums[static_cast<std::size_t>(i)]);
                }
            });
    });
}

}  // namespace lapidary::reference
