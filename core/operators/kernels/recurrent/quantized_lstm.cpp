// SPDX-License-Identifier: Apache-2.0
// com.microsoft DynamicQuantizeLSTM on packed 8-bit weights. The input is quantized as a whole and
// multiplied for all steps at once, before each step the states of the sequences that have not
// ended together; gates and cells stay float.
#include <algorithm>

#include "kernels/attention/score_terms.h"
#include "kernels/float_inputs.h"
#include "kernels/input_index.h"
#include "kernels/integer/byte_product.h"
#include "kernels/integer/quantization_input.h"
#include "kernels/integer/workspace.h"
#include "kernels/recurrent/cell_functions.h"
#include "kernels/recurrent/recurrent_sizes.h"
#include "kernels/reference/recurrent/recurrent_frame.h"
#include "kernels/vector/elementwise/activation.h"
#include "kernels/vector/recurrent.h"

namespace lapidary {
namespace {

/// One direction's W or R, [inner, columns], with the scales of its columns.
struct ByteGates {
    ByteLayout layout;
    std::shared_ptr<const PackedWeight> packed;
    std::vector<float> scales;        // of every column
    std::vector<std::int32_t> zeros;  // none: all 0

    std::size_t prepared_bytes(std::int64_t rows) const {
        return (static_cast<std::size_t>(rows * layout.padded_inner() *
                                         layout.kernels->element_bytes) +
                63) /
               64 * 64;
    }
    std::size_t product_bytes(std::int64_t rows, int workers) const {
        ByteProduct p;
        p.rows = rows;
        p.layout = layout;
        return (byte_product_workspace(p, workers) + 63) / 64 * 64;
    }
    std::size_t offsets_bytes() const {
        return static_cast<std::size_t>(layout.padded_columns() + 64) * sizeof(std::int32_t);
    }

    /// Rows of floats as the product reads them.
    void quantize(const float* from, std::int64_t rows, ByteScale q, std::uint8_t* bytes,
                  std::byte* to) const {
        byte_element_kernels().quantize(from, rows * layout.inner, q, false, bytes);
        layout.kernels->prepare(bytes, rows, layout.inner, layout.inner, false, to,
                                layout.padded_inner());
    }
    ByteProduct product(const void* a, std::int64_t rows, ByteScale q, const float* bias,
                        std::int32_t* offsets, float* out, std::int64_t out_stride) const {
        ByteProduct p;
        p.rows = rows;
        p.layout = layout;
        p.packed_b = packed->data();
        p.a = a;
        p.a_stride = layout.padded_inner();
        ByteFinish& f = p.finish;
        f.to = ByteFinish::To::real;
        f.out = out;
        f.out_stride = out_stride;
        f.column_zero = zeros.empty() ? nullptr : zeros.data();
        byte_column_offsets(layout, packed->data(), q.zero_point, nullptr, f.column_zero, offsets);
        f.column_offset = offsets;
        f.scale = q.scale;
        f.column_scale = scales.data();
        f.bias = bias;
        f.activate = activation_kernels().apply;
        return p;
    }
};

enum class Part : std::uint8_t {
    products,  // of the inputs with their weights, all steps and directions
    biases,    // of input and state, added
    hidden,    // from here on one for each direction
    cell,
    offsets,
    sums,
    rows,
    bytes,
    prepared,
    product_memory,
    input_bytes,  // from here on one for all again
    input_prepared
};
using Work = Workspace<Part>;

class QuantizedLstm final : public Kernel {
public:
    QuantizedLstm(const Node& node, const RecurrentForm& form, std::vector<CellFunctions> functions,
                  std::vector<ByteGates> inputs, std::vector<ByteGates> states)
        : form_(form), functions_(std::move(functions)), inputs_(std::move(inputs)),
          states_(std::move(states)), couples_gates_(node.int_attribute("input_forget", 0) != 0),
          clip_(reference::read_clip(node)), vector_(recurrent_kernels()) {}

    void run(KernelContext& context) const override {
        const RecurrentRun run(context, form_);
        const std::int64_t hidden = form_.hidden, width = 4 * hidden, directions = form_.directions,
                           batch = run.batch, steps = run.steps;
        const float* bias =
            RecurrentRun::floats_of(context, recurrent_input::bias, {directions, 2 * width}, "B");
        const float* initial_h = RecurrentRun::floats_of(context, recurrent_input::initial_h,
                                                         run.state_shape(), "initial_h");
        const float* initial_c = RecurrentRun::floats_of(context, recurrent_input::initial_c,
                                                         run.state_shape(), "initial_c");
        const float* peepholes = RecurrentRun::floats_of(context, recurrent_input::peepholes,
                                                         {directions, 3 * hidden}, "P");
        float* y =
            is_wanted(context, 0)
                ? context.output(0, DType::f32, run.output_shape()).mutable_data<float>().data()
                : nullptr;
        if (y) std::fill_n(y, steps * batch * directions * hidden, 0.0f);

        const Sizes size(*this, batch, steps * batch, context.threads().threads());
        const auto all = static_cast<std::size_t>(directions);
        Work work(context, {{Part::products, size.products},
                            {Part::biases, size.biases},
                            {Part::hidden, size.states * all},
                            {Part::cell, size.states * all},
                            {Part::offsets, size.offsets * all},
                            {Part::sums, size.sums * all},
                            {Part::rows, size.rows * all},
                            {Part::bytes, size.bytes * all},
                            {Part::prepared, size.prepared * all},
                            {Part::product_memory, size.product_memory * all},
                            {Part::input_bytes, size.input_bytes},
                            {Part::input_prepared, size.input_prepared}});
        auto* products = work.part<float>(Part::products);
        multiply_inputs(context, run, bias, work);
        const auto walk = [&](std::int64_t d, ThreadPool* pool) {
            const auto own = [&](Part part, std::size_t bytes) {
                return work.part<std::byte>(part) + bytes * static_cast<std::size_t>(d);
            };
            auto *h = reinterpret_cast<float*>(own(Part::hidden, size.states)),
                 *c = reinterpret_cast<float*>(own(Part::cell, size.states)),
                 *sums = reinterpret_cast<float*>(own(Part::sums, size.sums));
            auto* offsets = reinterpret_cast<std::int32_t*>(own(Part::offsets, size.offsets));
            auto* rows = reinterpret_cast<RecurrentRow*>(own(Part::rows, size.rows));
            auto* bytes = reinterpret_cast<std::uint8_t*>(own(Part::bytes, size.bytes));
            std::byte *prepared = own(Part::prepared, size.prepared),
                      *memory = own(Part::product_memory, size.product_memory);
            fill_states(run, d, initial_h, h);
            fill_states(run, d, initial_c, c);
            const ByteGates& weights = states_[static_cast<std::size_t>(d)];
            RecurrentStep step = step_of(d, peepholes);
            step.rows = rows;
            for (std::int64_t t = 0; t < steps; ++t) {
                step.count = fill_rows(run, d, t, products, {sums, c, h}, rows);
                if (step.count == 0) break;
                const ByteScale q = scale_of_states(step, batch, h);
                weights.quantize(h, batch, q, bytes, prepared);
                const ByteProduct product =
                    weights.product(prepared, batch, q, nullptr, offsets, sums, width);
                if (pool) multiply(product, *pool, context.cancel(), memory);
                else multiply(product, context.cancel(), memory);
                context.cancel().throw_if_cancelled();
                vector_.lstm_gates(step);
                if (y) write_states(run, d, t, h, y);
            }
        };
        constexpr std::int64_t worth_threads = 100'000;  // multiplications
        if (directions > 1 && context.threads().threads() > 1 &&
            steps * batch * width * hidden > worth_threads)
            context.threads().parallel_tasks(directions,
                                             [&](std::int64_t d, int) { walk(d, nullptr); });
        else
            for (std::int64_t d = 0; d < directions; ++d) walk(d, &context.threads());
        constexpr std::size_t last_hidden = 1, last_cell = 2;  // outputs
        store_states(context, run, last_hidden, work.part<std::byte>(Part::hidden), size.states);
        store_states(context, run, last_cell, work.part<std::byte>(Part::cell), size.states);
    }

private:
    /// The time step of sequence n that direction d processes in step t.
    std::int64_t time_of(const RecurrentRun& run, std::int64_t d, std::int64_t t,
                         std::int64_t n) const {
        return form_.is_reverse(d) ? run.length(n) - 1 - t : t;
    }

    /// Working memory of one direction; it holds the sequences one after the other.
    struct DirectionMemory {
        float *sums, *cell, *hidden;
    };

    /// Rows of step t, of the sequences that go on; returns how many these are.
    std::int64_t fill_rows(const RecurrentRun& run, std::int64_t d, std::int64_t t,
                           const float* products, const DirectionMemory& own,
                           RecurrentRow* rows) const {
        const std::int64_t hidden = form_.hidden, width = 4 * hidden;
        std::int64_t count = 0;
        for (std::int64_t n = 0; n < run.batch; ++n) {
            if (t >= run.length(n)) continue;
            RecurrentRow& row = rows[count++];
            row.input =
                products + (run.input_row(time_of(run, d, t, n), n) * form_.directions + d) * width;
            row.product = own.sums + n * width;
            row.cell = own.cell + n * hidden;
            row.out = own.hidden + n * hidden;
        }
        return count;
    }

    /// Y of step t, of the sequences that go on.
    void write_states(const RecurrentRun& run, std::int64_t d, std::int64_t t, const float* states,
                      float* y) const {
        const std::int64_t hidden = form_.hidden;
        for (std::int64_t n = 0; n < run.batch; ++n)
            if (t < run.length(n))
                std::copy_n(states + n * hidden, hidden,
                            y + run.output_row(d, time_of(run, d, t, n), n) * hidden);
    }

    /// The scale for the states of the sequences that have not ended.
    ByteScale scale_of_states(const RecurrentStep& step, std::int64_t batch,
                              const float* states) const {
        const std::int64_t hidden = form_.hidden;
        float low = 0, high = 0;
        if (step.count == batch) byte_element_kernels().range(states, batch * hidden, &low, &high);
        else
            for (std::int64_t i = 0; i < step.count; ++i)
                byte_element_kernels().range(step.rows[i].out, hidden, &low, &high);
        return dynamic_byte_scale(low, high);
    }

    /// Bytes of working memory, those from `states` on for one direction.
    struct Sizes {
        Sizes(const QuantizedLstm& k, std::int64_t batch, std::int64_t input_rows, int workers) {
            const std::int64_t hidden = k.form_.hidden, width = 4 * hidden;
            const auto rounded = [](std::int64_t count, std::size_t each) {
                return (static_cast<std::size_t>(count) * each + 63) / 64 * 64;
            };
            const ByteGates &in = k.inputs_[0], &state = k.states_[0];
            products = rounded(input_rows * k.form_.directions * width, sizeof(float));
            biases = rounded(width + 64, sizeof(float));
            states = rounded(batch * hidden, sizeof(float));
            offsets = std::max(in.offsets_bytes(), state.offsets_bytes());
            sums = rounded(batch * width, sizeof(float));
            rows = rounded(batch, sizeof(RecurrentRow));
            bytes = rounded(batch * hidden, 1);
            prepared = state.prepared_bytes(batch);
            product_memory = std::max(in.product_bytes(input_rows, workers),
                                      state.product_bytes(batch, workers));
            input_bytes = rounded(input_rows * k.form_.inputs, 1);
            input_prepared = in.prepared_bytes(input_rows);
        }
        std::size_t products, biases, states, offsets, sums, rows, bytes, prepared, product_memory,
            input_bytes, input_prepared;
    };

    void multiply_inputs(KernelContext& context, const RecurrentRun& run, const float* bias,
                         Work& work) const {
        const float* x = context.input(0).data<float>().data();
        const std::int64_t rows = run.steps * run.batch, width = 4 * form_.hidden;
        if (rows == 0) return;
        const ByteScale q = dynamic_byte_scale(x, rows * form_.inputs, context.threads());
        inputs_[0].quantize(x, rows, q, work.part<std::uint8_t>(Part::input_bytes),
                            work.part<std::byte>(Part::input_prepared));
        for (std::int64_t d = 0; d < form_.directions; ++d) {
            auto* together = work.part<float>(Part::biases);
            for (std::int64_t i = 0; bias && i < width; ++i)
                together[i] = bias[d * 2 * width + i] + bias[d * 2 * width + width + i];
            const ByteProduct product = inputs_[static_cast<std::size_t>(d)].product(
                work.part<std::byte>(Part::input_prepared), rows, q, bias ? together : nullptr,
                work.part<std::int32_t>(Part::offsets),
                work.part<float>(Part::products) + d * width, form_.directions * width);
            multiply(product, context.threads(), context.cancel(),
                     work.part<std::byte>(Part::product_memory));
        }
    }

    RecurrentStep step_of(std::int64_t direction, const float* peepholes) const {
        const CellFunctions& f = functions_[static_cast<std::size_t>(direction)];
        RecurrentStep step;
        step.hidden = form_.hidden;
        step.last_block = (form_.hidden + vector_.lanes - 1) / vector_.lanes;
        step.peepholes = peepholes ? peepholes + direction * 3 * form_.hidden : nullptr;
        step.couples_gates = couples_gates_;
        step.clip = clip_;
        step.gate = f.gate;
        step.candidate = f.candidate;
        step.output = f.output;
        step.usual =
            f.gate.kind == ActivationKind::sigmoid && f.candidate.kind == ActivationKind::tanh &&
            f.output.kind == ActivationKind::tanh && !peepholes && !couples_gates_ && clip_ == 0;
        return step;
    }

    void fill_states(const RecurrentRun& run, std::int64_t direction, const float* from,
                     float* to) const {
        for (std::int64_t n = 0; n < run.batch; ++n) {
            if (from)
                std::copy_n(from + run.state_row(direction, n) * form_.hidden, form_.hidden,
                            to + n * form_.hidden);
            else std::fill_n(to + n * form_.hidden, form_.hidden, 0.0f);
        }
    }

    void store_states(KernelContext& context, const RecurrentRun& run, std::size_t output,
                      const std::byte* states, std::size_t stride) const {
        if (!is_wanted(context, output)) return;
        float* to =
            context.output(output, DType::f32, run.state_shape()).mutable_data<float>().data();
        for (std::int64_t d = 0; d < form_.directions; ++d)
            for (std::int64_t n = 0; n < run.batch; ++n)
                std::copy_n(
                    reinterpret_cast<const float*>(states + stride * static_cast<std::size_t>(d)) +
                        n * form_.hidden,
                    form_.hidden, to + run.state_row(d, n) * form_.hidden);
    }

    const RecurrentForm form_;
    const std::vector<CellFunctions> functions_;    // per direction
    const std::vector<ByteGates> inputs_, states_;  // W and R per direction
    const bool couples_gates_;
    const float clip_;
    const RecurrentKernels& vector_;
};

/// W or R (input `index`) with scales and zero points (`scale`, `scale` + 1), one per direction or
/// one per column, packed.
std::vector<ByteGates> pack_gates(const KernelRequest& request, std::size_t index,
                                  std::size_t scale, const RecurrentForm& form,
                                  std::string& reason) {
    const Tensor *w = request.constant(index), *scales = request.constant(scale),
                 *zeros = request.constant(scale + 1);
    if (!w || !scales || !zeros) {
        reason = "weights, scales or zero points are computed at run time";
        return {};
    }
    const std::int64_t columns = 4 * form.hidden, directions = form.directions,
                       inner = w->rank() == 3 ? w->dim(1) : 0;
    const bool per_column = scales->rank() == 2 && scales->size() == directions * columns;
    if (!is_byte(w->dtype()) || w->shape() != Shape{directions, inner, columns} || inner < 1 ||
        inner > most_byte_products || scales->dtype() != DType::f32 ||
        zeros->dtype() != w->dtype() || zeros->size() != scales->size() ||
        (!per_column && scales->size() != directions && scales->size() != 1)) {
        reason = "weights " + to_string(w->shape()) + ", scales " + to_string(scales->shape()) +
                 " or zero points " + to_string(zeros->shape()) +
                 " are served by the reference kernel";
        return {};
    }
    std::vector<ByteGates> gates;
    const std::int32_t shift = w->dtype() == DType::u8 ? 128 : 0;
    for (std::int64_t d = 0; d < directions; ++d) {
        ByteGates g;
        g.layout = ByteLayout::of(1, inner, columns);
        g.packed = request.weights.add(
            *w, g.layout.format() + " direction " + std::to_string(d), g.layout.bytes(),
            g.layout.panels(),
            [layout = g.layout,
             from = static_cast<const std::byte*>(w->raw()) + d * inner * columns,
             dtype = w->dtype()](std::byte* to, std::int64_t begin, std::int64_t end) {
                layout.pack(from, dtype, ByteStrides{0, layout.columns, 1}, begin, end, to);
            });
        const auto padded = static_cast<std::size_t>(g.layout.padded_columns() + 64);
        g.scales.resize(padded);
        g.zeros.resize(padded);
        for (std::int64_t n = 0; n < columns; ++n) {
            const std::int64_t at = per_column ? d * columns + n : scales->size() == 1 ? 0 : d;
            g.scales[static_cast<std::size_t>(n)] =
                scales->data<float>()[static_cast<std::size_t>(at)];
            g.zeros[static_cast<std::size_t>(n)] = byte_at(*zeros, at) - shift;
        }
        if (std::ranges::all_of(g.zeros, [](std::int32_t z) { return z == 0; })) g.zeros.clear();
        gates.push_back(std::move(g));
    }
    request.unread_inputs.push_back(index);
    return gates;
}

}  // namespace

std::unique_ptr<Kernel> make_dynamic_quantize_lstm(const KernelRequest& request,
                                                   std::string& reason) {
    const Node& node = request.node;
    using namespace recurrent_input;
    if (!takes_floats(request, {0, bias, initial_h, initial_c, peepholes}, reason)) return nullptr;
    const Tensor *w = request.constant(1), *r = request.constant(2);
    if (!w || !r) {
        reason = "the weights are computed at run time";
        return nullptr;
    }
    RecurrentForm form;
    form.gates = 4;
    const bool has_direction = form.read_direction(node);
    form.inputs = w->rank() == 3 ? w->dim(1) : 0;
    form.hidden = r->rank() == 3 ? r->dim(1) : 0;
    if (!has_direction || form.hidden < 1 ||
        node.int_attribute("hidden_size", form.hidden) != form.hidden) {
        reason = "the weights " + to_string(w->shape()) + " and " + to_string(r->shape()) +
                 " do not fit the attributes";
        return nullptr;
    }
    auto functions = cell_functions(node, {"Sigmoid", "Tanh", "Tanh"}, form.directions, reason);
    if (!functions) return nullptr;
    auto inputs = pack_gates(request, 1, 8, form, reason);
    if (inputs.empty()) return nullptr;
    auto states = pack_gates(request, 2, 10, form, reason);
    if (states.empty()) return nullptr;
    return std::make_unique<QuantizedLstm>(node, form, std::move(*functions), std::move(inputs),
                                           std::move(states));
}

}  // namespace lapidary
