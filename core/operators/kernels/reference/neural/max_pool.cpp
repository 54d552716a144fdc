// SPDX-License-Identifier: Apache-2.0
// MaxPool (1, 8, 10, 11, 12, 22) with the optional Indices output.
#include <limits>
#include <vector>

#include "kernels/dispatch.h"
#include "kernels/reference/neural/pool_window.h"

namespace lapidary::reference {
namespace {

/// Offset within a channel, row-major, to the same position counted with the first spatial axis
/// fastest.
std::int64_t to_column_major(std::int64_t offset, const std::vector<WindowAxis>& axes) {
    std::int64_t size = 1, result = 0;
    for (const auto& a : axes) size *= a.input;
    for (std::size_t axis = axes.size(); axis-- > 0;) {
        size /= axes[axis].input;
        result += offset % axes[axis].input * size;
        offset /= axes[axis].input;
    }
    return result;
}

/// NaN is passed over: the maximum of NaN alone is this.
template <typename C>
constexpr C least_of() {
    using Limits = std::numeric_limits<C>;
    return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
}

}  // namespace

void max_pool(KernelContext& context) {
    const Tensor& x = context.input(0);
    const PoolWindows windows(context.node(), x.shape());
    const bool is_column_major = context.node().int_attribute("storage_order", 0) != 0;
    const Shape shape = windows.output_shape(x.shape());
    using Types = TypeList<float, double, Half, BFloat16, std::int8_t, std::uint8_t>;
    dispatch<Types>(x.dtype(), [&]<typename T>() {
        const T* input = x.data<T>().data();
        T* output = context.output(0, x.dtype(), shape).mutable_data<T>().data();
        const bool wants_indices = context.output_count() > 1 && context.wants_output(1);
        std::int64_t* indices =
            wants_indices ? context.output(1, DType::i64, shape).mutable_data<std::int64_t>().data()
                          : nullptr;
        if (element_count(shape) == 0) return;
        context.threads().parallel_for(
            x.dim(0) * x.dim(1), 1, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t channel = begin; channel < end; ++channel) {
                    context.cancel().throw_if_cancelled();
                    const T* from = input + channel * windows.input_size();
                    std::int64_t best = -1;
                    constexpr compute_t<T> least = least_of<compute_t<T>>();
                    compute_t<T> most = least;
                    windows.visit(
                        [&] {
                            best = -1;
                            most = least;
                        },
                        [&](std::int64_t offset) {
                            const compute_t<T> value = from[offset];
                            if (best < 0 || value > most) best = offset;
                            if (value > most) most = value;
                        },
                        [&](std::int64_t index, std::int64_t) {
                            const std::int64_t to = channel * windows.output_size() + index;
                            // A window that lies in the padding alone has no maximum.
                            output[to] = best < 0 ? T{} : static_cast<T>(most);
                            if (!indices) return;
                            const std::int64_t local = best < 0 ? 0
                                                       : is_column_major
                                                           ? to_column_major(best, windows.axes())
                                                           : best;
                            indices[to] = channel * windows.input_size() + local;
                        });
                }
            });
    });
}

}  // namespace lapidary::reference
