// SPDX-License-Identifier: Apache-2.0
// If, Loop and SequenceMap. (Scan: scan.cpp.)
#include "kernels/reference/control_flow/iteration_outputs.h"
#include "kernels/reference/control_flow/loop_growth.h"
#include "ops/loop_condition.h"

namespace lapidary::reference {
namespace {

bool condition_of(const Tensor& tensor, std::string_view what) {
    if (tensor.dtype() != DType::boolean || tensor.size() != 1)
        fail_input(std::string(what) + " must be one bool, found " + describe(tensor));
    return tensor.data<bool>()[0];
}

/// One element in the shape that the body declares for it: without dimensions, or [1].
template <typename T>
Tensor single_for(const Graph& body, std::size_t input, T value) {
    const Type& declared = body.value(body.inputs()[input]).type;
    Tensor scalar = Tensor::scalar(value);
    return declared.shape && declared.shape->size() == 1 ? scalar.reshaped({1}) : scalar;
}

void check_count(KernelContext& context, std::string_view what, std::size_t found,
                 std::size_t expected) {
    if (found != expected) {
        context.fail("the body has " + std::to_string(found) + " " + std::string(what) + " where " +
                     std::to_string(expected) + " are needed");
    }
}

}  // namespace

void if_else(KernelContext& context) {
    const bool condition = condition_of(context.input(0), "the condition");
    std::vector<RuntimeValue> results =
        context.run_subgraph(condition ? "then_branch" : "else_branch", {});
    if (results.size() < context.output_count())
        check_count(context, "outputs", results.size(), context.output_count());
    for (std::size_t i = 0; i < context.output_count(); ++i) {
        if (context.wants_output(i)) context.set_output(i, context.keep(results[i]));
    }
}

// The body's condition ends the loop even where the node has no condition input: the specification
// calls it ignored there, both its reference implementation and ONNX Runtime obey it.
void loop(KernelContext& context) {
    const GraphPtr body = body_of(context);
    const std::size_t states = context.input_count() > 2 ? context.input_count() - 2 : 0;
    check_count(context, "inputs", body->inputs().size(), 2 + states);
    if (body->outputs().size() < 1 + states)
        check_count(context, "outputs", body->outputs().size(), 1 + states);
    const std::size_t scans = body->outputs().size() - 1 - states;
    if (context.output_count() > states + scans)
        check_count(context, "outputs", states + scans, context.output_count());
    const std::int64_t most =
        context.has_input(0) ? single_int(context.input(0), "the trip count") : INT64_MAX;
    bool condition = context.has_input(1) ? condition_of(context.input(1), "the condition") : true;

    std::vector<RuntimeValue> values(2 + states);
    for (std::size_t i = 0; i < states; ++i) {
        if (const RuntimeValue* initial = context.input_value(2 + i)) values[2 + i] = *initial;
    }
    const bool runs_all = most > 0 && most < INT64_MAX && condition && condition_stays(*body);
    if (runs_all)
        require_room_for_growth(*body, std::span(values).subspan(2), most,
                                context.limits().tensor_bytes);
    std::vector<IterationOutput> collected;
    for (std::size_t i = 0; i < scans; ++i)
        collected.emplace_back(*body, 1 + states + i,
                               runs_all && context.wants_output(states + i) ? most : 0);
    for (std::int64_t iteration = 0; iteration < most && condition; ++iteration) {
        context.cancel().throw_if_cancelled();
        values[0] = single_for(*body, 0, iteration);
        values[1] = single_for(*body, 1, condition);
        std::vector<RuntimeValue> results = context.run_subgraph("body", values);
        check_count(context, "outputs", results.size(), 1 + states + scans);
        condition = condition_of(results[0].tensor(), "the body's condition");
        for (std::size_t i = 0; i < scans; ++i) collected[i].add(context, results[1 + states + i]);
        for (std::size_t i = 0; i < states; ++i) values[2 + i] = std::move(results[1 + i]);
    }
    for (std::size_t i = 0; i < states; ++i) {
        if (context.wants_output(i)) context.set_output(i, context.keep(values[2 + i]));
    }
    for (std::size_t i = 0; i < scans; ++i) {
        if (context.wants_output(states + i)) collected[i].write(context, states + i, 0, false);
    }
}

void sequence_map(KernelContext& context) {
    const GraphPtr body = body_of(context);
    check_count(context, "inputs", body->inputs().size(), context.input_count());
    if (body->outputs().size() < context.output_count())
        check_count(context, "outputs", body->outputs().size(), context.output_count());
    std::vector<const RuntimeValue*> inputs;
    for (std::size_t i = 0; i < context.input_count(); ++i) {
        inputs.push_back(context.input_value(i));
        if (inputs.back() == nullptr)
            context.fail("input " + std::to_string(i) + " is required but missing");
    }
    const std::size_t count = inputs.empty() ? 0 : inputs[0]->sequence().items.size();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i]->is_sequence() && inputs[i]->sequence().items.size() != count) {
            context.fail("input " + std::to_string(i) + " has " +
                         std::to_string(inputs[i]->sequence().items.size()) +
                         " items where the first sequence has " + std::to_string(count));
        }
    }
    std::vector<Sequence> outputs(body->outputs().size());
    for (std::size_t i = 0; i < outputs.size(); ++i)
        outputs[i].element_type = body->value(body->outputs()[i]).type;
    for (std::size_t item = 0; item < count; ++item) {
        context.cancel().throw_if_cancelled();
        std::vector<RuntimeValue> sample;
        for (const RuntimeValue* input : inputs)
            sample.push_back(input->is_sequence() ? input->sequence().items[item] : *input);
        std::vector<RuntimeValue> results = context.run_subgraph("body", sample);
        check_count(context, "outputs", results.size(), outputs.size());
        for (std::size_t i = 0; i < outputs.size(); ++i)
            outputs[i].items.push_back(context.keep(results[i]));
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (context.wants_output(i)) context.set_output(i, std::move(outputs[i]));
    }
}

}  // namespace lapidary::reference
