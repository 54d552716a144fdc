// SPDX-License-Identifier: Apache-2.0
#include "onnx_io/read/read_attribute.h"

#include <array>

#include <lapidary/base/error.h>

#include "onnx_io/onnx.pb.h"
#include "onnx_io/read/place.h"
#include "onnx_io/read/read_tensor.h"
#include "onnx_io/read/read_type.h"

namespace lapidary::onnx_io {
namespace {

enum AttributeKind {
    undefined = 0,
    float_ = 1,
    int_ = 2,
    string = 3,
    tensor = 4,
    graph = 5,
    floats = 6,
    ints = 7,
    strings = 8,
    tensors = 9,
    graphs = 10,
    sparse_tensor = 11,
    sparse_tensors = 12,
    type = 13,
    types = 14
};

constexpr std::array<const char*, 15> kind_names = {
    "UNDEFINED",      "FLOAT",      "INT",        "STRING",  "TENSOR", "GRAPH",
    "FLOATS",         "INTS",       "STRINGS",    "TENSORS", "GRAPHS", "SPARSE_TENSOR",
    "SPARSE_TENSORS", "TYPE_PROTO", "TYPE_PROTOS"};

bool is_list(int kind) {
    return kind == floats || kind == ints || kind == strings || kind == tensors || kind == graphs ||
           kind == sparse_tensors || kind == types;
}

/// An AttributeProto with its messages and number lists still on the wire.
struct Raw {
    onnx::AttributeProto light;
    std::vector<std::int64_t> ints;
    std::vector<float> floats;
    std::array<std::vector<WireField>, 15> messages;  // by kind: tensors, graphs, sparse tensors
    std::vector<int> present;                         // kinds that hold something, each once
};

void require_single(const std::vector<WireField>& fields, const char* name) {
    if (fields.size() > 1)
        fail_model(std::string(name) + " stands " + std::to_string(fields.size()) +
                   " times, expected once");
}

Raw read_raw(const WireField& whole, const LoadContext& context) {
    Raw raw;
    std::string light;
    const std::size_t limit = context.limits.list_elements;
    WireReader reader(whole, "AttributeProto");
    bool has_ints = false, has_floats = false;
    const auto keep = [&](const WireField& field, AttributeKind kind) {
        require_bytes(field, "AttributeProto", kind_names[kind]);
        raw.messages[kind].push_back(field);
        if (raw.messages[kind].size() > limit)
            fail_limit("the list has more elements than the limit of " + std::to_string(limit));
    };
    for (WireField field; reader.next(field);) {
        switch (field.number) {
        case 5: keep(field, tensor); break;
        case 6: keep(field, graph); break;
        case 7:
            append_floats(field, "AttributeProto.floats", limit, raw.floats);
            has_floats = true;
            break;
        case 8:
            append_varints(field, "AttributeProto.ints", limit, raw.ints);
            has_ints = true;
            break;
        case 10: keep(field, tensors); break;
        case 11: keep(field, graphs); break;
        case 22: keep(field, sparse_tensor); break;
        case 23: keep(field, sparse_tensors); break;
        default:
            light.append(reinterpret_cast<const char*>(field.whole.data()), field.whole.size());
        }
    }
    parse_message(raw.light, light, whole.offset, "AttributeProto");
    if (static_cast<std::size_t>(raw.light.strings_size()) > limit ||
        static_cast<std::size_t>(raw.light.type_protos_size()) > limit)
        fail_limit("the list has more elements than the limit of " + std::to_string(limit));
    const std::pair<bool, int> found[] = {{raw.light.has_f(), float_},
                                          {raw.light.has_i(), int_},
                                          {raw.light.has_s(), string},
                                          {raw.light.has_tp(), type},
                                          {has_floats && !raw.floats.empty(), floats},
                                          {has_ints && !raw.ints.empty(), ints},
                                          {raw.light.strings_size() > 0, strings},
                                          {raw.light.type_protos_size() > 0, types}};
    for (const auto& [is_present, kind] : found)
        if (is_present) raw.present.push_back(kind);
    for (const int kind : {tensor, graph, tensors, graphs, sparse_tensor, sparse_tensors})
        if (!raw.messages[static_cast<std::size_t>(kind)].empty()) raw.present.push_back(kind);
    return raw;
}

/// The kind to read: the declared type, which must be the one that holds a value.
int kind_of(const Raw& raw) {
    std::string held;
    for (const int kind : raw.present)
        held +=
            (held.empty() ? "" : " and ") + std::string(kind_names[static_cast<std::size_t>(kind)]);
    const int declared = raw.light.type();
    if (declared < 0 || declared > types)
        fail_model("declared type " + std::to_string(declared) +
                   ", expected an AttributeProto.AttributeType from 1 to 14");
    if (declared == undefined) {  // files of IR 1 and 2 carry no type
        if (raw.present.empty()) fail_model("has neither a type nor a value");
        if (raw.present.size() > 1)
            fail_model("declares no type and holds values of several kinds: " + held);
        return raw.present.front();
    }
    for (const int kind : raw.present)
        if (kind != declared)
            fail_model("declared type " +
                       std::string(kind_names[static_cast<std::size_t>(declared)]) +
                       ", but holds " + held);
    if (raw.present.empty() && !is_list(declared))
        fail_model("declared type " + std::string(kind_names[static_cast<std::size_t>(declared)]) +
                   ", but holds no value");
    return declared;
}

Tensor read_tensor_value(const WireField& field, const AttributeScope& scope,
                         onnx::TensorProto* rest) {
    ReadTensor read = read_tensor(WireReader(field, "TensorProto"), scope.context, "tensor");
    if (rest != nullptr) {  // what a Tensor has no place for
        if (!read.name.empty()) rest->set_name(read.name);
        if (!read.doc.empty()) rest->set_doc_string(read.doc);
        for (const auto& [key, value] : read.metadata) {
            auto* entry = rest->add_metadata_props();
            entry->set_key(key);
            entry->set_value(value);
        }
        *rest->mutable_unknown_fields() = read.preserved;
    }
    return std::move(read.tensor);
}

/// Operators take sparse attributes in their dense form, so that this is bounded from the start.
SparseTensor read_sparse(const WireField& field, LoadContext& context) {
    SparseTensor sparse =
        read_sparse_tensor(WireReader(field, "SparseTensorProto"), context, "sparse tensor");
    check_dense_form(sparse, context);
    return sparse;
}

AttributeValue read_value(Raw& raw, int kind, const std::string& name, const AttributeScope& scope,
                          onnx::AttributeProto& rest) {
    LoadContext& context = scope.context;
    const auto& messages = raw.messages[static_cast<std::size_t>(kind)];
    switch (kind) {
    case float_: return raw.light.f();
    case int_: return raw.light.i();
    case string: return std::move(*raw.light.mutable_s());
    case floats: return std::move(raw.floats);
    case ints: return std::move(raw.ints);
    case strings:
        return std::vector<std::string>(raw.light.strings().begin(), raw.light.strings().end());
    case tensor: {
        require_single(messages, "the tensor");
        Tensor value = read_tensor_value(messages.front(), scope, rest.mutable_t());
        if (rest.t().ByteSizeLong() == 0) rest.clear_t();
        return value;
    }
    case tensors: {
        std::vector<Tensor> list;
        for (const WireField& f : messages) list.push_back(read_tensor_value(f, scope, nullptr));
        return list;
    }
    case graph:
        require_single(messages, "the graph");
        return scope.read_graph(messages.front(), name);
    case graphs: {
        std::vector<GraphPtr> list;
        for (std::size_t i = 0; i < messages.size(); ++i)
            list.push_back(scope.read_graph(messages[i], name + "[" + std::to_string(i) + "]"));
        return list;
    }
    case sparse_tensor:
        require_single(messages, "the sparse tensor");
        return read_sparse(messages.front(), context);
    case sparse_tensors: {
        std::vector<SparseTensor> list;
        for (const WireField& f : messages) list.push_back(read_sparse(f, context));
        return list;
    }
    case type: return read_type(raw.light.tp(), context, "the type");
    default: {
        std::vector<Type> list;
        for (const auto& proto : raw.light.type_protos())
            list.push_back(read_type(proto, context, "the type"));
        return list;
    }
    }
}

}  // namespace

Attribute read_attribute(const WireField& field, const AttributeScope& scope) {
    Raw raw = read_raw(field, scope.context);
    Attribute out;
    out.name = raw.light.name();
    if (out.name.empty())
        fail_model("an attribute (at byte " + std::to_string(field.offset) + ") has no name");
    const std::string place = "attribute " + quote(out.name);
    onnx::AttributeProto rest;
    try {
        scope.context.check_name(out.name, "attribute");
        out.doc = raw.light.doc_string();
        *rest.mutable_unknown_fields() = raw.light.unknown_fields();
        if (const std::string& reference = raw.light.ref_attr_name(); !reference.empty()) {
            if (scope.function_attributes == nullptr)
                fail_model("refers to attribute " + quote(reference) +
                           " of a function, but stands outside any function");
            if (!raw.present.empty())
                fail_model("refers to attribute " + quote(reference) + " and also holds a value");
            if (!scope.function_attributes->contains(reference))
                fail_model("refers to attribute " + quote(reference) +
                           ", which the function does not declare");
            if (raw.light.type() < 0 || raw.light.type() > types)
                fail_model("declared type " + std::to_string(raw.light.type()) +
                           ", expected an AttributeProto.AttributeType from 1 to 14");
            out.value = AttributeReference{reference, raw.light.type()};
        } else {
            out.value = read_value(raw, kind_of(raw), out.name, scope, rest);
        }
    } catch (Error& e) {
        add_place(e, place);
        throw;
    }
    out.preserved = rest.SerializePartialAsString();
    return out;
}

std::string attribute_type_name(int onnx_type) {
    return onnx_type >= 0 && onnx_type <= types ? kind_names[static_cast<std::size_t>(onnx_type)]
                                                : std::to_string(onnx_type);
}

int attribute_type_of(const AttributeValue& value) {
    if (const auto* reference = std::get_if<AttributeReference>(&value))
        return reference->onnx_type;
    static constexpr int numbers[] = {int_,    float_,         string, tensor, sparse_tensor,
                                      graph,   type,           ints,   floats, strings,
                                      tensors, sparse_tensors, graphs, types};
    static_assert(std::size(numbers) + 1 == std::variant_size_v<AttributeValue>);
    return numbers[value.index()];
}

}  // namespace lapidary::onnx_io
