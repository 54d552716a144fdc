// SPDX-License-Identifier: Apache-2.0
#include "proof/held_in_float32.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/ops/infer.h>

#include "graph/inline_functions.h"
#include "graph/traversal.h"
#include "graph/verify.h"

namespace lapidary {
namespace {

bool is_half(DType dtype) { return dtype == DType::f16 || dtype == DType::bf16; }

Tensor widened(const Tensor& half) {
    Tensor wide(DType::f32, half.shape());
    std::ranges::transform(to_doubles(half), wide.mutable_data<float>().begin(),
                           [](double v) { return static_cast<float>(v); });
    return wide;
}

/// Attributes that name an element type, and tensors.
void widen_attributes(GraphEdit& edit, const Node& node) {
    constexpr std::array<std::string_view, 4> type_names{"to", "dtype", "stash_type",
                                                         "output_dtype"};
    for (Attribute a : std::vector<Attribute>(node.attributes)) {
        const auto* number = std::get_if<std::int64_t>(&a.value);
        const auto* tensor = std::get_if<Tensor>(&a.value);
        if (number && std::ranges::find(type_names, a.name) != type_names.end() &&
            is_known_dtype(*number) && is_half(static_cast<DType>(*number)))
            a.value = static_cast<std::int64_t>(DType::f32);
        else if (tensor && is_half(tensor->dtype())) a.value = widened(*tensor);
        else continue;
        edit.set_attribute(node.id, std::move(a));
    }
}

ValueId cast(GraphEdit& edit, ValueId value, DType to) {
    return edit.node("Cast", {value}, {{"to", static_cast<std::int64_t>(to), {}, {}}});
}

void widen(Graph& graph, std::int64_t opset) {
    GraphEdit edit(graph);
    edit.set_default_version(opset);
    std::vector<std::pair<ValueId, DType>> half_outputs;
    for (ValueId id : graph.outputs())
        if (is_half(graph.value(id).type.dtype))
            half_outputs.emplace_back(id, graph.value(id).type.dtype);
    for (NodeId id : std::vector<NodeId>(graph.nodes().begin(), graph.nodes().end())) {
        widen_attributes(edit, graph.node(id));
        for (ValueId out : std::vector<ValueId>(graph.node(id).outputs))
            if (out) edit.set_type(out, {});
    }
    for (ValueId id : graph.initializers())
        if (const Tensor& t = *graph.value(id).constant; is_half(t.dtype()))
            edit.set_constant(id, widened(t));
    for (ValueId id : std::vector<ValueId>(graph.inputs().begin(), graph.inputs().end())) {
        if (!is_half(graph.value(id).type.dtype)) continue;
        const std::vector<Use> uses = graph.value(id).uses;
        const ValueId wide = cast(edit, id, DType::f32);
        for (const Use& use : uses) edit.set_input(use.node, use.input, wide);
    }
    std::vector<ValueId> outputs(graph.outputs().begin(), graph.outputs().end());
    for (const auto& [id, dtype] : half_outputs) {
        if (graph.value(id).kind == ValueKind::input) continue;
        const std::string name = graph.value(id).name;
        const ValueId rounded = cast(edit, id, dtype);
        edit.rename(id, edit.fresh_name(name + "_held"));
        edit.rename(rounded, name);
        std::ranges::replace(outputs, id, rounded);
    }
    edit.set_outputs(outputs);
    edit.finish();
}

bool has_half_below(const Model& model) {
    bool found = false;
    for_each_graph(model, [&](const Graph& graph, const std::string&) {
        if (&graph == &model.graph) return;
        for (ValueId id : graph.values()) found = found || is_half(graph.value(id).type.dtype);
    });
    return found;
}

}  // namespace

std::optional<Model> held_in_float32(const Model& model, const Progress& progress) {
    try {
        Model held = model;
        inline_functions(held, {}, progress.cancel);
        held.functions.clear();
        infer_types(held, {}, progress);
        if (has_half_below(held)) return std::nullopt;
        widen(held.graph, held.opset());
        infer_types(held, {}, progress);
        verify(held, progress.cancel);
        return held;
    } catch (const Error& error) {
        if (error.code() == ErrorCode::cancelled) throw;
        return std::nullopt;
    }
}

double rounding_between(const RuntimeValue& held, const RuntimeValue& rounded) {
    if (!held.is_tensor() || !rounded.is_tensor() || !is_float(rounded.tensor().dtype()) ||
        held.tensor().size() != rounded.tensor().size())
        return 0;
    const std::vector<double> a = to_doubles(held.tensor()), b = to_doubles(rounded.tensor());
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (std::isfinite(a[i]) && std::isfinite(b[i]))
            most = std::max(most, std::abs(a[i] - b[i]));
    return most;
}

bool keeps_excess_precision(const Model& model) {
    bool found = false;
    for_each_graph(model.graph, [&](const Graph& graph, const std::string&) {
        found = found || std::ranges::any_of(graph.history(), [](const Rewrite& r) {
                    return r.pass == "drop_rounding_casts";
                });
    });
    return found;
}

}  // namespace lapidary
