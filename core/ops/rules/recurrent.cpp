// SPDX-License-Identifier: Apache-2.0
// RNN, GRU and LSTM.
#include <fmt/format.h>

#include "ops/rules/recurrent_shapes.h"

namespace lapidary {

void infer_recurrent_network(InferenceContext& ctx, std::int64_t gates, bool transposed_weights) {
    const std::string direction = word_attribute(ctx, "direction", "forward", {"forward", "reverse", "bidirectional"});
    const std::int64_t directions = direction == "bidirectional" ? 2 : 1;
    const std::int64_t layout = ctx.node().int_attribute("layout", 0);
    if (layout != 0 && layout != 1) ctx.fail(fmt::format("attribute layout must be 0 or 1, found {}", layout));
    const InputShape *x = shape_of_rank(ctx, 0, 3, "X"), *w = shape_of_rank(ctx, 1, 3, "W"),
                     *r = shape_of_rank(ctx, 2, 3, "R");
    Dim hidden;
    if (ctx.node().has_attribute("hidden_size")) hidden = positive_attribute(ctx, "hidden_size", 0);
    const std::size_t hidden_axis = transposed_weights ? 1 : 2, gate_axis = transposed_weights ? 2 : 1;
    if (r) {
        hidden = same_dim(ctx, hidden, (*r)[hidden_axis], "hidden_size and R");
        same_dim(ctx, (*r)[0], directions, "directions of R");
        same_dim(ctx, (*r)[gate_axis], multiply(hidden, gates),
                 fmt::format("R must have {} gates of {} rows", gates, to_string(hidden)));
    }
    if (w) {
        same_dim(ctx, (*w)[0], directions, "directions of W");
        same_dim(ctx, (*w)[gate_axis], multiply(hidden, gates),
                 fmt::format("W must have {} gates of {} rows", gates, to_string(hidden)));
        if (x) same_dim(ctx, (*w)[hidden_axis], (*x)[2], "input size of W and X");
    }
    const Dim sequence = x ? (*x)[layout == 0 ? 0 : 1] : Dim(), batch = x ? (*x)[layout == 0 ? 1 : 0] : Dim();
    if (ctx.has_input(3)) {
        if (const InputShape* bias = shape_of_rank(ctx, 3, 2, "B")) {
            same_dim(ctx, (*bias)[0], directions, "directions of B");
            same_dim(ctx, (*bias)[1], multiply(hidden, 2 * gates), "B");
        }
    }
    if (ctx.has_input(4)) {
        if (const InputShape* lengths = shape_of_rank(ctx, 4, 1, "sequence_lens"))
            same_dim(ctx, (*lengths)[0], batch, "sequence_lens and batch");
    }
    const SymbolicShape state =
        layout == 0 ? SymbolicShape{directions, batch, hidden} : SymbolicShape{batch, directions, hidden};
    for (std::size_t i = 5; i < 7; ++i) {
        if (!ctx.has_input(i)) continue;
        if (const InputShape* initial = shape_of_rank(ctx, i, 3, i == 5 ? "initial_h" : "initial_c")) {
            for (std::size_t k = 0; k < 3; ++k)
                same_dim(ctx, (*initial)[k], state[k],
                         fmt::format("{}, axis {}", i == 5 ? "initial_h" : "initial_c", k));
        }
    }
    ctx.set_output_shape(0, layout == 0 ? SymbolicShape{sequence, directions, batch, hidden}
                                        : SymbolicShape{batch, sequence, directions, hidden});
    ctx.set_output_shape(1, state);
    ctx.set_output_shape(2, state);
}

void infer_rnn(InferenceContext& ctx) { infer_recurrent_network(ctx, 1, false); }
void infer_gru(InferenceContext& ctx) { infer_recurrent_network(ctx, 3, false); }
void infer_lstm(InferenceContext& ctx) { infer_recurrent_network(ctx, 4, false); }

}  // namespace lapidary
