// SPDX-License-Identifier: Apache-2.0
// LSTM, GRU and RNN: first one product of the inputs of all steps, then all steps in one launch
// where they fit. Otherwise, or with option together=off, one product with the state for each step.
#include "kernels/recurrent/recurrent.h"

#include <algorithm>

#include "operators/elementwise.h"
#include "operators/makers.h"
#include "operators/movement.h"
#include "operators/product.h"

namespace lapidary::cuda {
namespace {

using Made = std::unique_ptr<NodeKernel>;

enum class Cell : std::uint8_t { lstm, gru, rnn };

class Recurrent final : public NodeKernel {
public:
    Cell cell = Cell::lstm;
    std::int64_t directions = 1;
    std::optional<std::int64_t> hidden_size;  // not given: as R says
    bool is_reverse = false, is_linear_before_reset = false, is_relu = false;
    bool is_together = true;  // all steps in one launch where they fit
    Arithmetic arithmetic = Arithmetic::exact;

    void run(KernelRun& run) const override {
        const Array x = run.input(0), w = run.input(1), r = run.input(2);
        if (x.dims.size() != 3 || w.dims.size() != 3 || r.dims.size() != 3)
            KernelRun::fail("X, W and R are not of rank 3");
        const std::int64_t steps = x.dims[0], batch = x.dims[1], hidden = r.dims[2];
        if (w.dims[0] != directions || w.dims[1] != gates() * hidden || w.dims[2] != x.dims[2] ||
            r.dims != Dims{directions, gates() * hidden, hidden})
            KernelRun::fail("W and R do not fit the input and each other");
        if (hidden_size.value_or(hidden) != hidden)
            KernelRun::fail("attribute hidden_size is " + std::to_string(*hidden_size) +
                            ", but R is " + text_of(r.dims));
        const Dims state{directions, batch, hidden};
        run.require_dims(3, {directions, 2 * gates() * hidden});
        run.require_dims(4, {batch});
        for (std::size_t i : {5, 6}) run.require_dims(i, state);
        auto* y = run.wants(0)
                      ? static_cast<float*>(run.output(0, f32, {steps, directions, batch, hidden}))
                      : nullptr;
        auto* h = static_cast<float*>(run.output(1, f32, state));
        auto* c = cell == Cell::lstm ? static_cast<float*>(run.output(2, f32, state)) : nullptr;
        if (!h) return;
        const auto bytes = static_cast<std::uint64_t>(count_of(state) * 4);
        start(run, 5, h, bytes);
        if (c) start(run, 6, c, bytes);
        if (y && run.has(4))
            launch_fill(run.queue(), y, 4, count_32({steps, directions, batch, hidden}), 0);
        Scratch scratch;
        scratch.input = floats(run, steps * batch * gates() * hidden);
        // room for two states, too
        scratch.recurrent = floats(run, batch * std::max<std::int64_t>(gates(), 2) * hidden);
        if (cell == Cell::gru) scratch.reset = floats(run, batch * hidden);
        if (cell == Cell::gru) scratch.candidate = floats(run, batch * hidden);
        for (std::int64_t d = 0; d < directions; ++d) {
            RecurrentStep args;
            args.h = h + d * batch * hidden;
            args.c = c ? c + d * batch * hidden : nullptr;
            args.y = y ? y + d * batch * hidden : nullptr;
            args.lengths = static_cast<const std::int32_t*>(run.input(4).data);
            args.batch = static_cast<std::int32_t>(batch);
            args.hidden = static_cast<std::int32_t>(hidden);
            args.steps = static_cast<std::int32_t>(steps);
            args.y_step = static_cast<std::int32_t>(directions * batch * hidden);
            args.is_reverse = directions == 2 ? d == 1 : is_reverse;
            run_direction(run, d, x, scratch, args);
        }
    }

private:
    struct Scratch {
        float *input = nullptr, *recurrent = nullptr, *reset = nullptr, *candidate = nullptr;
    };
    RecurrentCell layer_cell() const {
        if (cell == Cell::lstm) return RecurrentCell::lstm;
        if (cell == Cell::gru)
            return is_linear_before_reset ? RecurrentCell::gru_linear : RecurrentCell::gru;
        return is_relu ? RecurrentCell::rnn_relu : RecurrentCell::rnn_tanh;
    }
    std::int64_t gates() const { return cell == Cell::lstm ? 4 : cell == Cell::gru ? 3 : 1; }
    static float* floats(KernelRun& run, std::int64_t count) {
        return static_cast<float*>(run.scratch(std::max<std::int64_t>(count, 1) * 4));
    }
    static void start(KernelRun& run, std::size_t input, float* state, std::uint64_t bytes) {
        if (run.has(input)) run.stream().copy_within(state, run.input(input).data, bytes);
        else launch_fill(run.queue(), state, 4, static_cast<std::int32_t>(bytes / 4), 0);
    }

    void run_direction(KernelRun& run, std::int64_t d, const Array& x, const Scratch& scratch,
                       RecurrentStep args) const {
        const std::int64_t hidden = args.hidden, width = gates() * hidden, size = x.dims[2];
        const auto* w = static_cast<const float*>(run.input(1).data) + d * width * size;
        const auto* r = static_cast<const float*>(run.input(2).data) + d * width * hidden;
        const auto* bias = static_cast<const float*>(run.input(3).data);
        if (bias) bias += d * 2 * width;
        const float* const state_bias = bias ? bias + width : nullptr;
        const std::int64_t rows = x.dims[0] * x.dims[1];
        launch_split_product(run,
                             linear_product(x.data, w, bias, scratch.input, f32, rows, width, size),
                             arithmetic);
        args.input = scratch.input;
        args.recurrent = scratch.recurrent;
        args.reset_h = scratch.reset;
        const RecurrentLayer layer{args, layer_cell(), r, state_bias, scratch.recurrent};
        if (is_together && launch_recurrent_layer(run.queue(), layer)) return;
        for (args.step = 0; args.step < args.steps; ++args.step) {
            launch_product(run.queue(),
                           linear_product(args.h, r, state_bias, scratch.recurrent, f32, args.batch,
                                          width, hidden),
                           arithmetic);
            if (cell == Cell::lstm) {
                launch_lstm_step(run.queue(), args);
            } else if (cell == Cell::rnn) {
                launch_rnn_step(run.queue(), args, is_relu);
            } else if (is_linear_before_reset) {
                launch_gru_step(run.queue(), args);
            } else {
                launch_gru_reset(run.queue(), args);
                const float* const candidate_bias = state_bias ? state_bias + 2 * hidden : nullptr;
                const ProductArgs of_candidate =
                    linear_product(scratch.reset, r + 2 * hidden * hidden, candidate_bias,
                                   scratch.candidate, f32, args.batch, hidden, hidden);
                launch_product(run.queue(), of_candidate, arithmetic);
                launch_gru_finish(run.queue(), args, scratch.candidate);
            }
        }
    }
};

bool is_word(const std::string& text, const char* word) {
    return std::ranges::equal(text, std::string_view(word), [](char a, char b) {
        return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b;
    });
}

}  // namespace

Made make_recurrent(const NodeView& node, Making& making) {
    auto kernel = std::make_unique<Recurrent>();
    kernel->cell = node.op() == "LSTM" ? Cell::lstm : node.op() == "GRU" ? Cell::gru : Cell::rnn;
    for (std::size_t i : {0, 1, 2, 3, 5, 6})
        if (node.has_input(i)) require_type(node, i, node.input_type(i) == f32);
    if (node.has_input(4)) require_type(node, 4, node.input_type(4) == i32);
    if (node.has_input(7)) throw Refusal("it has peepholes");
    if (node.integer("layout", 0) != 0) throw Refusal("its layout is batch first");
    if (node.has("clip")) throw Refusal("it clips");
    if (node.integer("input_forget", 0) != 0) throw Refusal("its gates are coupled");
    if (node.has("hidden_size")) kernel->hidden_size = node.integer("hidden_size", 0);
    const std::string direction = node.text("direction", "forward");
    kernel->directions = direction == "bidirectional" ? 2 : 1;
    kernel->is_reverse = direction == "reverse";
    kernel->is_linear_before_reset = node.integer("linear_before_reset", 0) != 0;
    const std::vector<std::string> functions = node.texts("activations");
    const std::size_t per = kernel->cell == Cell::lstm ? 3 : kernel->cell == Cell::gru ? 2 : 1;
    for (std::size_t i = 0; i < functions.size(); ++i) {
        const char* const expected = i % per == 0 && kernel->cell != Cell::rnn ? "sigmoid" : "tanh";
        const bool is_relu = kernel->cell == Cell::rnn && is_word(functions[i], "relu");
        if (!is_relu && !is_word(functions[i], expected))
            throw Refusal("its activation " + functions[i] + " is not the default");
        if (i > 0 && is_relu != kernel->is_relu && kernel->cell == Cell::rnn)
            throw Refusal("its directions differ");
        kernel->is_relu = is_relu;
    }
    kernel->arithmetic = arithmetic_of(f32, making.precision);
    kernel->is_together = making.together;
    making.kernel = kernel->cell == Cell::lstm ? "lstm" : kernel->cell == Cell::gru ? "gru" : "rnn";
    return kernel;
}

}  // namespace lapidary::cuda
