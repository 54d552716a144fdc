// SPDX-License-Identifier: Apache-2.0
#include <lapidary/graph/graph_edit.h>

#include <algorithm>
#include <span>
#include <type_traits>
#include <unordered_set>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/base/progress.h>

#include "graph/traversal.h"

namespace lapidary {
namespace {

[[noreturn]] void misuse(const std::string& message) {
    fail(ErrorCode::internal, "graph edit: " + message);
}

// Values of the enclosing graph that the graphs in the node's attributes read.
std::vector<ValueId> captures_of(const Node& node) {
    std::vector<ValueId> out;
    std::unordered_set<ValueId> seen;
    const auto collect = [&](const GraphPtr& graph) {
        if (!graph) return;
        for (ValueId id : graph->values())
            if (const Value& v = graph->value(id);
                v.kind == ValueKind::captured && seen.insert(v.outer).second)
                out.push_back(v.outer);
    };
    for (const Attribute& a : node.attributes) {
        if (const auto* one = std::get_if<GraphPtr>(&a.value)) collect(*one);
        if (const auto* many = std::get_if<std::vector<GraphPtr>>(&a.value))
            std::ranges::for_each(*many, collect);
    }
    return out;
}

/// Erases the entry, of which there is at most one, from a list that is mostly in ascending order
/// or short.
template <typename Entry>
void erase_entry(std::vector<Entry>& list, const Entry& entry) {
    const auto before = [](const Entry& a, const Entry& b) {
        if constexpr (std::is_same_v<Entry, Use>)
            return std::pair(a.node, a.input) < std::pair(b.node, b.input);
        else return a < b;
    };
    auto at = std::lower_bound(list.begin(), list.end(), entry, before);
    if (at == list.end() || *at != entry) at = std::ranges::find(list, entry);
    if (at != list.end()) list.erase(at);
}

template <typename List>
void append_all(List& to, const List& from, const CancelToken& cancel) {
    std::size_t count = 0;
    for (const auto& item : from) {
        if (count++ % 256 == 0) cancel.throw_if_cancelled();
        to.push_back(item);
    }
}

bool has_graphs(const Node& node) {
    return std::ranges::any_of(node.attributes, [](const Attribute& a) {
        return std::holds_alternative<GraphPtr>(a.value) ||
               std::holds_alternative<std::vector<GraphPtr>>(a.value);
    });
}

}  // namespace

GraphEdit::GraphEdit(Graph& graph, std::string pass) : graph_(graph), pass_(std::move(pass)) {}

GraphEdit::~GraphEdit() { drop_erased(); }

Graph GraphEdit::copy_of(const Graph& graph, const CancelToken& cancel) {
    // Names every member, so that a new member does not compile until it is copied here, too.
    const auto& [name, doc, nodes, values, order, inputs, outputs, names, history, metadata,
                 preserved, annotations] = graph;
    Graph copy;
    copy.name_ = name;
    copy.doc_ = doc;
    append_all(copy.nodes_, nodes, cancel);
    append_all(copy.values_, values, cancel);
    copy.order_ = order;
    copy.inputs_ = inputs;
    copy.outputs_ = outputs;
    cancel.throw_if_cancelled();
    // copied as a whole, which keeps the memory order of the entries
    copy.names_ = names;
    append_all(copy.history_, history, cancel);
    copy.metadata_ = metadata;
    copy.preserved_ = preserved;
    copy.quantization_annotations_ = annotations;
    return copy;
}

void GraphEdit::drop_erased() {
    if (erased_) std::erase_if(graph_.order_, [&](NodeId id) { return !graph_.is_alive(id); });
    erased_ = false;
}

Node& GraphEdit::mutable_node(NodeId id) {
    unrecorded_ = true;
    return described_node(id);
}

/// The node, for changes that do not count as edits of structure.
Node& GraphEdit::described_node(NodeId id) {
    if (!graph_.is_alive(id)) misuse("node #" + std::to_string(id.index) + " does not exist");
    return graph_.nodes_[id.index];
}

Value& GraphEdit::mutable_value(ValueId id) {
    unrecorded_ = true;
    return described_value(id);
}

/// The value, for changes that do not count as edits of structure.
Value& GraphEdit::described_value(ValueId id) {
    if (!graph_.is_alive(id)) misuse("value #" + std::to_string(id.index) + " does not exist");
    return graph_.values_[id.index];
}

std::string GraphEdit::fresh_name(std::string_view base) const {
    std::string name(base.empty() ? "value" : base);
    if (!graph_.names_.contains(name)) return name;
    // Finds a free number that follows a taken one. Numbers are given consecutively, so a hundred
    // thousand taken ones need not be tried in turn.
    const auto is_taken = [&](std::size_t number) {
        return graph_.names_.contains(name + "_" + std::to_string(number));
    };
    std::size_t taken = 0, free = 1;
    while (is_taken(free)) {
        taken = free;
        free *= 2;
    }
    while (free - taken > 1) {
        const std::size_t middle = taken + (free - taken) / 2;
        (is_taken(middle) ? taken : free) = middle;
    }
    return name + "_" + std::to_string(free);
}

ValueId GraphEdit::new_value(std::string name, Type type, ValueKind kind) {
    if (name.empty() || graph_.names_.contains(name)) {
        if (kind != ValueKind::undefined && !name.empty())
            misuse("value name " + quote(name) + " is taken");
        // Numbered from the slot count, so that a long series of fresh names does not search
        // quadratically.
        if (name.empty()) name = "value_" + std::to_string(graph_.values_.size());
        name = fresh_name(name);
    }
    unrecorded_ = true;
    const ValueId id(static_cast<std::uint32_t>(graph_.values_.size()));
    graph_.names_.emplace(name, id);
    Value& v = graph_.values_.emplace_back();
    v.id = id;
    v.name = std::move(name);
    v.type = std::move(type);
    v.kind = kind;
    return id;
}

ValueId GraphEdit::add_input(std::string name, Type type) {
    const ValueId id = new_value(std::move(name), std::move(type), ValueKind::input);
    graph_.inputs_.push_back(id);
    return id;
}

ValueId GraphEdit::add_initializer(std::string name, Tensor tensor) {
    SymbolicShape shape(tensor.shape().begin(), tensor.shape().end());
    const DType dtype = tensor.dtype();
    const ValueId id =
        new_value(fresh_name(name), Type::tensor(dtype, std::move(shape)), ValueKind::initializer);
    mutable_value(id).constant = std::move(tensor);
    return id;
}

ValueId GraphEdit::add_value(std::string name, Type type) {
    return new_value(std::move(name), std::move(type), ValueKind::undefined);
}

ValueId GraphEdit::add_captured(std::string name, ValueId outer, Type type) {
    const ValueId id = new_value(std::move(name), std::move(type), ValueKind::captured);
    mutable_value(id).outer = outer;
    return id;
}

void GraphEdit::add_output(ValueId value) {
    ++mutable_value(value).output_uses;
    graph_.outputs_.push_back(value);
}

void GraphEdit::set_outputs(std::vector<ValueId> values) {
    for (ValueId v : graph_.outputs_) --mutable_value(v).output_uses;
    graph_.outputs_.clear();
    for (ValueId v : values) add_output(v);
}

void GraphEdit::remove_input(ValueId value) {
    if (!mutable_value(value).is_unused())
        misuse("input " + quote(mutable_value(value).name) + " is still read");
    std::erase(graph_.inputs_, value);
    graph_.names_.erase(mutable_value(value).name);
    mutable_value(value) = Value{};
}

void GraphEdit::set_type(ValueId value, Type type) {
    described_value(value).type = std::move(type);
}

void GraphEdit::set_constant(ValueId value, Tensor tensor) {
    Value& v = mutable_value(value);
    if (v.kind != ValueKind::initializer && v.kind != ValueKind::input)
        misuse("value " + quote(v.name) + " holds no constant");
    if (v.kind == ValueKind::initializer)
        v.type = Type::tensor(tensor.dtype(),
                              SymbolicShape(tensor.shape().begin(), tensor.shape().end()));
    v.constant = std::move(tensor);
    v.sparse = nullptr;
}

void GraphEdit::rename(ValueId value, std::string name) {
    Value& v = mutable_value(value);
    if (v.name == name) return;
    if (graph_.names_.contains(name)) misuse("value name " + quote(name) + " is taken");
    graph_.names_.erase(v.name);
    graph_.names_.emplace(name, value);
    pending_.renamed.emplace_back(v.name, name);
    v.name = std::move(name);
}

void GraphEdit::set_declared(ValueId value, bool declared) {
    described_value(value).declared = declared;
}
void GraphEdit::set_doc(ValueId value, std::string doc) {
    described_value(value).doc = std::move(doc);
}
void GraphEdit::set_metadata(ValueId value, StringPairs metadata) {
    described_value(value).metadata = std::move(metadata);
}
void GraphEdit::set_preserved(ValueId value, std::string bytes) {
    described_value(value).preserved = std::move(bytes);
}

void GraphEdit::set_sparse(ValueId value, std::shared_ptr<const SparseTensor> sparse) {
    Value& v = described_value(value);
    if (!v.constant) misuse("value " + quote(v.name) + " holds no constant");
    v.sparse = std::move(sparse);
}

void GraphEdit::set_outer(ValueId captured, ValueId outer) {
    Value& v = mutable_value(captured);
    if (v.kind != ValueKind::captured) misuse("value " + quote(v.name) + " is not captured");
    v.outer = outer;
}

void GraphEdit::drop_constant_data(ValueId value) {
    Value& v = described_value(value);
    if (!v.constant) misuse("value " + quote(v.name) + " holds no constant");
    v.constant = Tensor::borrow(v.constant->dtype(), v.constant->shape(), nullptr, nullptr);
}

void GraphEdit::drop_use(ValueId value, NodeId node, std::uint32_t input) {
    erase_entry(mutable_value(value).uses, Use{node, input});
}

void GraphEdit::refresh_captures(NodeId node) {
    Node& n = mutable_node(node);
    std::vector<ValueId> captures = captures_of(n);
    if (captures == n.captures) return;
    for (ValueId v : n.captures) erase_entry(mutable_value(v).captured_by, node);
    n.captures = std::move(captures);
    for (ValueId v : n.captures) mutable_value(v).captured_by.push_back(node);
}

void GraphEdit::put_first(const std::vector<NodeId>& nodes) {
    std::vector<std::uint8_t> is_moved(graph_.node_slots(), 0);
    for (NodeId id : nodes) is_moved[mutable_node(id).id.index] = 1;
    std::vector<NodeId> order = nodes;
    std::ranges::copy_if(graph_.order_, std::back_inserter(order),
                         [&](NodeId id) { return is_moved[id.index] == 0; });
    graph_.order_ = std::move(order);
    order_dirty_ = true;
}

NodeId GraphEdit::add_node(NodeSpec spec) {
    const NodeId id(static_cast<std::uint32_t>(graph_.nodes_.size()));
    Node& n = graph_.nodes_.emplace_back();
    n.id = id;
    n.name = std::move(spec.name);
    n.domain = std::move(spec.domain);
    n.op_type = std::move(spec.op_type);
    n.overload = std::move(spec.overload);
    n.doc = std::move(spec.doc);
    n.version = spec.version == 0 && n.domain.empty() ? default_version_ : spec.version;
    n.attributes = std::move(spec.attributes);
    n.metadata = std::move(spec.metadata);
    n.preserved = std::move(spec.preserved);
    n.origins = {id};
    graph_.order_.push_back(id);
    pending_.added.push_back(id);
    order_dirty_ = true;
    for (std::size_t i = 0; i < spec.inputs.size(); ++i) {
        if (spec.inputs[i])
            mutable_value(spec.inputs[i]).uses.push_back({id, static_cast<std::uint32_t>(i)});
    }
    mutable_node(id).inputs = std::move(spec.inputs);
    for (std::size_t i = 0; i < spec.outputs.size(); ++i) set_output(id, i, spec.outputs[i]);
    if (has_graphs(mutable_node(id))) refresh_captures(id);
    return id;
}

ValueId GraphEdit::node(std::string op_type, std::vector<ValueId> inputs,
                        std::vector<Attribute> attributes, std::string name,
                        std::string output_name) {
    if (output_name.empty() && !name.empty()) output_name = name + "_output_0";
    const ValueId out = add_value(output_name);
    NodeSpec spec;
    spec.op_type = std::move(op_type);
    spec.inputs = std::move(inputs);
    spec.outputs = {out};
    spec.attributes = std::move(attributes);
    spec.name = std::move(name);
    add_node(std::move(spec));
    return out;
}

void GraphEdit::set_input(NodeId node, std::size_t index, ValueId value) {
    Node& n = mutable_node(node);
    if (index >= n.inputs.size()) n.inputs.resize(index + 1);
    note_change(node);
    const auto slot = static_cast<std::uint32_t>(index);
    if (n.inputs[index]) drop_use(n.inputs[index], node, slot);
    n.inputs[index] = value;
    if (value) mutable_value(value).uses.push_back({node, slot});
    order_dirty_ = true;
}

void GraphEdit::set_output(NodeId node, std::size_t index, ValueId value) {
    Node& n = mutable_node(node);
    if (index >= n.outputs.size()) n.outputs.resize(index + 1);
    note_change(node);
    if (n.outputs[index]) {
        Value& old = mutable_value(n.outputs[index]);
        old.kind = ValueKind::undefined;
        old.producer = NodeId{};
    }
    n.outputs[index] = value;
    if (!value) return;
    Value& v = mutable_value(value);
    if (v.kind != ValueKind::undefined)
        misuse("value " + quote(v.name) + " written by " + n.describe() + " already has a source");
    v.kind = ValueKind::node_output;
    v.producer = node;
    v.producer_output = static_cast<std::uint32_t>(index);
    order_dirty_ = true;
}

void GraphEdit::set_attribute(NodeId node, Attribute attribute) {
    Node& n = mutable_node(node);
    note_change(node);
    const auto it = std::ranges::find(n.attributes, attribute.name, &Attribute::name);
    if (it == n.attributes.end()) n.attributes.push_back(std::move(attribute));
    else *it = std::move(attribute);
    if (has_graphs(n) || !n.captures.empty()) refresh_captures(node);
}

void GraphEdit::remove_attribute(NodeId node, std::string_view name) {
    Node& n = mutable_node(node);
    note_change(node);
    std::erase_if(n.attributes, [&](const Attribute& a) { return a.name == name; });
    if (!n.captures.empty()) refresh_captures(node);
}

void GraphEdit::set_operator(NodeId node, std::string domain, std::string op_type,
                             std::int64_t version) {
    Node& n = mutable_node(node);
    note_change(node);
    n.domain = std::move(domain);
    n.op_type = std::move(op_type);
    n.version = version;
}

void GraphEdit::rename(NodeId node, std::string name) { mutable_node(node).name = std::move(name); }

void GraphEdit::replace_uses(ValueId from, ValueId to) {
    if (from == to) return;
    Value& target = mutable_value(to);
    const std::vector<Use> uses = std::exchange(mutable_value(from).uses, {});
    for (const Use& use : uses) mutable_node(use.node).inputs[use.input] = to;
    target.uses.insert(target.uses.end(), uses.begin(), uses.end());
    if (mutable_value(from).output_uses > 0) {
        std::ranges::replace(graph_.outputs_, from, to);
        target.output_uses += std::exchange(mutable_value(from).output_uses, 0);
    }
    const std::vector<NodeId> readers = mutable_value(from).captured_by;
    for (NodeId reader : readers) {
        const auto redirect = [&](GraphPtr& graph) {
            if (!graph) return;
            auto copy = std::make_shared<Graph>(*graph);
            GraphEdit inner(*copy);
            for (ValueId id : copy->values()) {
                const Value& v = copy->value(id);
                if (v.kind != ValueKind::captured || v.outer != from) continue;
                inner.set_outer(id, to);
                if (!copy->find_value(mutable_value(to).name))
                    inner.rename(id, mutable_value(to).name);
            }
            graph = std::move(copy);
        };
        for (Attribute& a : mutable_node(reader).attributes) {
            if (auto* one = std::get_if<GraphPtr>(&a.value)) redirect(*one);
            if (auto* many = std::get_if<std::vector<GraphPtr>>(&a.value))
                std::ranges::for_each(*many, redirect);
        }
        refresh_captures(reader);
    }
    order_dirty_ = true;
}

std::vector<ValueId> GraphEdit::take_outputs(NodeId node) {
    std::vector<ValueId> outputs = mutable_node(node).outputs;
    for (std::size_t i = 0; i < outputs.size(); ++i) set_output(node, i, {});
    return outputs;
}

void GraphEdit::erase(NodeId node) {
    Node& n = mutable_node(node);
    for (ValueId out : n.outputs)
        if (out && !mutable_value(out).is_unused())
            misuse(n.describe() + ": output " + quote(mutable_value(out).name) + " is still read");
    for (std::size_t i = 0; i < n.inputs.size(); ++i)
        if (n.inputs[i]) drop_use(n.inputs[i], node, static_cast<std::uint32_t>(i));
    for (ValueId v : n.captures) erase_entry(mutable_value(v).captured_by, node);
    for (ValueId out : n.outputs) {
        if (!out) continue;
        graph_.names_.erase(mutable_value(out).name);
        mutable_value(out) = Value{};
    }
    note_removal(node, std::exchange(n.origins, {}));
    erased_ = true;
    n.id = NodeId{};
    n.inputs.clear();
    n.outputs.clear();
    n.captures.clear();
    n.attributes.clear();
}

void GraphEdit::erase_value(ValueId value) {
    Value& v = mutable_value(value);
    if (!v.is_unused()) misuse("value " + quote(v.name) + " is still read");
    if (v.kind != ValueKind::initializer && v.kind != ValueKind::captured &&
        v.kind != ValueKind::undefined)
        misuse("value " + quote(v.name) + " is neither an initializer nor captured");
    graph_.names_.erase(v.name);
    v = Value{};
}

void GraphEdit::set_name(std::string name) { graph_.name_ = std::move(name); }
void GraphEdit::set_doc(std::string doc) { graph_.doc_ = std::move(doc); }
void GraphEdit::set_metadata(StringPairs metadata) { graph_.metadata_ = std::move(metadata); }
void GraphEdit::set_preserved(std::string bytes) { graph_.preserved_ = std::move(bytes); }
void GraphEdit::set_quantization_annotations(
    std::vector<std::pair<std::string, StringPairs>> annotations) {
    graph_.quantization_annotations_ = std::move(annotations);
}

void GraphEdit::finish() {
    drop_erased();
    if (!order_dirty_) return;
    graph_.order_ = topological_order(graph_);
    order_dirty_ = false;
}

}  // namespace lapidary
