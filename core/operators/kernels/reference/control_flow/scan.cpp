// SPDX-License-Identifier: Apache-2.0
// Scan: version 8 (a batch of sequences) and version 9 on.
#include <algorithm>
#include <cstring>

#include "kernels/reference/control_flow/iteration_outputs.h"
#include "ops/geometry/broadcast.h"

namespace lapidary::reference {
namespace {

// How the body's inputs and outputs divide: states first, then what is scanned.
struct ScanForm {
    GraphPtr body;
    std::size_t states = 0, scan_inputs = 0, scan_outputs = 0;
};

ScanForm form_of(KernelContext& context, std::size_t first_input) {
    ScanForm form;
    form.body = body_of(context);
    const std::size_t inputs = context.input_count() - first_input;
    const std::int64_t scanned = context.node().int_attribute("num_scan_inputs", 0);
    if (scanned < 1 || static_cast<std::uint64_t>(scanned) > inputs) {
        context.fail("num_scan_inputs is " + std::to_string(scanned) + " where the node has " +
                     std::to_string(inputs) + " inputs to scan or carry");
    }
    form.scan_inputs = static_cast<std::size_t>(scanned);
    form.states = inputs - form.scan_inputs;
    if (form.body->inputs().size() != inputs) {
        context.fail("the body has " + std::to_string(form.body->inputs().size()) +
                     " inputs where " + std::to_string(inputs) + " are needed");
    }
    if (form.body->outputs().size() < form.states ||
        context.output_count() > form.body->outputs().size()) {
        context.fail("the body has " + std::to_string(form.body->outputs().size()) +
                     " outputs for " + std::to_string(form.states) + " states and " +
                     std::to_string(context.output_count()) + " outputs of the node");
    }
    form.scan_outputs = form.body->outputs().size() - form.states;
    return form;
}

// An attribute with one number per scanned value; zeros when it is absent.
std::vector<std::int64_t> per_scan(KernelContext& context, std::string_view name,
                                   std::size_t count) {
    std::vector<std::int64_t> values =
        context.node().ints_attribute(name, std::vector<std::int64_t>(count, 0));
    if (values.size() != count) {
        context.fail("attribute " + quote(name) + " has " + std::to_string(values.size()) +
                     " values, " + std::to_string(count) + " are needed");
    }
    return values;
}

std::vector<RuntimeValue> run_body(KernelContext& context, const ScanForm& form,
                                   std::span<const RuntimeValue> values) {
    context.cancel().throw_if_cancelled();
    std::vector<RuntimeValue> results = context.run_subgraph("body", values);
    if (results.size() != form.states + form.scan_outputs)
        context.fail("the body returned " + std::to_string(results.size()) + " outputs");
    return results;
}

void scan_sequence(KernelContext& context, const ScanForm& form) {
    const std::vector<std::int64_t> directions =
        per_scan(context, "scan_input_directions", form.scan_inputs);
    const std::vector<std::int64_t> axes = per_scan(context, "scan_input_axes", form.scan_inputs);
    const std::vector<std::int64_t> out_directions =
        per_scan(context, "scan_output_directions", form.scan_outputs);
    const std::vector<std::int64_t> out_axes =
        per_scan(context, "scan_output_axes", form.scan_outputs);
    std::vector<RuntimeValue> values;
    for (std::size_t i = 0; i < form.states; ++i) values.push_back(context.keep(context.input(i)));
    values.resize(form.states + form.scan_inputs);
    std::vector<std::size_t> normal;
    std::int64_t length = 0;
    for (std::size_t i = 0; i < form.scan_inputs; ++i) {
        const Tensor& data = context.input(form.states + i);
        normal.push_back(
            static_cast<std::size_t>(normalize_axis(axes[i], data.rank(), "scan input axis")));
        const std::int64_t found = data.dim(normal.back());
        if (i > 0 && found != length) {
            context.fail("scan input " + std::to_string(i) + " has " + std::to_string(found) +
                         " steps where the first has " + std::to_string(length));
        }
        length = found;
    }
    std::vector<IterationOutput> collected;
    for (std::size_t i = 0; i < form.scan_outputs; ++i)
        collected.emplace_back(*form.body, form.states + i, length);
    for (std::int64_t step = 0; step < length; ++step) {
        for (std::size_t i = 0; i < form.scan_inputs; ++i) {
            const std::int64_t at = directions[i] == 0 ? step : length - 1 - step;
            values[form.states + i] =
                take_slice(context, context.input(form.states + i), normal[i], at);
        }
        std::vector<RuntimeValue> results = run_body(context, form, values);
        for (std::size_t i = 0; i < form.scan_outputs; ++i)
            collected[i].add(context, results[form.states + i]);
        for (std::size_t i = 0; i < form.states; ++i) values[i] = std::move(results[i]);
    }
    for (std::size_t i = 0; i < form.states; ++i) {
        if (context.wants_output(i)) context.set_output(i, context.keep(values[i]));
    }
    for (std::size_t i = 0; i < form.scan_outputs; ++i) {
        if (context.wants_output(form.states + i))
            collected[i].write(context, form.states + i, out_axes[i], out_directions[i] != 0);
    }
}

Tensor zeros(KernelContext& context, DType dtype, Shape shape) {
    Tensor tensor = context.scratch(dtype, std::move(shape));
    if (dtype != DType::string && tensor.byte_size() != 0)
        std::memset(tensor.mutable_raw(), 0, tensor.byte_size());
    return tensor;
}

// Version 8: inputs are sequence_lens, states [batch, ...] and scan inputs [batch, steps, ...].
// Each batch entry runs on its own; scan outputs behind its length are zero.
class BatchScan {
public:
    BatchScan(KernelContext& context, const ScanForm& form)
        : context_(context), form_(form),
          directions_(per_scan(context, "directions", form.scan_inputs)), finals_(form.states),
          outputs_(form.scan_outputs) {
        for (std::size_t i = 0; i < form.states + form.scan_inputs; ++i) {
            const Tensor& data = context.input(1 + i);
            const int least = i < form.states ? 1 : 2;
            if (data.rank() < least || data.dim(0) != scanned(0).dim(0) ||
                (least == 2 && data.dim(1) != scanned(0).dim(1))) {
                context.fail("input " + std::to_string(1 + i) + ": " + describe(data) +
                             " does not fit batch and steps of " + describe(scanned(0)));
            }
        }
        batch_ = scanned(0).dim(0);
        steps_ = scanned(0).dim(1);
    }

    void run() {
        const std::vector<std::int64_t> lengths = entry_lengths();
        for (std::int64_t b = 0; b < batch_; ++b)
            run_entry(b, lengths[static_cast<std::size_t>(b)]);
        for (std::size_t i = 0; i < form_.states; ++i) write(i, finals_[i]);
        for (std::size_t i = 0; i < form_.scan_outputs; ++i) write(form_.states + i, outputs_[i]);
    }

private:
    const Tensor& scanned(std::size_t i) const { return context_.input(1 + form_.states + i); }

    std::vector<std::int64_t> entry_lengths() const {
        const Tensor* given = context_.optional_input(0);
        if (!given) return std::vector<std::int64_t>(static_cast<std::size_t>(batch_), steps_);
        if (given->shape() != Shape{batch_})
            context_.fail("sequence_lens " + describe(*given) + " should have shape " +
                          to_string(Shape{batch_}));
        return to_int64s(*given);
    }

    /// All iterations of one batch entry; keeps its final states and scan outputs.
    void run_entry(std::int64_t entry, std::int64_t length) {
        if (length < 0 || length > steps_)
            context_.fail("sequence length " + std::to_string(length) + " is not in [0, " +
                          std::to_string(steps_) + "]");
        std::vector<RuntimeValue> values(form_.states + form_.scan_inputs);
        for (std::size_t i = 0; i < form_.states; ++i)
            values[i] = take_slice(context_, context_.input(1 + i), 0, entry);
        std::vector<IterationOutput> collected;
        for (std::size_t i = 0; i < form_.scan_outputs; ++i)
            collected.emplace_back(*form_.body, form_.states + i, length);
        for (std::int64_t step = 0; step < length; ++step) {
            for (std::size_t i = 0; i < form_.scan_inputs; ++i) {
                const std::int64_t at = directions_[i] == 0 ? step : length - 1 - step;
                values[form_.states + i] =
                    take_slice(context_, take_slice(context_, scanned(i), 0, entry), 0, at);
            }
            std::vector<RuntimeValue> results = run_body(context_, form_, values);
            for (std::size_t i = 0; i < form_.scan_outputs; ++i)
                collected[i].add(context_, results[form_.states + i]);
            for (std::size_t i = 0; i < form_.states; ++i) values[i] = std::move(results[i]);
        }
        for (std::size_t i = 0; i < form_.states; ++i)
            finals_[i].push_back(context_.keep(values[i]).tensor());
        for (std::size_t i = 0; i < form_.scan_outputs; ++i)
            outputs_[i].push_back(filled_up(collected[i]));
    }

    /// The collected iterations as one tensor of `steps_` rows; rows beyond the length are zero.
    Tensor filled_up(IterationOutput& collected) {
        std::vector<Tensor> parts = collected.parts();
        Shape shape = collected.shape();
        while (static_cast<std::int64_t>(parts.size()) < steps_)
            parts.push_back(zeros(context_, collected.dtype(), shape));
        shape.insert(shape.begin(), steps_);
        Tensor row = context_.scratch(collected.dtype(), std::move(shape));
        join_into(context_, parts, 0, row);
        return row;
    }

    void write(std::size_t index, const std::vector<Tensor>& parts) {
        if (!context_.wants_output(index)) return;
        if (parts.empty())
            context_.fail("an empty batch gives output " + std::to_string(index) + " no shape");
        Shape shape = parts.front().shape();
        for (const Tensor& part : parts) {
            if (part.shape() != shape || part.dtype() != parts.front().dtype()) {
                context_.fail("output " + std::to_string(index) + " is " + describe(part) +
                              " for one batch entry and " + describe(parts.front()) +
                              " for another");
            }
        }
        shape.insert(shape.begin(), batch_);
        join_into(context_, parts, 0,
                  context_.output(index, parts.front().dtype(), std::move(shape)));
    }

    KernelContext& context_;
    const ScanForm& form_;
    const std::vector<std::int64_t> directions_;
    std::vector<std::vector<Tensor>> finals_, outputs_;  // of each batch entry
    std::int64_t batch_ = 0, steps_ = 0;
};

}  // namespace

void scan(KernelContext& context) {
    if (context.version() >= 9) scan_sequence(context, form_of(context, 0));
    else if (context.input_count() == 0) context.fail("the inputs are missing");
    else {
        const ScanForm form = form_of(context, 1);
        BatchScan(context, form).run();
    }
}

}  // namespace lapidary::reference
