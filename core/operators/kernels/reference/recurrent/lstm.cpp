// SPDX-License-Identifier: Apache-2.0
// LSTM (7, 14, 22); gates i (input), o (output), f (forget), c (cell), in this order in W, R and B;
// peepholes i, o, f.
#include <algorithm>
#include <cmath>

#include "kernels/input_index.h"
#include "kernels/reference/quantization/quantization.h"
#include "kernels/reference/recurrent/recurrent_activation.h"
#include "kernels/reference/recurrent/recurrent_frame.h"
#include "kernels/reference/recurrent/recurrent_outputs.h"

namespace lapidary::reference {
namespace {

/// One direction's constants for the step of one sequence.
template <typename T>
struct LstmCell {
    std::int64_t hidden;
    const T* bias;       // [8 * hidden]
    const T* peepholes;  // [3 * hidden]
    bool couples_gates;  // input_forget: f = 1 - i
    T clip;
    const RecurrentActivation *gate, *candidate, *output;

    /// `row` holds the recurrent products [4 * hidden] and is used as working memory; h and c are
    /// updated.
    void step(const T* input, T* row, T* h, T* c) const {
        T *i = row, *o = row + hidden, *f = row + 2 * hidden, *g = row + 3 * hidden;
        for (std::int64_t k = 0; k < 4 * hidden; ++k)
            row[k] += input[k] + bias[k] + bias[4 * hidden + k];
        for (std::int64_t k = 0; k < hidden; ++k) i[k] += peepholes[k] * c[k];
        gate->apply(i, hidden, clip);
        if (couples_gates) {
            for (std::int64_t k = 0; k < hidden; ++k) f[k] = 1 - i[k];
        } else {
            for (std::int64_t k = 0; k < hidden; ++k) f[k] += peepholes[2 * hidden + k] * c[k];
            gate->apply(f, hidden, clip);
        }
        candidate->apply(g, hidden, clip);
        for (std::int64_t k = 0; k < hidden; ++k) {
            c[k] = f[k] * c[k] + i[k] * g[k];
            o[k] += peepholes[hidden + k] * c[k];
            h[k] = c[k];
        }
        gate->apply(o, hidden, clip);
        output->apply(h, hidden, T(0));
        for (std::int64_t k = 0; k < hidden; ++k) h[k] *= o[k];
    }
};

/// Rows of `width` values as 8 bits hold them: over the range of all rows that count. NaN is 0.
template <typename T>
std::vector<T> rounded_to_bytes(const T* rows, std::int64_t width,
                                const std::vector<bool>& counts) {
    std::vector<float> seen;
    for (std::size_t r = 0; r < counts.size(); ++r)
        if (counts[r])
            seen.insert(seen.end(), rows + static_cast<std::int64_t>(r) * width,
                        rows + static_cast<std::int64_t>(r + 1) * width);
    const DynamicRange range = dynamic_range(seen.data(), static_cast<std::int64_t>(seen.size()));
    const auto zero = static_cast<float>(range.zero_point);
    std::vector<T> rounded(rows, rows + static_cast<std::int64_t>(counts.size()) * width);
    for (T& value : rounded) {
        const float byte = std::nearbyint(static_cast<float>(value) / range.scale) + zero;
        value = static_cast<T>(((byte > 0 ? std::min(byte, 255.0f) : 0.0f) - zero) * range.scale);
    }
    return rounded;
}

/// `rounds`: what the weights multiply is rounded to 8 bits: X as a whole, and before each step the
/// states of the sequences that have not ended.
template <typename T>
void run_lstm(KernelContext& context, const RecurrentSizes& s,
              const std::vector<RecurrentActivation>& functions, bool rounds) {
    const Widened<T> x(context, context.input(0)), w(context, context.input(1)),
        r(context, context.input(2));
    const Widened<T> bias(context, context.optional_input(recurrent_input::bias)),
        initial_h(context, context.optional_input(recurrent_input::initial_h));
    const Widened<T> initial_c(context, context.optional_input(recurrent_input::initial_c)),
        peepholes(context, context.optional_input(recurrent_input::peepholes));
    const std::vector<T> zeros(static_cast<std::size_t>(8 * s.hidden), T(0));
    const std::vector<T> rounded =
        rounds ? rounded_to_bytes(x.data(), context.input(0).size(), {true}) : std::vector<T>();
    RecurrentOutputs<T> outputs(context, s, context.input(0).dtype(), 2);
    for (std::int64_t d = 0; d < s.directions; ++d) {
        const RecurrentDirection<T> direction(context, s, d, rounds ? rounded.data() : x.data(),
                                              w.data(), r.data());
        const RecurrentActivation* f = functions.data() + 3 * d;
        const LstmCell<T> cell{s.hidden,
                               bias ? bias.data() + d * 8 * s.hidden : zeros.data(),
                               peepholes ? peepholes.data() + d * 3 * s.hidden : zeros.data(),
                               context.node().int_attribute("input_forget", 0) != 0,
                               read_clip(context.node()),
                               f,
                               f + 1,
                               f + 2};
        std::vector<T> h = initial_state(s, d, initial_h), c = initial_state(s, d, initial_c);
        std::vector<T> rows(static_cast<std::size_t>(s.batch * 4 * s.hidden));
        for (std::int64_t step = 0; step < s.steps; ++step) {
            std::vector<bool> goes_on;
            for (const std::int64_t length : s.lengths) goes_on.push_back(step < length);
            const std::vector<T> states =
                rounds ? rounded_to_bytes(h.data(), s.hidden, goes_on) : h;
            direction.multiply_state(states.data(), 0, 4, rows.data());
            for (std::int64_t n = 0; n < s.batch; ++n) {
                if (step >= s.lengths[static_cast<std::size_t>(n)]) continue;
                const std::int64_t time = s.time_of(d, n, step);
                T* state = h.data() + n * s.hidden;
                cell.step(direction.input_product(s.input_row(time, n)),
                          rows.data() + n * 4 * s.hidden, state, c.data() + n * s.hidden);
                outputs.set_step(d, time, n, state);
            }
        }
        outputs.set_state(0, d, h);
        outputs.set_state(1, d, c);
    }
    outputs.store();
}

void run_lstm(KernelContext& context, bool rounds) {
    const RecurrentSizes sizes(context, 4);
    sizes.require_shape(context.optional_input(recurrent_input::initial_c), sizes.state_shape(),
                        "initial_c");
    sizes.require_shape(context.optional_input(recurrent_input::peepholes),
                        {sizes.directions, 3 * sizes.hidden}, "P");
    const auto functions = read_activations(context.node(), {"Sigmoid", "Tanh", "Tanh"},
                                            static_cast<std::size_t>(sizes.directions));
    dispatch_compute(context.input(0).dtype(),
                     [&]<typename T>() { run_lstm<T>(context, sizes, functions, rounds); });
}

}  // namespace

void lstm(KernelContext& context) { run_lstm(context, false); }
/// LSTM whose input and states are rounded to 8 bits before they are multiplied.
void lstm_of_bytes(KernelContext& context) { run_lstm(context, true); }

}  // namespace lapidary::reference
