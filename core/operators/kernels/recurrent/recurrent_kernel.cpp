// SPDX-License-Identifier: Apache-2.0
// RNN, GRU and LSTM in float: the inputs' products for all steps at once on packed weights, then
// step by step one pass over packed recurrent weights that ends in the gates. Directions and parts
// of the batch go side by side; a lone sequence with large weights has its hidden units shared
// among threads instead.
#include <algorithm>
#include <optional>

#include "kernels/attention/score_terms.h"
#include "kernels/float_inputs.h"
#include "kernels/input_index.h"
#include "kernels/product/packed_product.h"
#include "kernels/recurrent/cell_functions.h"
#include "kernels/recurrent/recurrent_sizes.h"
#include "kernels/reference/recurrent/recurrent_frame.h"
#include "kernels/vector/recurrent.h"

namespace lapidary {
namespace {

enum class Cell { rnn, gru, lstm };

class RecurrentKernel final : public Kernel {
public:
    RecurrentKernel(const KernelRequest& request, Cell cell, const RecurrentForm& form,
                    std::vector<CellFunctions> functions)
        : cell_(cell), form_(form), functions_(std::move(functions)),
          resets_product_(request.node.int_attribute("linear_before_reset", 0) != 0),
          couples_gates_(request.node.int_attribute("input_forget", 0) != 0),
          clip_(reference::read_clip(request.node)), vector_(recurrent_kernels()) {
        const std::int64_t columns = form.directions * form.gates * form.hidden,
                           hidden = form.hidden, inputs = form.inputs;
        const Tensor &w = *request.constant(1), &r = *request.constant(2);
        const float* from = w.data<float>().data();
        input_weight_ = request.weights.add(
            w, packed_matrix::format() + std::string(" transposed"),
            packed_matrix::bytes(inputs, columns), packed_matrix::panels(columns),
            [from, inputs, columns](std::byte* to, std::int64_t begin, std::int64_t end) {
                packed_matrix::pack(from, inputs, true, inputs, columns, begin, end,
                                    reinterpret_cast<float*>(to));
            });
        // Gates in groups that one pass multiplies: a GRU that resets the state needs its reset
        // gate first.
        blocks_ = (hidden + vector_.lanes - 1) / vector_.lanes;
        const std::int64_t first_gates = cell == Cell::gru && !resets_product_ ? 2 : form.gates,
                           gates = form.gates, blocks = blocks_, lanes = vector_.lanes;
        const float* recurrent = r.data<float>().data();
        const auto pack = vector_.pack;
        weight_stride_ = blocks * hidden * gates * lanes;
        recurrent_weight_ = request.weights.add(
            r,
            "recurrent gates " + std::to_string(first_gates) + " of " + std::to_string(gates) +
                " lanes " + std::to_string(lanes),
            static_cast<std::size_t>(form.directions * weight_stride_) * sizeof(float),
            form.directions * blocks, [=](std::byte* to, std::int64_t begin, std::int64_t end) {
                for (std::int64_t unit = begin; unit < end; ++unit) {
                    const std::int64_t direction = unit / blocks, block = unit % blocks;
                    float* packed =
                        reinterpret_cast<float*>(to) + direction * blocks * hidden * gates * lanes;
                    const float* source = recurrent + direction * gates * hidden * hidden;
                    pack(source, first_gates, hidden * hidden, hidden, block, block + 1, packed);
                    if (first_gates < gates)
                        pack(source + first_gates * hidden * hidden, 1, hidden * hidden, hidden,
                             block, block + 1, packed + blocks * hidden * first_gates * lanes);
                }
            });
        request.unread_inputs = {1, 2};
    }

    void run(KernelContext& context) const override {
        const RecurrentRun run(context, form_);
        const std::int64_t hidden = form_.hidden, gates = form_.gates,
                           directions = form_.directions, batch = run.batch, steps = run.steps;
        const float* bias = RecurrentRun::floats_of(context, recurrent_input::bias,
                                                    {directions, 2 * gates * hidden}, "B");
        const float* initial_h = RecurrentRun::floats_of(context, recurrent_input::initial_h,
                                                         run.state_shape(), "initial_h");
        const float* initial_c = cell_ == Cell::lstm
                                     ? RecurrentRun::floats_of(context, recurrent_input::initial_c,
                                                               run.state_shape(), "initial_c")
                                     : nullptr;
        const float* peepholes = cell_ == Cell::lstm
                                     ? RecurrentRun::floats_of(context, recurrent_input::peepholes,
                                                               {directions, 3 * hidden}, "P")
                                     : nullptr;

        // Input products, biases, cells, two states of every sequence (or one, when Y holds them),
        // what GRU keeps between passes.
        const bool wants_y = is_wanted(context, 0);
        const std::int64_t columns = directions * gates * hidden,
                           states = directions * batch * hidden;
        Tensor holder, row_holder, workspace;  // all until the end, as a plan has them
        float* products =
            scratch_floats(holder, context, steps * batch * columns + columns + 5 * states);
        float *biases = products + steps * batch * columns, *cells = biases + columns,
              *working = cells + states, *first_states = working + 2 * states,
              *next_states = first_states + states;
        if (bias) add_biases(bias, biases);
        multiply_inputs(context, run, bias ? biases : nullptr, products, workspace);

        float* y =
            wants_y ? context.output(0, DType::f32, run.output_shape()).mutable_data<float>().data()
                    : nullptr;
        if (y && run.lengths) std::fill_n(y, steps * states, 0.0f);
        fill_states(run, initial_h, first_states);
        if (cell_ == Cell::lstm) fill_states(run, initial_c, cells);

        row_holder = context.scratch(DType::u8, {std::max<std::int64_t>(1, directions * batch) *
                                                 static_cast<std::int64_t>(sizeof(RecurrentRow))});
        auto* rows = reinterpret_cast<RecurrentRow*>(row_holder.mutable_raw());
        const auto walk = [&](std::int64_t direction, std::int64_t begin, std::int64_t end,
                              ThreadPool* pool) {
            RecurrentStep step = step_of(direction, peepholes, bias);
            for (std::int64_t t = 0; t < steps; ++t) {
                context.cancel().throw_if_cancelled();
                RecurrentRow* active = rows + direction * batch + begin;
                step.rows = active;
                step.count = 0;
                for (std::int64_t n = begin; n < end; ++n) {
                    const std::int64_t length = run.length(n);
                    if (t >= length) continue;
                    const bool reverse = form_.is_reverse(direction);
                    const std::int64_t time = reverse ? length - 1 - t : t,
                                       state = (direction * batch + n) * hidden;
                    const auto place = [&](std::int64_t at) {
                        return y + run.output_row(direction, at, n) * hidden;
                    };
                    RecurrentRow& row = active[step.count++];
                    row.input =
                        products + run.input_row(time, n) * columns + direction * gates * hidden;
                    row.cell = cells + state;
                    row.update = working + state;
                    row.reset = working + states + state;
                    if (y) {
                        row.state =
                            t == 0 ? first_states + state : place(reverse ? time + 1 : time - 1);
                        row.out = place(time);
                    } else {
                        row.state = (t % 2 == 0 ? first_states : next_states) + state;
                        row.out = (t % 2 == 0 ? next_states : first_states) + state;
                    }
                }
                advance(step, pool);
            }
        };
        walk_all(context, run, walk);

        store_states(context, run, y, first_states, next_states, cells);
    }

private:
    /// Calls walk(direction, first sequence, end, pool) for all sequences of all directions: the
    /// parts of them in parallel where there are as many as threads, else one after the other,
    /// whose steps may share the pool.
    template <typename Walk>
    void walk_all(KernelContext& context, const RecurrentRun& run, const Walk& walk) const {
        const std::int64_t directions = form_.directions, batch = run.batch;
        const int threads = context.threads().threads();
        const std::int64_t parts = directions >= threads
                                       ? 1
                                       : std::min<std::int64_t>(
                                             batch, (threads + directions - 1) / directions),
                           tasks = directions * parts;
        const std::int64_t step_cost = form_.gates * form_.hidden * form_.hidden;  // floats read
        constexpr std::int64_t worth_threads = 20'000, worth_sharing_steps = 150'000;
        if (threads > 1 && tasks >= threads && step_cost * run.steps * batch > worth_threads) {
            context.threads().parallel_tasks(tasks, [&](std::int64_t task, int) {
                walk(task / parts, batch * (task % parts) / parts,
                     batch * (task % parts + 1) / parts, nullptr);
            });
            return;
        }
        const bool shares_steps =
            threads > 1 && step_cost * std::max<std::int64_t>(1, batch / 4) > worth_sharing_steps;
        for (std::int64_t direction = 0; direction < directions; ++direction)
            walk(direction, 0, batch, shares_steps ? &context.threads() : nullptr);
    }

    /// The sums of W's and R's biases; that of R for the candidate of a GRU that resets the product
    /// stays apart.
    void add_biases(const float* bias, float* to) const {
        const std::int64_t width = form_.gates * form_.hidden,
                           apart = cell_ == Cell::gru && resets_product_ ? 2 * form_.hidden : width;
        for (std::int64_t direction = 0; direction < form_.directions; ++direction)
            for (std::int64_t i = 0; i < width; ++i) {
                const float* from = bias + direction * 2 * width + i;
                to[direction * width + i] = i < apart ? from[0] + from[width] : from[0];
            }
    }

    void multiply_inputs(KernelContext& context, const RecurrentRun& run, const float* bias,
                         float* to, Tensor& workspace) const {
        Product product;
        product.rows = run.steps * run.batch;
        product.inner = form_.inputs;
        product.columns = form_.directions * form_.gates * form_.hidden;
        product.a = context.input(0).data<float>().data();
        product.a_stride = form_.inputs;
        product.packed_b = input_weight_->as<const float>();
        product.c = to;
        product.c_stride = product.columns;
        product.bias = bias;
        if (product.rows == 0) return;
        const auto bytes =
            static_cast<std::int64_t>(product_workspace(product, context.threads().threads()));
        if (bytes > 0) workspace = context.scratch(DType::u8, {bytes});
        multiply(product, context.threads(), context.cancel(),
                 static_cast<std::byte*>(workspace.mutable_raw()));
    }

    RecurrentStep step_of(std::int64_t direction, const float* peepholes, const float* bias) const {
        const std::int64_t hidden = form_.hidden, width = form_.gates * hidden;
        const CellFunctions& f = functions_[static_cast<std::size_t>(direction)];
        RecurrentStep step;
        step.hidden = hidden;
        step.last_block = blocks_;
        step.weights = recurrent_weight_->as<const float>() + direction * weight_stride_;
        step.peepholes = peepholes ? peepholes + direction * 3 * hidden : nullptr;
        step.recurrent_bias = bias && cell_ == Cell::gru && resets_product_
                                  ? bias + direction * 2 * width + width + 2 * hidden
                                  : nullptr;
        step.couples_gates = couples_gates_;
        step.clip = clip_;
        step.gate = f.gate;
        step.candidate = f.candidate;
        step.output = f.output;
        step.usual = f.gate.kind == ActivationKind::sigmoid &&
                     f.candidate.kind == ActivationKind::tanh &&
                     (cell_ != Cell::lstm || f.output.kind == ActivationKind::tanh) && !peepholes &&
                     !couples_gates_ && clip_ == 0;
        return step;
    }

    void advance(RecurrentStep& step, ThreadPool* pool) const {
        if (step.count == 0) return;
        const auto all_blocks = [&](void (*function)(const RecurrentStep&)) {
            if (!pool) return function(step);
            const std::int64_t parts = std::min<std::int64_t>(pool->threads(), blocks_);
            pool->parallel_tasks(parts, [&](std::int64_t part, int) {
                RecurrentStep mine = step;
                mine.first_block = blocks_ * part / parts;
                mine.last_block = blocks_ * (part + 1) / parts;
                function(mine);
            });
        };
        if (cell_ == Cell::lstm) return all_blocks(vector_.lstm);
        if (cell_ == Cell::rnn) return all_blocks(vector_.rnn);
        if (resets_product_) return all_blocks(vector_.gru);
        all_blocks(vector_.gru_gates);
        const float* weights = step.weights;
        step.weights += blocks_ * form_.hidden * 2 * vector_.lanes;
        all_blocks(vector_.gru_candidate);
        step.weights = weights;
    }

    /// Rows of initial_h or initial_c (zero when null) as [direction, sequence].
    void fill_states(const RecurrentRun& run, const float* from, float* to) const {
        for (std::int64_t i = 0; i < form_.directions * run.batch; ++i) {
            if (from)
                std::copy_n(from + run.state_row(i / run.batch, i % run.batch) * form_.hidden,
                            form_.hidden, to + i * form_.hidden);
            else std::fill_n(to + i * form_.hidden, form_.hidden, 0.0f);
        }
    }

    void store_states(KernelContext& context, const RecurrentRun& run, const float* y,
                      const float* first_states, const float* next_states,
                      const float* cells) const {
        const bool wants_c = cell_ == Cell::lstm && is_wanted(context, 2);
        float* last_h =
            is_wanted(context, 1)
                ? context.output(1, DType::f32, run.state_shape()).mutable_data<float>().data()
                : nullptr;
        float* last_c =
            wants_c ? context.output(2, DType::f32, run.state_shape()).mutable_data<float>().data()
                    : nullptr;
        for (std::int64_t i = 0; i < form_.directions * run.batch; ++i) {
            const std::int64_t direction = i / run.batch, n = i % run.batch, length = run.length(n),
                               to = run.state_row(direction, n) * form_.hidden;
            const float* h =
                length == 0 ? first_states + i * form_.hidden
                : y ? y + run.output_row(direction, form_.is_reverse(direction) ? 0 : length - 1,
                                         n) *
                              form_.hidden
                : length % 2 == 0 ? first_states + i * form_.hidden
                                  : next_states + i * form_.hidden;
            if (last_h) std::copy_n(h, form_.hidden, last_h + to);
            if (last_c) std::copy_n(cells + i * form_.hidden, form_.hidden, last_c + to);
        }
    }

    const Cell cell_;
    const RecurrentForm form_;
    const std::vector<CellFunctions> functions_;  // per direction
    const bool resets_product_, couples_gates_;
    const float clip_;
    const RecurrentKernels& vector_;
    std::int64_t blocks_ = 0, weight_stride_ = 0;
    std::shared_ptr<const PackedWeight> input_weight_, recurrent_weight_;
};

std::unique_ptr<Kernel> make(const KernelRequest& request, Cell cell, std::string& reason) {
    const Node& node = request.node;
    using namespace recurrent_input;
    if (!takes_floats(request, {0, 1, 2, bias, initial_h, initial_c, peepholes}, reason))
        return nullptr;
    const Tensor *w = request.constant(1), *r = request.constant(2);
    if (!w || !r) {
        reason = "the weights are computed at run time";
        return nullptr;
    }
    RecurrentForm form;
    form.gates = cell == Cell::lstm ? 4 : cell == Cell::gru ? 3 : 1;
    const bool has_direction = form.read_direction(node);
    form.batch_first = node.int_attribute("layout", 0) != 0;
    form.hidden = r->rank() == 3 ? r->dim(2) : 0;
    form.inputs = w->rank() == 3 ? w->dim(2) : 0;
    if (!has_direction || form.hidden < 1 || form.inputs < 1 ||
        node.int_attribute("hidden_size", form.hidden) != form.hidden ||
        w->shape() != Shape{form.directions, form.gates * form.hidden, form.inputs} ||
        r->shape() != Shape{form.directions, form.gates * form.hidden, form.hidden}) {
        reason = "the weights " + to_string(w->shape()) + " and " + to_string(r->shape()) +
                 " do not fit the attributes";
        return nullptr;
    }
    std::vector<std::string> defaults{"Tanh"};
    if (cell == Cell::gru) defaults = {"Sigmoid", "Tanh"};
    if (cell == Cell::lstm) defaults = {"Sigmoid", "Tanh", "Tanh"};
    auto functions = cell_functions(node, defaults, form.directions, reason);
    if (!functions) return nullptr;
    return std::make_unique<RecurrentKernel>(request, cell, form, std::move(*functions));
}

}  // namespace

std::unique_ptr<Kernel> make_rnn(const KernelRequest& request, std::string& reason) {
    return make(request, Cell::rnn, reason);
}
std::unique_ptr<Kernel> make_gru(const KernelRequest& request, std::string& reason) {
    return make(request, Cell::gru, reason);
}
std::unique_ptr<Kernel> make_lstm(const KernelRequest& request, std::string& reason) {
    return make(request, Cell::lstm, reason);
}

}  // namespace lapidary
