// SPDX-License-Identifier: Apache-2.0
#include "onnx_io/write/write_graph.h"

#include <algorithm>

#include <lapidary/base/error.h>

#include "graph/traversal.h"
#include "onnx_io/preserved.h"
#include "onnx_io/read/read_attribute.h"
#include "onnx_io/write/write_type.h"

namespace lapidary::onnx_io {
namespace {

onnx::TensorProto tensor_rest(const Value& value, const std::string& name) {
    onnx::TensorProto rest;
    rest.set_name(name);
    if (value.kind != ValueKind::initializer) return rest;
    if (!value.doc.empty()) rest.set_doc_string(value.doc);
    set_pairs(value.metadata, *rest.mutable_metadata_props());
    *rest.mutable_unknown_fields() = value.preserved;
    return rest;
}

/// Fills the kinds that need no graph: everything of AttributeProto but tensors and graphs.
struct PlainValue {
    onnx::AttributeProto& out;
    void operator()(std::int64_t v) const { out.set_i(v); }
    void operator()(float v) const { out.set_f(v); }
    void operator()(const std::string& v) const { out.set_s(v); }
    void operator()(const Type& v) const { write_type(v, *out.mutable_tp()); }
    void operator()(const std::vector<std::int64_t>& v) const {
        out.mutable_ints()->Assign(v.begin(), v.end());
    }
    void operator()(const std::vector<float>& v) const {
        out.mutable_floats()->Assign(v.begin(), v.end());
    }
    void operator()(const std::vector<std::string>& v) const {
        for (const std::string& s : v) out.add_strings(s);
    }
    void operator()(const std::vector<Type>& v) const {
        for (const Type& t : v) write_type(t, *out.add_type_protos());
    }
    void operator()(const AttributeReference& v) const { out.set_ref_attr_name(v.name); }
    template <typename T>
    void operator()(const T&) const {}  // tensors and graphs: written as messages of their own
};

}  // namespace

OpsetImports imports_of(const Graph& graph, OpsetImports imports) {
    OpsetImports needed;
    for_each_graph(graph, [&](const Graph& g, const std::string&) {
        for (NodeId id : g.nodes()) {
            std::int64_t& version = needed[g.node(id).domain];
            version = std::max({version, g.node(id).version, std::int64_t{1}});
        }
    });
    imports.merge(needed);
    return imports;
}

GraphWriter::GraphWriter(const Graph& graph, const Model& model, GraphWriter* enclosing,
                         ExternalPlan* plan, const CancelToken& cancel)
    : graph_(graph), model_(model), enclosing_(enclosing),
      declares_captures_(enclosing &&
                         (enclosing->declares_captures_ ||
                          (enclosing->writing_ && !enclosing->writing_->domain.empty()))),
      plan_(plan), cancel_(cancel) {
    choose_names();
}

void GraphWriter::look() {
    if (++looks_ % 256 == 0) cancel_.throw_if_cancelled();
}

onnx::ValueInfoProto GraphWriter::declaration(ValueId id) const {
    return write_declaration(graph_.value(id), name_of(id), model_.generated_dimensions);
}

onnx::ValueInfoProto GraphWriter::output_declaration(ValueId id) const {
    onnx::ValueInfoProto out = declaration(id);
    const auto known = model_.declared_output_ranks.find(out.name());
    if (enclosing_ != nullptr || known == model_.declared_output_ranks.end() ||
        !out.type().has_tensor_type() || out.type().tensor_type().has_shape())
        return out;
    auto* shape = out.mutable_type()->mutable_tensor_type()->mutable_shape();
    for (std::size_t i = 0; i < known->second; ++i) shape->add_dim();
    return out;
}

bool GraphWriter::is_visible(const std::string& name) const {
    return visible_.contains(name) || (enclosing_ != nullptr && enclosing_->is_visible(name));
}

void GraphWriter::choose_names() {
    names_.resize(graph_.value_slots());
    if (enclosing_ == nullptr) {
        for (const ValueId id : graph_.values()) {
            look();
            names_[id.index] = graph_.value(id).name;
        }
        return;
    }
    std::set<std::string> taken;
    for (const ValueId id : graph_.values()) {
        const Value& value = graph_.value(id);
        if (value.kind == ValueKind::captured)
            taken.insert(names_[id.index] = enclosing_->name_of(value.outer));
    }
    const auto is_in_way = [&](const Value& value, const std::string& name) {
        // Files may let inputs and initializers hide outer names; only node outputs may not.
        return taken.contains(name) ||
               (value.kind == ValueKind::node_output && enclosing_->is_visible(name));
    };
    for (const ValueId id : graph_.values()) {
        const Value& value = graph_.value(id);
        if (value.kind == ValueKind::captured) continue;
        std::string name = value.name;
        for (int k = 1; is_in_way(value, name) || (k > 1 && graph_.find_value(name)); ++k)
            name = value.name + "_" + std::to_string(k);
        taken.insert(name);
        names_[id.index] = std::move(name);
    }
}

std::vector<ValueId> GraphWriter::declared_values() const {
    // Initializers by id, then what nodes write, in their order: the same again after a load of the
    // result.
    std::vector<ValueId> out;
    const auto add = [&](ValueId id) {
        if (id && graph_.value(id).declared && graph_.value(id).output_uses == 0) out.push_back(id);
    };
    for (const ValueId id : graph_.values())
        if (graph_.value(id).kind == ValueKind::initializer) add(id);
    for (const NodeId node : graph_.nodes())
        for (const ValueId id : graph_.node(node).outputs) add(id);
    // ONNX Runtime before 1.22 does not pass the types of outer values to the body of BeamSearch.
    if (declares_captures_)
        for (const ValueId id : graph_.values())
            if (graph_.value(id).kind == ValueKind::captured &&
                graph_.value(id).type.kind != Type::Kind::unknown)
                out.push_back(id);
    return out;
}

WireWriter GraphWriter::write() {
    WireWriter out;
    for (const ValueId id : graph_.values()) {
        look();
        if (const ValueKind kind = graph_.value(id).kind;
            kind == ValueKind::input || kind == ValueKind::initializer)
            visible_.insert(name_of(id));
    }
    for (const NodeId id : graph_.nodes()) {
        look();
        out.add_message(1, write_node(graph_.node(id)));
        for (const ValueId v : graph_.node(id).outputs)
            if (v) visible_.insert(name_of(v));
    }
    onnx::GraphProto head;
    head.set_name(graph_.name());
    if (!graph_.doc().empty()) head.set_doc_string(graph_.doc());
    out.add_fields(head);
    for (const ValueId id : graph_.initializers()) {
        look();
        const Value& value = graph_.value(id);
        if (value.sparse) out.add_message(15, write_sparse_tensor(*value.sparse, name_of(id)));
        else
            out.add_message(5,
                            write_tensor(*value.constant, tensor_rest(value, name_of(id)), plan_));
    }
    for (const ValueId id : graph_.inputs()) out.add_message(11, declaration(id));
    for (const ValueId id : graph_.outputs()) out.add_message(12, output_declaration(id));
    for (const ValueId id : declared_values()) {
        look();
        out.add_message(13, declaration(id));
    }
    onnx::GraphProto rest;
    for (const auto& [tensor, pairs] : graph_.quantization_annotations()) {
        auto* annotation = rest.add_quantization_annotation();
        annotation->set_tensor_name(tensor);
        set_pairs(pairs, *annotation->mutable_quant_parameter_tensor_names());
    }
    set_pairs(graph_.metadata(), *rest.mutable_metadata_props());
    *rest.mutable_unknown_fields() = graph_.preserved();
    out.add_fields(rest);
    return out;
}

WireWriter GraphWriter::write_function(const Function& function) {
    WireWriter out;
    onnx::FunctionProto head;
    head.set_name(function.name);
    for (const ValueId id : graph_.inputs()) head.add_input(name_of(id));
    for (const ValueId id : graph_.outputs()) head.add_output(name_of(id));
    for (const std::string& name : function.attributes) head.add_attribute(name);
    if (!function.doc.empty()) head.set_doc_string(function.doc);
    for (const auto& [domain, version] : imports_of(graph_, function.opset_imports)) {
        auto* import = head.add_opset_import();
        import->set_domain(domain);
        import->set_version(version);
    }
    head.set_domain(function.domain);
    if (!function.overload.empty()) head.set_overload(function.overload);
    set_pairs(function.metadata, *head.mutable_metadata_props());
    *head.mutable_unknown_fields() = function.preserved;
    out.add_fields(head);
    // A FunctionProto has no initializers: constants become nodes.
    for (const ValueId id : graph_.initializers()) {
        const Value& value = graph_.value(id);
        if (value.kind != ValueKind::initializer) continue;
        out.add_message(7, write_constant_node(value));
        visible_.insert(name_of(id));
    }
    for (const ValueId id : graph_.inputs()) visible_.insert(name_of(id));
    for (const NodeId id : graph_.nodes()) {
        look();
        out.add_message(7, write_node(graph_.node(id)));
        for (const ValueId v : graph_.node(id).outputs)
            if (v) visible_.insert(name_of(v));
    }
    for (const Attribute& a : function.attribute_defaults) out.add_message(11, write_attribute(a));
    // Declarations of a function's outputs, too, are among its value_infos.
    std::vector<ValueId> declared(graph_.inputs().begin(), graph_.inputs().end());
    for (const NodeId node : graph_.nodes())
        declared.insert(declared.end(), graph_.node(node).outputs.begin(),
                        graph_.node(node).outputs.end());
    for (const ValueId id : declared)
        if (id && graph_.value(id).declared) out.add_message(12, declaration(id));
    return out;
}

WireWriter GraphWriter::write_constant_node(const Value& value) {
    onnx::NodeProto node;
    node.add_output(name_of(value.id));
    node.set_op_type("Constant");
    WireWriter out;
    out.add_fields(node);
    Attribute attribute{"value", *value.constant, {}, {}};
    out.add_message(5, write_attribute(attribute));
    return out;
}

WireWriter GraphWriter::write_node(const Node& node) {
    writing_ = &node;
    onnx::NodeProto proto;
    for (const ValueId id : node.inputs) proto.add_input(name_of(id));
    for (const ValueId id : node.outputs) proto.add_output(name_of(id));
    if (!node.name.empty()) proto.set_name(node.name);
    proto.set_op_type(node.op_type);
    if (!node.doc.empty()) proto.set_doc_string(node.doc);
    if (!node.domain.empty()) proto.set_domain(node.domain);
    if (!node.overload.empty()) proto.set_overload(node.overload);
    set_pairs(node.metadata, *proto.mutable_metadata_props());
    *proto.mutable_unknown_fields() = node.preserved;
    WireWriter out;
    out.add_fields(proto);
    for (const Attribute& a : node.attributes) out.add_message(5, write_attribute(a));
    return out;
}

WireWriter GraphWriter::write_attribute(const Attribute& attribute) {
    onnx::AttributeProto proto;
    proto.ParsePartialFromString(attribute.preserved);
    onnx::TensorProto tensor_rest;  // name and such of a tensor value
    tensor_rest.Swap(proto.mutable_t());
    proto.clear_t();
    proto.set_name(attribute.name);
    proto.set_type(attribute_type_of(attribute.value));
    if (!attribute.doc.empty()) proto.set_doc_string(attribute.doc);
    std::visit(PlainValue{proto}, attribute.value);
    WireWriter out;
    out.add_fields(proto);
    const auto add_graph = [&](std::uint32_t field, const GraphPtr& graph) {
        if (graph == nullptr)
            fail(ErrorCode::internal, "attribute " + quote(attribute.name) + " holds no graph");
        out.add_message(field, GraphWriter(*graph, model_, this, plan_, cancel_).write());
    };
    if (const auto* tensor = std::get_if<Tensor>(&attribute.value))
        out.add_message(5, write_tensor(*tensor, std::move(tensor_rest)));
    else if (const auto* graph = std::get_if<GraphPtr>(&attribute.value)) add_graph(6, *graph);
    else if (const auto* sparse = std::get_if<SparseTensor>(&attribute.value))
        out.add_message(22, write_sparse_tensor(*sparse, sparse->name));
    else if (const auto* tensors = std::get_if<std::vector<Tensor>>(&attribute.value))
        for (const Tensor& t : *tensors) out.add_message(10, write_tensor(t, {}));
    else if (const auto* graphs = std::get_if<std::vector<GraphPtr>>(&attribute.value))
        for (const GraphPtr& g : *graphs) add_graph(11, g);
    else if (const auto* list = std::get_if<std::vector<SparseTensor>>(&attribute.value))
        for (const SparseTensor& s : *list) out.add_message(23, write_sparse_tensor(s, s.name));
    return out;
}

}  // namespace lapidary::onnx_io
