// SPDX-License-Identifier: Apache-2.0
// DFT (17, 20): discrete Fourier transform along one axis, forward, inverse, one-sided.
#include <algorithm>

#include "kernels/reference/elementwise/widening.h"
#include "kernels/reference/signal/fourier_plan.h"
#include "kernels/reference/signal/signal_input.h"
#include "ops/geometry/broadcast.h"

namespace lapidary::reference {
namespace {

using Complex = std::complex<double>;

/// X as [outer, length, inner, parts]; parts is 1 (real) or 2 (real and imaginary).
struct DftGeometry {
    std::int64_t outer = 1, inner = 1, length, parts;
    std::int64_t points;  // of the transform
    std::int64_t output_length, output_parts;
    bool is_inverse, is_onesided;
    Shape output;
};

DftGeometry geometry_of(const KernelContext& context, const Tensor& x) {
    const Node& node = context.node();
    if (x.rank() < 2 || (x.shape().back() != 1 && x.shape().back() != 2))
        fail_input(
            "DFT: expected an input of rank at least 2 whose last dimension is 1 or 2, found " +
            to_string(x.shape()));
    std::int64_t asked = context.version() >= 20 ? -2 : node.int_attribute("axis", 1);
    if (const Tensor* given = context.version() >= 20 ? context.optional_input(2) : nullptr)
        asked = scalar_integer(*given, "axis");
    const int axis = normalize_axis(asked, x.rank());
    if (axis == x.rank() - 1)
        fail_input("DFT: axis " + std::to_string(asked) + " holds the parts of complex numbers");
    const auto at = static_cast<std::size_t>(axis);
    DftGeometry g{};
    g.outer = g.inner = 1;
    for (std::size_t i = 0; i + 1 < x.shape().size(); ++i)
        if (i != at) (i < at ? g.outer : g.inner) *= x.dim(i);
    g.length = x.dim(at);
    g.parts = x.shape().back();
    g.is_inverse = node.int_attribute("inverse", 0) != 0;
    g.is_onesided = node.int_attribute("onesided", 0) != 0;
    const bool makes_real = g.is_inverse && g.is_onesided;
    const Tensor* length = context.optional_input(1);
    g.points = length       ? scalar_integer(*length, "dft_length")
               : makes_real ? 2 * (g.length - 1)
                            : g.length;
    if (g.points < 1 && !(g.length == 0 && !length))
        fail_input("DFT: expected a length of at least 1, found " + std::to_string(g.points));
    g.points = std::max<std::int64_t>(g.points, 0);
    g.output_length = g.is_onesided && !g.is_inverse ? g.points / 2 + 1 : g.points;
    g.output_parts = makes_real ? 1 : 2;
    g.output = x.shape();
    g.output[at] = g.points == 0 ? 0 : g.output_length;
    g.output.back() = g.output_parts;
    return g;
}

}  // namespace

void dft(KernelContext& context) {
    const Tensor& x = context.input(0);
    const DftGeometry g = geometry_of(context, x);
    Narrowed<double> output(context, context.output(0, x.dtype(), g.output));
    if (output.size() == 0) return;
    const Widened<double> input(context, x);
    const FourierPlan plan(g.points);
    context.threads().parallel_for(g.outer * g.inner, 4, [&](std::int64_t begin, std::int64_t end) {
        std::vector<Complex> signal(static_cast<std::size_t>(g.points)), spectrum(signal.size());
        for (std::int64_t row = begin; row < end; ++row) {
            context.cancel().throw_if_cancelled();
            const std::int64_t o = row / g.inner, i = row % g.inner;
            std::fill(signal.begin(), signal.end(), Complex(0));
            for (std::int64_t k = 0; k < std::min(g.length, g.points); ++k) {
                const double* value = input.data() + ((o * g.length + k) * g.inner + i) * g.parts;
                signal[static_cast<std::size_t>(k)] = {value[0], g.parts == 2 ? value[1] : 0};
            }
            if (g.is_inverse && g.is_onesided)  // the other half mirrors the first
                for (std::int64_t k = g.points / 2 + 1; k < g.points; ++k)
                    signal[static_cast<std::size_t>(k)] =
                        std::conj(signal[static_cast<std::size_t>(g.points - k)]);
            plan.run(signal.data(), spectrum.data(), g.is_inverse);
            const double scale = g.is_inverse ? 1.0 / static_cast<double>(g.points) : 1.0;
            for (std::int64_t k = 0; k < g.output_length; ++k) {
                double* value =
                    output.data() + ((o * g.output_length + k) * g.inner + i) * g.output_parts;
                value[0] = spectrum[static_cast<std::size_t>(k)].real() * scale;
                if (g.output_parts == 2)
                    value[1] = spectrum[static_cast<std::size_t>(k)].imag() * scale;
            }
        }
    });
    output.store();
}

}  // namespace lapidary::reference
