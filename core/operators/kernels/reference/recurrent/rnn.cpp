// SPDX-License-Identifier: Apache-2.0
// RNN (7, 14, 22): Ht = f(Xt * W^T + Ht-1 * R^T + Wb + Rb).
#include <algorithm>

#include "kernels/input_index.h"
#include "kernels/reference/recurrent/recurrent_activation.h"
#include "kernels/reference/recurrent/recurrent_frame.h"
#include "kernels/reference/recurrent/recurrent_outputs.h"

namespace lapidary::reference {
namespace {

template <typename T>
void run_rnn(KernelContext& context, const RecurrentSizes& s,
             const std::vector<RecurrentActivation>& functions) {
    const Widened<T> x(context, context.input(0)), w(context, context.input(1)),
        r(context, context.input(2));
    const Widened<T> bias(context, context.optional_input(recurrent_input::bias)),
        initial(context, context.optional_input(recurrent_input::initial_h));
    const T clip = read_clip(context.node());
    RecurrentOutputs<T> outputs(context, s, context.input(0).dtype(), 1);
    for (std::int64_t d = 0; d < s.directions; ++d) {
        const RecurrentDirection<T> direction(context, s, d, x.data(), w.data(), r.data());
        std::vector<T> h = initial_state(s, d, initial),
                       product(static_cast<std::size_t>(s.batch * s.hidden));
        const T* b = bias ? bias.data() + d * 2 * s.hidden : nullptr;
        for (std::int64_t step = 0; step < s.steps; ++step) {
            direction.multiply_state(h.data(), 0, 1, product.data());
            for (std::int64_t n = 0; n < s.batch; ++n) {
                if (step >= s.lengths[static_cast<std::size_t>(n)]) continue;
                const std::int64_t time = s.time_of(d, n, step);
                const T* input = direction.input_product(s.input_row(time, n));
                const T* recurrent = product.data() + n * s.hidden;
                T* state = h.data() + n * s.hidden;
                for (std::int64_t i = 0; i < s.hidden; ++i) {
                    state[i] = input[i] + recurrent[i];
                    if (b) state[i] += b[i] + b[s.hidden + i];
                }
                functions[static_cast<std::size_t>(d)].apply(state, s.hidden, clip);
                outputs.set_step(d, time, n, state);
            }
        }
        outputs.set_state(0, d, h);
    }
    outputs.store();
}

}  // namespace

void rnn(KernelContext& context) {
    const RecurrentSizes sizes(context, 1);
    const auto functions =
        read_activations(context.node(), {"Tanh"}, static_cast<std::size_t>(sizes.directions));
    dispatch_compute(context.input(0).dtype(),
                     [&]<typename T>() { run_rnn<T>(context, sizes, functions); });
}

}  // namespace lapidary::reference
