// SPDX-License-Identifier: Apache-2.0
#include "worker/protocol/bytes/graph_bytes.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>

#include "worker/protocol/bytes/described_bytes.h"
#include "worker/protocol/bytes/value_bytes.h"

namespace lapidary::app {
namespace {

/// Of a slot of nodes or values.
enum class Slot : std::uint8_t { erased, as_base, sent };

// how many nodes or values are read between looks whether it was cancelled
constexpr std::uint32_t cancel_glance = 256;

template <typename Ids>
std::vector<std::uint32_t> indices_of(const Ids& ids) {
    std::vector<std::uint32_t> indices;
    indices.reserve(ids.size());
    for (const auto id : ids) indices.push_back(id.index);
    return indices;
}

template <typename Id>
std::vector<Id> read_ids(ByteReader& in) {
    std::vector<Id> ids;
    for (const std::uint32_t index : in.plain<std::uint32_t>()) ids.emplace_back(index);
    return ids;
}

// ---- what is the same in both graphs

bool same(const Tensor& a, const Tensor& b) {
    return a.dtype() == b.dtype() && a.shape() == b.shape() && a.identity() == b.identity() &&
           (a.identity() != nullptr || a.byte_size() == 0);
}

bool same(const SparseTensor& a, const SparseTensor& b) {
    return a.name == b.name && a.shape == b.shape && same(a.values, b.values) &&
           same(a.indices, b.indices);
}

bool same(const Type& a, const Type& b) { return a == b && a.denotation == b.denotation; }

bool same(const AttributeReference& a, const AttributeReference& b) {
    return a.name == b.name && a.onnx_type == b.onnx_type;
}

/// What holds nothing that has to be looked into is the same where it is equal. Graphs are where
/// they are one.
template <typename T>
requires(std::equality_comparable<T>) bool same(const T& a, const T& b) { return a == b; }

template <typename T>
requires(!std::equality_comparable<T>) bool same(const std::vector<T>& a, const std::vector<T>& b) {
    return std::ranges::equal(a, b, [](const T& x, const T& y) { return same(x, y); });
}

bool same(const Attribute& a, const Attribute& b) {
    return a.name == b.name && a.doc == b.doc && a.preserved == b.preserved &&
           a.value.index() == b.value.index() &&
           std::visit(
               [&](const auto& value) {
                   return same(value, std::get<std::remove_cvref_t<decltype(value)>>(b.value));
               },
               a.value);
}

bool same(const Node& a, const Node& b) {
    return a.name == b.name && a.domain == b.domain && a.op_type == b.op_type &&
           a.overload == b.overload && a.doc == b.doc && a.version == b.version &&
           a.inputs == b.inputs && a.outputs == b.outputs && a.origins == b.origins &&
           a.metadata == b.metadata && a.preserved == b.preserved &&
           std::ranges::equal(a.attributes, b.attributes,
                              [](const Attribute& x, const Attribute& y) { return same(x, y); });
}

/// Values keep their constant for life: one that was given up is that of the same value in the
/// graph it came from.
bool same_constant(const Tensor& a, const Tensor& base) {
    const bool is_given_up = a.byte_size() > 0 && a.identity() == nullptr;
    return same(a, base) || (is_given_up && a.dtype() == base.dtype() && a.shape() == base.shape());
}

/// But for its readers and writer, which nodes tell.
bool same(const Value& a, const Value& b) {
    return a.name == b.name && a.kind == b.kind && a.outer == b.outer && same(a.type, b.type) &&
           a.constant.has_value() == b.constant.has_value() &&
           (!a.constant || same_constant(*a.constant, *b.constant)) && a.sparse == b.sparse &&
           a.declared == b.declared && a.doc == b.doc && a.metadata == b.metadata &&
           a.preserved == b.preserved;
}

// ---- values

void write_value(ByteWriter& out, const Value& value, const WeightWriter& weights) {
    out.number(value.kind);
    out.text(value.name);
    write_type(out, value.type);
    out.number(value.outer.index);
    out.number(std::uint8_t(value.declared));
    out.text(value.doc);
    write_pairs(out, value.metadata);
    out.text(value.preserved);
    out.number(std::uint8_t(value.constant.has_value()));
    if (value.constant) weights.write(out, *value.constant);
    out.number(std::uint8_t(value.sparse != nullptr));
    if (!value.sparse) return;
    out.text(value.sparse->name);
    weights.write(out, value.sparse->values);
    weights.write(out, value.sparse->indices);
    out.plain(std::vector<std::int64_t>(value.sparse->shape));
}

Value read_value(ByteReader& in, WeightReader& weights) {
    Value value;
    value.kind = in.number<ValueKind>();
    value.name = in.text();
    value.type = read_type(in);
    value.outer = ValueId(in.number<std::uint32_t>());
    value.declared = in.number<std::uint8_t>() != 0;
    value.doc = in.text();
    value.metadata = read_pairs(in);
    value.preserved = in.text();
    if (in.number<std::uint8_t>() != 0) value.constant = weights.read(in);
    if (in.number<std::uint8_t>() == 0) return value;
    auto sparse = std::make_shared<SparseTensor>();
    sparse->name = in.text();
    sparse->values = weights.read(in);
    sparse->indices = weights.read(in);
    const auto shape = in.plain<std::int64_t>();
    sparse->shape = Shape(shape.begin(), shape.end());
    value.sparse = std::move(sparse);
    return value;
}

/// Takes the next slot. `value` is what it holds, without readers and writer.
void add_value(GraphEdit& edit, Value value) {
    ValueId id;
    switch (value.kind) {
    case ValueKind::input: id = edit.add_input(value.name, value.type); break;
    case ValueKind::initializer:
        if (!value.constant) ByteReader::broken();
        id = edit.add_initializer(value.name, *value.constant);
        edit.set_type(id, value.type);
        break;
    case ValueKind::captured: id = edit.add_captured(value.name, value.outer, value.type); break;
    case ValueKind::node_output:
    case ValueKind::undefined: id = edit.add_value(value.name, value.type); break;
    }
    if (!id || edit.graph().value(id).name != value.name) ByteReader::broken();
    if (value.kind == ValueKind::input && value.constant)
        edit.set_constant(id, std::move(*value.constant));
    if (value.sparse) edit.set_sparse(id, std::move(value.sparse));
    edit.set_declared(id, value.declared);
    if (!value.doc.empty()) edit.set_doc(id, std::move(value.doc));
    if (!value.metadata.empty()) edit.set_metadata(id, std::move(value.metadata));
    if (!value.preserved.empty()) edit.set_preserved(id, std::move(value.preserved));
}

/// Reads all of them in turn. Slots of erased ones are taken for a moment, by values of names that
/// no file has.
void read_values(ByteReader& in, GraphEdit& edit, const Graph* base, WeightReader& weights,
                 const CancelToken& cancel) {
    std::vector<ValueId> erased;
    const auto slots = static_cast<std::uint32_t>(in.count());
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
        if (slot % cancel_glance == 0) cancel.throw_if_cancelled();
        const ValueId id(slot);
        switch (in.number<Slot>()) {
        case Slot::erased:
            erased.push_back(edit.add_value("\x01 erased " + std::to_string(slot)));
            break;
        case Slot::as_base: {
            if (!base || !base->is_alive(id)) ByteReader::broken();
            Value value = base->value(id);
            value.uses.clear();
            add_value(edit, std::move(value));
            break;
        }
        case Slot::sent: add_value(edit, read_value(in, weights)); break;
        default: ByteReader::broken();
        }
    }
    for (const ValueId id : erased) edit.erase_value(id);
}

// ---- nodes

void write_node(ByteWriter& out, const Node& node, const std::vector<Attribute>& base,
                const WeightWriter& weights) {
    for (const std::string* text :
         {&node.name, &node.domain, &node.op_type, &node.overload, &node.doc, &node.preserved})
        out.text(*text);
    out.number(node.version);
    out.plain(indices_of(node.inputs));
    out.plain(indices_of(node.outputs));
    out.plain(indices_of(node.origins));
    write_pairs(out, node.metadata);
    write_attributes(out, node.attributes, base, weights);
}

/// Takes the next slot.
void add_node(GraphEdit& edit, NodeSpec spec, const std::vector<NodeId>& origins) {
    const Graph& graph = edit.graph();
    for (const auto* values : {&spec.inputs, &spec.outputs})
        for (const ValueId value : *values)
            if (value && !graph.is_alive(value)) ByteReader::broken();
    edit.set_origins(edit.add_node(std::move(spec)), origins);
}

void read_node(ByteReader& in, GraphEdit& edit, const std::vector<Attribute>& base,
               WeightReader& weights, const CancelToken& cancel) {
    NodeSpec spec;
    for (std::string* text :
         {&spec.name, &spec.domain, &spec.op_type, &spec.overload, &spec.doc, &spec.preserved})
        *text = in.text();
    spec.version = in.number<std::int64_t>();
    spec.inputs = read_ids<ValueId>(in);
    spec.outputs = read_ids<ValueId>(in);
    const std::vector<NodeId> origins = read_ids<NodeId>(in);
    spec.metadata = read_pairs(in);
    spec.attributes = read_attributes(in, base, weights, cancel);
    add_node(edit, std::move(spec), origins);
}

void copy_node(const Node& node, GraphEdit& edit) {
    NodeSpec spec{node.op_type, node.inputs,   node.outputs,  node.attributes,
                  node.name,    node.domain,   node.version,  node.overload,
                  node.doc,     node.metadata, node.preserved};
    add_node(edit, std::move(spec), node.origins);
}

const std::vector<Attribute>& attributes_in(const Graph* base, NodeId id) {
    static const std::vector<Attribute> none;
    return base && base->is_alive(id) ? base->node(id).attributes : none;
}

void read_nodes(ByteReader& in, GraphEdit& edit, const Graph* base, WeightReader& weights,
                const CancelToken& cancel) {
    std::vector<NodeId> erased;
    const auto slots = static_cast<std::uint32_t>(in.count());
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
        if (slot % cancel_glance == 0) cancel.throw_if_cancelled();
        const NodeId id(slot);
        switch (in.number<Slot>()) {
        case Slot::erased: erased.push_back(edit.add_node({})); break;
        case Slot::as_base:
            if (!base || !base->is_alive(id)) ByteReader::broken();
            copy_node(base->node(id), edit);
            break;
        case Slot::sent: read_node(in, edit, attributes_in(base, id), weights, cancel); break;
        default: ByteReader::broken();
        }
    }
    for (const NodeId id : erased) edit.erase(id);
}

template <typename Id, typename Item, typename Write>
void write_slots(ByteWriter& out, std::size_t slots, const Graph& graph, const Graph* base,
                 const Item& item, const Write& write) {
    out.number(std::uint64_t(slots));
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
        const Id id(slot);
        if (!graph.is_alive(id)) {
            out.number(Slot::erased);
        } else if (base && base->is_alive(id) && same(item(graph, id), item(*base, id))) {
            out.number(Slot::as_base);
        } else {
            out.number(Slot::sent);
            write(item(graph, id));
        }
    }
}

}  // namespace

void write_graph(ByteWriter& out, const Graph& graph, const Graph* base,
                 const WeightWriter& weights) {
    out.text(graph.name());
    out.text(graph.doc());
    write_pairs(out, graph.metadata());
    out.text(graph.preserved());
    BytesWriter{out}(graph.quantization_annotations());
    write_slots<ValueId>(
        out, graph.value_slots(), graph, base,
        [](const Graph& of, ValueId id) -> const Value& { return of.value(id); },
        [&](const Value& value) { write_value(out, value, weights); });
    write_slots<NodeId>(
        out, graph.node_slots(), graph, base,
        [](const Graph& of, NodeId id) -> const Node& { return of.node(id); },
        [&](const Node& node) { write_node(out, node, attributes_in(base, node.id), weights); });
    out.plain(indices_of(graph.nodes()));
    out.plain(indices_of(graph.outputs()));
}

Graph read_graph(ByteReader& in, const Graph* base, WeightReader& weights,
                 const CancelToken& cancel) {
    Graph graph;
    GraphEdit edit(graph);
    edit.set_name(in.text());
    edit.set_doc(in.text());
    edit.set_metadata(read_pairs(in));
    edit.set_preserved(in.text());
    std::vector<std::pair<std::string, StringPairs>> annotations;
    BytesReader{in}(annotations);
    edit.set_quantization_annotations(std::move(annotations));
    read_values(in, edit, base, weights, cancel);
    read_nodes(in, edit, base, weights, cancel);
    const std::vector<NodeId> order = read_ids<NodeId>(in);
    const std::vector<ValueId> outputs = read_ids<ValueId>(in);
    if (!std::ranges::all_of(order, [&](NodeId id) { return graph.is_alive(id); }) ||
        !std::ranges::all_of(outputs, [&](ValueId id) { return graph.is_alive(id); }))
        ByteReader::broken();
    edit.set_outputs(outputs);
    edit.put_first(order);
    edit.finish();
    return graph;
}

}  // namespace lapidary::app
