// SPDX-License-Identifier: Apache-2.0
#include "generation/rows_first.h"

#include <algorithm>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/ops/infer.h>

#include "graph/copy_model.h"

namespace lapidary {
namespace {

const std::vector<std::int64_t> heads_and_rows{0, 2, 1, 3};  // a Transpose that swaps them

bool is_swap(const Node& node) {
    return node.domain.empty() && node.op_type == "Transpose" &&
           node.ints_attribute("perm") == heads_and_rows;
}

Attribute ints(std::string name, std::vector<std::int64_t> values) {
    return {std::move(name), std::move(values), {}, {}};
}

class Rewriting {
public:
    explicit Rewriting(Model& model) : graph_(model.graph), edit_(model.graph, "rows_first") {
        edit_.set_default_version(model.opset());
    }

    void change(const DecoderCache& cache) {
        const ValueId past = graph_.find_value(cache.input),
                      present = graph_.find_value(cache.output);
        const Node concat = graph_.node(graph_.value(present).producer);
        const ValueId fresh = swapped(concat.inputs[1]);
        swap_type(past);
        swap_type(present);
        edit_.set_input(concat.id, 1, fresh);
        edit_.set_attribute(concat.id, {"axis", std::int64_t{1}, {}, {}});
        redirect_readers(present);
        edit_.record("rows of " + quote(cache.output) + " come first");
    }

    void finish() { edit_.finish(); }

private:
    /// The value with heads and rows swapped: what it was swapped from, or a Transpose of it.
    ValueId swapped(ValueId value) {
        const Value& v = graph_.value(value);
        if (v.kind == ValueKind::node_output && is_swap(graph_.node(v.producer)))
            return graph_.node(v.producer).inputs[0];
        return edit_.node("Transpose", {value}, {ints("perm", heads_and_rows)});
    }

    void swap_type(ValueId value) {
        Type type = graph_.value(value).type;
        std::swap((*type.shape)[1], (*type.shape)[2]);
        edit_.set_type(value, std::move(type));
    }

    /// Nodes that read the present get it as it was; those that ask for its shape alone get that
    /// without a Transpose, which attention could not take in if they read it too.
    void redirect_readers(ValueId present) {
        const std::vector<Use> uses = graph_.value(present).uses;
        ValueId view;
        for (const Use& use : uses) {
            const Node reader = graph_.node(use.node);
            if (reader.op_type == "Shape" && reader.domain.empty() && reader.attributes.empty()) {
                redirect_shape(reader, present);
                continue;
            }
            if (!view) view = edit_.node("Transpose", {present}, {ints("perm", heads_and_rows)});
            edit_.set_input(use.node, use.input, view);
        }
    }

    void redirect_shape(const Node& reader, ValueId present) {
        const ValueId order = edit_.add_initializer(edit_.fresh_name("order"),
                                                    Tensor::of<std::int64_t>({4}, heads_and_rows));
        const ValueId sizes = edit_.node("Shape", {present});
        const ValueId in_order = edit_.node("Gather", {sizes, order});
        edit_.replace_uses(reader.outputs[0], in_order);
        edit_.erase(reader.id);
    }

    Graph& graph_;
    GraphEdit edit_;
};

}  // namespace

std::string reason_against_rows_first(const Graph& graph, const DecoderCache& cache) {
    const Value &past = graph.value(graph.find_value(cache.input)),
                &present = graph.value(graph.find_value(cache.output));
    const std::string name = "cache " + quote(cache.output);
    if (present.kind != ValueKind::node_output) return name + " is no result of a node";
    const Node& node = graph.node(present.producer);
    const std::string grows = name + " is made longer by " + node.describe();
    if (!node.domain.empty() || node.op_type != "Concat" || node.inputs.size() != 2) return grows;
    if (node.inputs[0] != past.id)
        return grows + ", which does not begin with " + quote(cache.input);
    if (!past.read_once()) return "cache " + quote(cache.input) + " has several readers";
    const std::int64_t axis = node.int_attribute("axis", 1);
    if (cache.shape.size() != 4 || cache.axis != 2 || (axis != 2 && axis != -2))
        return grows + ", whose rows are not axis 2 of 4";
    if (!present.captured_by.empty() || present.output_uses != 1)
        return name + " is also read in a subgraph";
    if (!present.type.shape || present.type.shape->size() != 4) return name + " has no known rank";
    return {};
}

Model with_rows_first(const Model& model, std::vector<DecoderCache>& caches,
                      const CancelToken& cancel) {
    Model changed = copy_model(model, cancel);
    Rewriting rewriting(changed);
    for (DecoderCache& cache : caches) {
        if (!cache.is_continued) continue;
        rewriting.change(cache);
        std::swap(cache.shape[1], cache.shape[2]);
        cache.axis = 1;
    }
    rewriting.finish();
    infer_types(changed);
    return changed;
}

}  // namespace lapidary
