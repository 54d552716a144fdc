// SPDX-License-Identifier: Apache-2.0
// GRU (7, 14, 22); gates z (update), r (reset), h (hidden), in this order in W, R and B.
#include <algorithm>

#include "kernels/input_index.h"
#include "kernels/reference/recurrent/recurrent_activation.h"
#include "kernels/reference/recurrent/recurrent_frame.h"
#include "kernels/reference/recurrent/recurrent_outputs.h"

namespace lapidary::reference {
namespace {

template <typename T>
void run_gru(KernelContext& context, const RecurrentSizes& s,
             const std::vector<RecurrentActivation>& functions) {
    const Widened<T> x(context, context.input(0)), w(context, context.input(1)),
        r(context, context.input(2));
    const Widened<T> bias(context, context.optional_input(recurrent_input::bias)),
        initial(context, context.optional_input(recurrent_input::initial_h));
    const T clip = read_clip(context.node());
    const bool resets_product = context.node().int_attribute("linear_before_reset", 0) != 0;
    const std::int64_t hidden = s.hidden;
    RecurrentOutputs<T> outputs(context, s, context.input(0).dtype(), 1);
    for (std::int64_t d = 0; d < s.directions; ++d) {
        const RecurrentDirection<T> direction(context, s, d, x.data(), w.data(), r.data());
        const auto& f = functions[static_cast<std::size_t>(2 * d)];
        const auto& g = functions[static_cast<std::size_t>(2 * d + 1)];
        std::vector<T> zeros(static_cast<std::size_t>(6 * hidden), T(0));
        const T* wb = bias ? bias.data() + d * 6 * hidden : zeros.data();
        const T* rb = wb + 3 * hidden;
        std::vector<T> h = initial_state(s, d, initial),
                       gates(static_cast<std::size_t>(s.batch * 2 * hidden));
        std::vector<T> candidate(static_cast<std::size_t>(s.batch * hidden)),
            reset(candidate.size());
        for (std::int64_t step = 0; step < s.steps; ++step) {
            const auto for_each_active = [&](auto&& body) {
                for (std::int64_t n = 0; n < s.batch; ++n)
                    if (step < s.lengths[static_cast<std::size_t>(n)]) {
                        const std::int64_t time = s.time_of(d, n, step);
                        body(n, time, direction.input_product(s.input_row(time, n)));
                    }
            };
            direction.multiply_state(h.data(), 0, 2, gates.data());
            std::fill(reset.begin(), reset.end(), T(0));
            for_each_active([&](std::int64_t n, std::int64_t, const T* input) {
                T* row = gates.data() + n * 2 * hidden;
                for (std::int64_t i = 0; i < 2 * hidden; ++i) row[i] += input[i] + wb[i] + rb[i];
                f.apply(row, 2 * hidden, clip);
                for (std::int64_t i = 0; i < hidden; ++i)
                    reset[static_cast<std::size_t>(n * hidden + i)] =
                        row[hidden + i] * h[static_cast<std::size_t>(n * hidden + i)];
            });
            direction.multiply_state(resets_product ? h.data() : reset.data(), 2, 1,
                                     candidate.data());
            for_each_active([&](std::int64_t n, std::int64_t time, const T* input) {
                const T* row = gates.data() + n * 2 * hidden;
                T* c = candidate.data() + n * hidden;
                T* state = h.data() + n * hidden;
                for (std::int64_t i = 0; i < hidden; ++i) {
                    const T recurrent = c[i] + rb[2 * hidden + i];
                    c[i] = input[2 * hidden + i] +
                           (resets_product ? row[hidden + i] * recurrent : recurrent) +
                           wb[2 * hidden + i];
                }
                g.apply(c, hidden, clip);
                for (std::int64_t i = 0; i < hidden; ++i)
                    state[i] = (1 - row[i]) * c[i] + row[i] * state[i];
                outputs.set_step(d, time, n, state);
            });
        }
        outputs.set_state(0, d, h);
    }
    outputs.store();
}

}  // namespace

void gru(KernelContext& context) {
    const RecurrentSizes sizes(context, 3);
    const auto functions = read_activations(context.node(), {"Sigmoid", "Tanh"},
                                            static_cast<std::size_t>(sizes.directions));
    dispatch_compute(context.input(0).dtype(),
                     [&]<typename T>() { run_gru<T>(context, sizes, functions); });
}

}  // namespace lapidary::reference
