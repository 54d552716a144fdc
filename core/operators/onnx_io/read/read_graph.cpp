// SPDX-License-Identifier: Apache-2.0
#include "onnx_io/read/read_graph.h"

#include <lapidary/base/error.h>

#include "onnx_io/onnx.pb.h"
#include "onnx_io/read/place.h"
#include "onnx_io/preserved.h"
#include "onnx_io/read/read_tensor.h"
#include "onnx_io/read/read_type.h"

namespace lapidary::onnx_io {

GraphReader::GraphReader(LoadContext& context, const OpsetImports& opsets,
                         const std::set<std::string>* function_attributes, GraphReader* enclosing,
                         std::string place)
    : context_(context), opsets_(opsets), function_attributes_(function_attributes),
      enclosing_(enclosing), place_(std::move(place)),
      nesting_(enclosing ? enclosing->nesting_ + 1 : 0), edit_(graph_) {
    if (nesting_ > context_.limits.nesting)
        fail_limit("subgraphs nest deeper than the limit of " +
                   std::to_string(context_.limits.nesting) + " levels");
}

Graph GraphReader::read(WireReader reader) {
    try {
        std::vector<Part> nodes, initializers, sparse, inputs, outputs, value_infos;
        std::string light;
        std::uint64_t offset = 0;
        const auto keep = [](const WireField& field, const char* name, std::vector<Part>& parts) {
            require_bytes(field, "GraphProto", name);
            parts.push_back({field.payload, field.payload_offset});
        };
        for (WireField field; reader.next(field);) {
            switch (field.number) {
            case 1: keep(field, "node", nodes); break;
            case 5: keep(field, "initializer", initializers); break;
            case 11: keep(field, "input", inputs); break;
            case 12: keep(field, "output", outputs); break;
            case 13: keep(field, "value_info", value_infos); break;
            case 15: keep(field, "sparse_initializer", sparse); break;
            default:
                light.append(reinterpret_cast<const char*>(field.whole.data()), field.whole.size());
                offset = field.offset;
            }
        }
        onnx::GraphProto proto;
        parse_message(proto, light, offset, "GraphProto");
        context_.check_name(proto.name(), "graph");
        edit_.set_name(proto.name());
        edit_.set_doc(proto.doc_string());
        edit_.set_metadata(pairs_of(proto.metadata_props()));
        edit_.set_preserved(proto.unknown_fields());
        std::vector<std::pair<std::string, StringPairs>> annotations;
        for (const auto& a : proto.quantization_annotation())
            annotations.emplace_back(a.tensor_name(), pairs_of(a.quant_parameter_tensor_names()));
        edit_.set_quantization_annotations(std::move(annotations));

        add_inputs(inputs);
        add_initializers(initializers);
        add_sparse_initializers(sparse);
        declare_node_outputs(nodes);
        apply_value_infos(value_infos);
        add_nodes(nodes);
        add_outputs(outputs);
        finish();
    } catch (Error& e) {
        add_place(e, place_);
        throw;
    }
    return std::move(graph_);
}

Graph GraphReader::read_body(const Body& body) {
    try {
        for (const std::string& name : body.inputs) {
            if (name.empty()) fail_model("a function input has no name");
            context_.check_name(name, "value");
            if (graph_.find_value(name))
                fail_model("function input " + quote(name) + " is listed twice");
            edit_.add_input(name, {});
        }
        std::vector<Part> nodes, value_infos;
        for (const WireField& f : body.nodes) nodes.push_back({f.payload, f.payload_offset});
        for (const WireField& f : body.value_infos)
            value_infos.push_back({f.payload, f.payload_offset});
        declare_node_outputs(nodes);
        apply_value_infos(value_infos);
        add_nodes(nodes);
        for (const std::string& name : body.outputs) {
            const ValueId id = find(name);
            if (!id)
                fail_model("function output " + quote(name) +
                           " is written by no node and is no input");
            edit_.add_output(id);
        }
        finish();
    } catch (Error& e) {
        add_place(e, place_);
        throw;
    }
    return std::move(graph_);
}

void GraphReader::read_declaration(ValueId value, const onnx::ValueInfoProto& proto,
                                   const std::string& what) {
    if (proto.has_type()) {
        Type type = read_type(proto.type(), context_, what);
        const Type& known = graph_.value(value).type;
        if (known.kind == Type::Kind::unknown) edit_.set_type(value, std::move(type));
        else if (type.kind != Type::Kind::unknown &&
                 (type.kind != known.kind || type.dtype != known.dtype))
            context_.warnings.add("contradicting declarations", what,
                                  "declared as " + to_string(type) + ", but known as " +
                                      to_string(known) + ", which is kept");
    }
    edit_.set_declared(value, true);
    const Value& known = graph_.value(value);
    if (known.kind == ValueKind::initializer) return;  // what follows is said of its tensor
    if (known.doc.empty()) edit_.set_doc(value, proto.doc_string());
    if (known.metadata.empty()) edit_.set_metadata(value, pairs_of(proto.metadata_props()));
    if (known.preserved.empty()) edit_.set_preserved(value, preserved_of(proto));
}

void GraphReader::add_inputs(const std::vector<Part>& parts) {
    for (const Part& part : parts) {
        onnx::ValueInfoProto proto;
        parse_message(proto, {reinterpret_cast<const char*>(part.bytes.data()), part.bytes.size()},
                      part.offset, "ValueInfoProto");
        const std::string& name = proto.name();
        if (name.empty())
            fail_model("graph input " + std::to_string(graph_.inputs().size()) + " has no name");
        context_.check_name(name, "value");
        const std::string what = "graph input " + quote(name);
        if (graph_.find_value(name)) fail_model(what + " is listed twice");
        if (const std::string other = enclosing_definition(name); !other.empty())
            context_.warnings.add("names that hide outer ones", place_,
                                  what + " hides " + other + " of an enclosing graph");
        const ValueId id = edit_.add_input(name, {});
        read_declaration(id, proto, what);
        if (!proto.has_type() && enclosing_ == nullptr)
            context_.warnings.add("inputs without type", what, "no type is declared");
    }
}

void GraphReader::add_initializers(const std::vector<Part>& parts) {
    std::size_t done = 0;
    for (const Part& part : parts) {
        context_.progress.step(
            "reading weights",
            parts.empty() ? -1.0 : static_cast<double>(done++) / static_cast<double>(parts.size()));
        ReadTensor read = read_tensor(reader_of(part, "TensorProto"), context_,
                                      "initializer " + std::to_string(done - 1));
        const ValueId id = add_constant(read.name, std::move(read.tensor));
        if (graph_.value(id).kind != ValueKind::initializer) continue;
        edit_.set_doc(id, std::move(read.doc));
        edit_.set_metadata(id, std::move(read.metadata));
        edit_.set_preserved(id, std::move(read.preserved));
    }
}

void GraphReader::add_sparse_initializers(const std::vector<Part>& parts) {
    for (const Part& part : parts) {
        auto sparse = std::make_shared<SparseTensor>(read_sparse_tensor(
            reader_of(part, "SparseTensorProto"), context_, "sparse initializer"));
        const ValueId id = add_constant(sparse->name, read_dense_form(*sparse, context_));
        edit_.set_sparse(id, std::move(sparse));
    }
}

ValueId GraphReader::add_constant(const std::string& name, Tensor tensor) {
    if (name.empty())
        fail_model("an initializer of shape " + to_string(tensor.shape()) + " has no name");
    const ValueId known = graph_.find_value(name);
    if (!known) {
        if (const std::string other = enclosing_definition(name); !other.empty())
            context_.warnings.add(
                "names that hide outer ones", place_,
                "initializer " + quote(name) + " hides " + other + " of an enclosing graph");
        return edit_.add_initializer(name, std::move(tensor));
    }
    const Value& input = graph_.value(known);
    if (input.kind != ValueKind::input || input.constant) {
        // ONNX Runtime saves such files.
        if (!input.constant || !same_contents(*input.constant, tensor))
            fail_model("initializer " + quote(name) + " is defined twice");
        context_.warnings.add("initializers listed twice", "tensor " + quote(name),
                              "is listed twice with the same contents");
        return known;
    }
    const Type& type = input.type;
    if (type.kind != Type::Kind::unknown && (!type.is_tensor() || type.dtype != tensor.dtype()))
        fail_model("graph input " + quote(name) + " is declared " + to_string(type) +
                   ", but its initializer is " + std::string(name_of(tensor.dtype())) +
                   to_string(tensor.shape()));
    if (type.is_static() && type.static_shape() != tensor.shape())
        context_.warnings.add("inputs whose default has another shape",
                              "graph input " + quote(name),
                              "declared " + to_string(type) + ", but its initializer has shape " +
                                  to_string(tensor.shape()));
    if (type.kind == Type::Kind::unknown)
        edit_.set_type(known, Type::tensor(tensor.dtype(), SymbolicShape(tensor.shape().begin(),
                                                                         tensor.shape().end())));
    edit_.set_constant(known, std::move(tensor));
    return known;
}

void GraphReader::apply_value_infos(const std::vector<Part>& parts) {
    std::size_t dangling = 0;
    std::string example;
    for (const Part& part : parts) {
        onnx::ValueInfoProto proto;
        parse_message(proto, {reinterpret_cast<const char*>(part.bytes.data()), part.bytes.size()},
                      part.offset, "ValueInfoProto");
        const ValueId id = graph_.find_value(proto.name());
        if (id) {
            read_declaration(id, proto, "value " + quote(proto.name()));
        } else if (!is_outer(proto.name()) &&
                   dangling++ == 0) {  // an outer value's type is that of its own declaration
            example = proto.name();
        }
    }
    if (dangling > 0)
        context_.warnings.add("type declarations without value", place_,
                              std::to_string(dangling) +
                                  " type declarations (value_info) name no value of the graph and "
                                  "are dropped, first " +
                                  quote(example));
}

void GraphReader::add_outputs(const std::vector<Part>& parts) {
    std::set<ValueId> listed;
    for (const Part& part : parts) {
        onnx::ValueInfoProto proto;
        parse_message(proto, {reinterpret_cast<const char*>(part.bytes.data()), part.bytes.size()},
                      part.offset, "ValueInfoProto");
        const std::string what = "graph output " + quote(proto.name());
        context_.check_name(proto.name(), "value");
        const ValueId id = proto.name().empty() ? ValueId{} : find(proto.name());
        if (!id) fail_model(what + " is written by no node and is no input or initializer");
        if (!listed.insert(id).second)
            context_.warnings.add("outputs listed twice", what, "is listed more than once");
        read_declaration(id, proto, what);
        edit_.add_output(id);
    }
}

void GraphReader::finish() {
    edit_.finish();  // throws, listing it, when there is a cycle
    if (is_unsorted_ && !context_.is_any_order)
        context_.warnings.add(
            "unsorted graphs", place_,
            "nodes are not in topological order and were sorted; first: " + unsorted_example_);
}

ValueId GraphReader::find(std::string_view name) {
    if (const ValueId id = graph_.find_value(name)) {
        if (graph_.value(id).kind == ValueKind::undefined) is_unsorted_ = true;
        return id;
    }
    if (enclosing_ == nullptr) return {};
    const ValueId outer = enclosing_->find(name);
    if (!outer) return {};
    return edit_.add_captured(std::string(name), outer, enclosing_->graph_.value(outer).type);
}

bool GraphReader::is_outer(std::string_view name) const {
    for (const GraphReader* outer = enclosing_; outer != nullptr; outer = outer->enclosing_)
        if (outer->graph_.find_value(name)) return true;
    return false;
}

std::string GraphReader::enclosing_definition(std::string_view name) const {
    for (const GraphReader* outer = enclosing_; outer != nullptr; outer = outer->enclosing_) {
        const ValueId id = outer->graph_.find_value(name);
        if (!id) continue;
        switch (outer->graph_.value(id).kind) {
        case ValueKind::input: return "the input";
        case ValueKind::initializer: return "the initializer";
        case ValueKind::node_output:
            return "the output of " +
                   outer->graph_.node(outer->graph_.value(id).producer).describe();
        case ValueKind::captured: continue;
        case ValueKind::undefined: return {};  // written later
        }
    }
    return {};
}

}  // namespace lapidary::onnx_io
