// SPDX-License-Identifier: Apache-2.0
#include "graph/lift_constants.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include <lapidary/base/limits.h>

namespace lapidary {
namespace {

bool is_constant(const Node& node) { return node.op_type == "Constant" && node.domain.empty(); }

/// Of one element where the attribute is a single one, of a row where it is a list; nothing for
/// another type.
template <typename T>
std::optional<Tensor> single(const Attribute& a) {
    const auto* value = std::get_if<T>(&a.value);
    return value ? std::optional(Tensor::scalar(*value)) : std::nullopt;
}
template <typename T>
std::optional<Tensor> list(const Attribute& a) {
    const auto* values = std::get_if<std::vector<T>>(&a.value);
    if (!values) return std::nullopt;
    return Tensor::of({static_cast<std::int64_t>(values->size())}, *values);
}

/// A few sparse bytes can stand for terabytes: large tensors stay nodes, whose kernel allocates the
/// memory.
bool is_small_as_dense(const SparseTensor& sparse) {
    return storage_bytes(sparse.values.dtype(), element_count(sparse.shape)) <= Limits{}.fold_bytes;
}

std::optional<Tensor> tensor_of(const Attribute& a) {
    if (a.name == "value")
        if (const auto* tensor = std::get_if<Tensor>(&a.value)) return *tensor;
    if (a.name == "sparse_value")
        if (const auto* sparse = std::get_if<SparseTensor>(&a.value);
            sparse && is_small_as_dense(*sparse))
            return sparse->to_dense();
    if (a.name == "value_float") return single<float>(a);
    if (a.name == "value_int") return single<std::int64_t>(a);
    if (a.name == "value_string") return single<std::string>(a);
    if (a.name == "value_floats") return list<float>(a);
    if (a.name == "value_ints") return list<std::int64_t>(a);
    if (a.name == "value_strings") return list<std::string>(a);
    return std::nullopt;
}

}  // namespace

std::optional<Tensor> constant_of(const Node& node) {
    std::optional<Tensor> tensor;
    if (!is_constant(node)) return tensor;
    for (const Attribute& a : node.attributes)
        if (auto found = tensor_of(a)) {
            if (tensor) return std::nullopt;
            tensor = std::move(found);
        }
    return tensor;
}

namespace {

/// The graph with its constants lifted, and those of all bodies below it; null where there are
/// none.
std::shared_ptr<Graph> with_lifted(const Graph& graph, const CancelToken& cancel);

void lift_within(Graph& graph, const CancelToken& cancel) {
    GraphEdit edit(graph);
    for (const NodeId id : std::vector<NodeId>(graph.nodes().begin(), graph.nodes().end())) {
        cancel.throw_if_cancelled();
        for (Attribute attribute : graph.node(id).attributes) {
            bool changed = false;
            const auto replace = [&](GraphPtr& body) {
                if (!body) return;
                if (auto lifted = with_lifted(*body, cancel)) {
                    body = std::move(lifted);
                    changed = true;
                }
            };
            if (auto* const one = std::get_if<GraphPtr>(&attribute.value)) replace(*one);
            else if (auto* const many = std::get_if<std::vector<GraphPtr>>(&attribute.value))
                std::ranges::for_each(*many, replace);
            if (changed) edit.set_attribute(id, std::move(attribute));
        }
    }
    lift_constants(graph, edit);
    edit.finish();
}

bool has_constants(const Graph& graph) {
    return std::ranges::any_of(graph.nodes(), [&](NodeId id) {
        const Node& node = graph.node(id);
        return is_constant(node) ||
               std::ranges::any_of(node.attributes, [](const Attribute& attribute) {
                   if (const auto* one = std::get_if<GraphPtr>(&attribute.value))
                       return *one && has_constants(**one);
                   const auto* many = std::get_if<std::vector<GraphPtr>>(&attribute.value);
                   return many && std::ranges::any_of(*many, [](const GraphPtr& g) {
                              return g && has_constants(*g);
                          });
               });
    });
}

std::shared_ptr<Graph> with_lifted(const Graph& graph, const CancelToken& cancel) {
    if (!has_constants(graph)) return nullptr;
    auto copy = std::make_shared<Graph>(graph);
    lift_within(*copy, cancel);
    return copy;
}

}  // namespace

void for_each_constant(const Graph& graph, const std::function<void(const Tensor&)>& visit) {
    for (const ValueId id : graph.values())
        if (const Value& value = graph.value(id); value.constant) visit(*value.constant);
    for (const NodeId id : graph.nodes())
        if (const std::optional<Tensor> held = constant_of(graph.node(id))) visit(*held);
}

std::size_t lift_constants(const Graph& graph, GraphEdit& edit) {
    std::size_t count = 0;
    for (const NodeId id : std::vector<NodeId>(graph.nodes().begin(), graph.nodes().end())) {
        if (!is_constant(graph.node(id))) continue;
        std::optional<Tensor> tensor = constant_of(graph.node(id));
        if (!tensor) continue;
        const ValueId old = edit.take_outputs(id).at(0);
        edit.erase(id);
        const std::string name = graph.value(old).name;
        const bool declared = graph.value(old).declared;
        const ValueId fixed = edit.add_initializer(name + "_constant", std::move(*tensor));
        edit.replace_uses(old, fixed);
        edit.erase_value(old);
        edit.rename(fixed, name);
        edit.set_declared(fixed, declared);
        ++count;
    }
    return count;
}

void lift_constants(Model& model, const CancelToken& cancel) {
    if (has_constants(model.graph)) lift_within(model.graph, cancel);
}

}  // namespace lapidary
