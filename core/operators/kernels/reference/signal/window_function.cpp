// SPDX-License-Identifier: Apache-2.0
// HannWindow, HammingWindow and BlackmanWindow (17), periodic or symmetric.
#include <cmath>
#include <numbers>

#include "kernels/reference/elementwise/number_output.h"
#include "kernels/reference/signal/signal_input.h"

namespace lapidary::reference {
namespace {

/// a0 - a1 * cos(2 pi n / period) + a2 * cos(4 pi n / period).
void cosine_window(KernelContext& context, double a0, double a1, double a2) {
    const std::int64_t size = scalar_integer(context.input(0), "size");
    if (size < 0) fail_input("expected a window size of at least 0, found " + std::to_string(size));
    const bool is_periodic = context.node().int_attribute("periodic", 1) != 0;
    const auto period = static_cast<double>(is_periodic ? size : size - 1);
    NumberOutput output(context, output_type(context.node(), "output_datatype", DType::f32),
                        {size});
    for (std::int64_t n = 0; n < size; ++n) {
        if ((n & 0xffff) == 0) context.cancel().throw_if_cancelled();
        // A symmetric window of one element is its peak.
        const double angle =
            period > 0 ? 2 * std::numbers::pi * static_cast<double>(n) / period : std::numbers::pi;
        output.set(n, a0 - a1 * std::cos(angle) + a2 * std::cos(2 * angle));
    }
    output.store();
}

}  // namespace

void hann_window(KernelContext& context) { cosine_window(context, 0.5, 0.5, 0); }
void hamming_window(KernelContext& context) { cosine_window(context, 25.0 / 46, 21.0 / 46, 0); }
void blackman_window(KernelContext& context) { cosine_window(context, 0.42, 0.5, 0.08); }

}  // namespace lapidary::reference
