// SPDX-License-Identifier: Apache-2.0
// RNN, GRU and LSTM.
#include <fmt/format.h>

#include "ops/rules/recurrent_shapes.h"

namespace lapidary {

namespace {

/// Sizes that the inputs of a recurrent network must agree on.
struct RecurrentFrame {
    std::int64_t gates, directions;
    std::size_t hidden_axis, gate_axis;  // of W and R
    Dim hidden, batch;
};

/// Checks W or R against directions, gates and the hidden size.
void check_weight(const InferenceContext& ctx, const RecurrentFrame& frame,
                  const InputShape& weight, char name) {
    same_dim(ctx, weight[0], frame.directions, fmt::format("directions of {}", name));
    same_dim(ctx, weight[frame.gate_axis], multiply(frame.hidden, frame.gates),
             fmt::format("{} must have {} gates of {} rows", name, frame.gates,
                         to_string(frame.hidden)));
}

/// Layout 0: [time, batch, ...], 1: [batch, time, ...].
bool has_time_first(const InferenceContext& ctx) {
    const std::int64_t layout = ctx.node().int_attribute("layout", 0);
    if (layout != 0 && layout != 1)
        ctx.fail(fmt::format("attribute layout must be 0 or 1, found {}", layout));
    return layout == 0;
}

void check_bias_and_lengths(const InferenceContext& ctx, const RecurrentFrame& frame) {
    if (ctx.has_input(3)) {
        if (const InputShape* bias = shape_of_rank(ctx, 3, 2, "B")) {
            same_dim(ctx, (*bias)[0], frame.directions, "directions of B");
            same_dim(ctx, (*bias)[1], multiply(frame.hidden, 2 * frame.gates), "B");
        }
    }
    if (ctx.has_input(4)) {
        if (const InputShape* lengths = shape_of_rank(ctx, 4, 1, "sequence_lens"))
            same_dim(ctx, (*lengths)[0], frame.batch, "sequence_lens and batch");
    }
}

void check_initial_states(const InferenceContext& ctx, const SymbolicShape& state) {
    for (const auto& [input, name] :
         {std::pair(std::size_t{5}, "initial_h"), std::pair(std::size_t{6}, "initial_c")}) {
        if (!ctx.has_input(input)) continue;
        const InputShape* initial = shape_of_rank(ctx, input, 3, name);
        for (std::size_t axis = 0; initial && axis < 3; ++axis)
            same_dim(ctx, (*initial)[axis], state[axis], fmt::format("{}, axis {}", name, axis));
    }
}

}  // namespace

void infer_recurrent_network(InferenceContext& ctx, std::int64_t gates, bool transposed_weights) {
    const std::string direction =
        word_attribute(ctx, "direction", "forward", {"forward", "reverse", "bidirectional"});
    const bool time_first = has_time_first(ctx);
    const InputShape *x = shape_of_rank(ctx, 0, 3, "X"), *w = shape_of_rank(ctx, 1, 3, "W"),
                     *r = shape_of_rank(ctx, 2, 3, "R");
    const std::int64_t directions = direction == "bidirectional" ? 2 : 1;
    RecurrentFrame frame{
        gates, directions, transposed_weights ? 1u : 2u, transposed_weights ? 2u : 1u, {}, {}};
    if (ctx.node().has_attribute("hidden_size"))
        frame.hidden = positive_attribute(ctx, "hidden_size", 0);
    if (r) {
        frame.hidden = same_dim(ctx, frame.hidden, (*r)[frame.hidden_axis], "hidden_size and R");
        check_weight(ctx, frame, *r, 'R');
    }
    if (w) {
        check_weight(ctx, frame, *w, 'W');
        if (x) same_dim(ctx, (*w)[frame.hidden_axis], (*x)[2], "input size of W and X");
    }
    const Dim sequence = x ? (*x)[time_first ? 0 : 1] : Dim();
    if (x) frame.batch = (*x)[time_first ? 1 : 0];
    check_bias_and_lengths(ctx, frame);
    const Dim &hidden = frame.hidden, &batch = frame.batch;
    const SymbolicShape state = time_first ? SymbolicShape{directions, batch, hidden}
                                           : SymbolicShape{batch, directions, hidden};
    check_initial_states(ctx, state);
    ctx.set_output_shape(0, time_first ? SymbolicShape{sequence, directions, batch, hidden}
                                       : SymbolicShape{batch, sequence, directions, hidden});
    ctx.set_output_shape(1, state);
    ctx.set_output_shape(2, state);
}

void infer_rnn(InferenceContext& ctx) { infer_recurrent_network(ctx, 1, false); }
void infer_gru(InferenceContext& ctx) { infer_recurrent_network(ctx, 3, false); }
void infer_lstm(InferenceContext& ctx) { infer_recurrent_network(ctx, 4, false); }

}  // namespace lapidary
