// SPDX-License-Identifier: Apache-2.0
// STFT (17): windowed frames of a signal, each Fourier transformed.
#include <algorithm>

#include "kernels/input_index.h"
#include "kernels/reference/elementwise/widening.h"
#include "kernels/reference/signal/fourier_plan.h"
#include "kernels/reference/signal/signal_input.h"

namespace lapidary::reference {

void stft(KernelContext& context) {
    using Complex = std::complex<double>;
    const Tensor& signal = context.input(0);
    if ((signal.rank() != 3 || (signal.dim(2) != 1 && signal.dim(2) != 2)) && signal.rank() != 2)
        fail_input("STFT: expected a signal [batch, length, 1 or 2], found " +
                   to_string(signal.shape()));
    const std::int64_t batch = signal.dim(0), length = signal.dim(1),
                       parts = signal.rank() == 3 ? signal.dim(2) : 1;
    const std::int64_t step = scalar_integer(context.input(1), "frame_step");
    if (step < 1)
        fail_input("STFT: expected a frame_step of at least 1, found " + std::to_string(step));
    const Tensor* window = context.optional_input(2);
    const Tensor* given = context.optional_input(stft_input::frame_length);
    if (window && window->rank() != 1)
        fail_input("STFT: expected a window of rank 1, found " + to_string(window->shape()));
    const std::int64_t frame = given    ? scalar_integer(*given, "frame_length")
                               : window ? window->dim(0)
                                        : length;
    if (frame < 1)
        fail_input("STFT: expected a frame_length of at least 1, found " + std::to_string(frame));
    if (window && window->dim(0) != frame)
        fail_input("STFT: the window has " + std::to_string(window->dim(0)) +
                   " elements, but frame_length is " + std::to_string(frame));
    const std::int64_t frames = length < frame ? 0 : (length - frame) / step + 1;
    const std::int64_t bins =
        context.node().int_attribute("onesided", 1) != 0 ? frame / 2 + 1 : frame;

    Narrowed<double> output(context, context.output(0, signal.dtype(), {batch, frames, bins, 2}));
    if (output.size() == 0) return;
    const Widened<double> samples(context, signal), weights(context, window);
    const FourierPlan plan(frame);
    context.threads().parallel_for(batch * frames, 4, [&](std::int64_t begin, std::int64_t end) {
        std::vector<Complex> windowed(static_cast<std::size_t>(frame)), spectrum(windowed.size());
        for (std::int64_t row = begin; row < end; ++row) {
            context.cancel().throw_if_cancelled();
            const double* from =
                samples.data() + (row / frames * length + row % frames * step) * parts;
            for (std::int64_t i = 0; i < frame; ++i) {
                const double weight = weights ? weights[i] : 1.0;
                windowed[static_cast<std::size_t>(i)] = {from[i * parts] * weight,
                                                         parts == 2 ? from[i * 2 + 1] * weight : 0};
            }
            plan.run(windowed.data(), spectrum.data(), false);
            double* to = output.data() + row * bins * 2;
            for (std::int64_t k = 0; k < bins; ++k) {
                to[2 * k] = spectrum[static_cast<std::size_t>(k)].real();
                to[2 * k + 1] = spectrum[static_cast<std::size_t>(k)].imag();
            }
        }
    });
    output.store();
}

}  // namespace lapidary::reference
