// SPDX-License-Identifier: Apache-2.0
#include "onnx_io/write/write_type.h"

#include <algorithm>

#include "onnx_io/preserved.h"
#include "ops/dimensions/dim_algebra.h"

namespace lapidary::onnx_io {
namespace {

template <typename Proto>
void write_tensor_type(const Type& type, Proto& out) {
    out.set_elem_type(static_cast<std::int32_t>(type.dtype));
    if (!type.shape) return out.clear_shape();
    auto& shape = *out.mutable_shape();
    if (shape.dim_size() != static_cast<int>(type.shape->size())) {
        shape.clear_dim();
        for (std::size_t k = 0; k < type.shape->size(); ++k) shape.add_dim();
    }
    for (std::size_t k = 0; k < type.shape->size(); ++k) {
        const Dim& dim = (*type.shape)[k];
        auto& written = *shape.mutable_dim(static_cast<int>(k));
        if (dim.is_known()) written.set_dim_value(dim.value());
        else if (dim.is_symbolic()) written.set_dim_param(dim.symbol());
    }
}

Type with_open_dimensions(Type type, const std::set<std::string>& generated) {
    if (generated.empty()) return type;
    if (type.shape)
        for (Dim& dim : *type.shape) {
            if (!dim.is_symbolic()) continue;
            const std::vector<std::string> names = names_in(dim);
            if (std::ranges::any_of(
                    names, [&](const std::string& name) { return generated.contains(name); }))
                dim = Dim();
        }
    if (type.element)
        type.element = std::make_shared<const Type>(with_open_dimensions(*type.element, generated));
    return type;
}

}  // namespace

void write_type(const Type& type, onnx::TypeProto& out) {
    switch (type.kind) {
    case Type::Kind::unknown:
        if (!out.has_opaque_type()) out.clear_value();
        break;
    case Type::Kind::tensor: write_tensor_type(type, *out.mutable_tensor_type()); break;
    case Type::Kind::sparse_tensor:
        write_tensor_type(type, *out.mutable_sparse_tensor_type());
        break;
    case Type::Kind::sequence:
        out.mutable_sequence_type()->mutable_elem_type();
        if (type.element)
            write_type(*type.element, *out.mutable_sequence_type()->mutable_elem_type());
        break;
    case Type::Kind::optional:
        out.mutable_optional_type()->mutable_elem_type();
        if (type.element)
            write_type(*type.element, *out.mutable_optional_type()->mutable_elem_type());
        break;
    case Type::Kind::map:
        out.mutable_map_type()->set_key_type(static_cast<std::int32_t>(type.key));
        if (type.element) write_type(*type.element, *out.mutable_map_type()->mutable_value_type());
        else if (type.dtype != DType::undefined)
            write_type(Type::tensor(type.dtype), *out.mutable_map_type()->mutable_value_type());
        break;
    }
    if (!type.denotation.empty()) out.set_denotation(type.denotation);
}

onnx::ValueInfoProto write_declaration(const Value& value, const std::string& name,
                                       const std::set<std::string>& generated) {
    onnx::ValueInfoProto out;
    // then these fields are its tensor's
    const bool is_initializer = value.kind == ValueKind::initializer;
    if (!is_initializer) out.ParsePartialFromString(value.preserved);
    out.set_name(name);
    if (value.type.kind != Type::Kind::unknown || out.has_type()) {
        write_type(with_open_dimensions(value.type, generated), *out.mutable_type());
        if (out.type().value_case() == onnx::TypeProto::VALUE_NOT_SET &&
            out.type().denotation().empty())
            out.clear_type();
    }
    if (is_initializer) return out;
    if (!value.doc.empty()) out.set_doc_string(value.doc);
    set_pairs(value.metadata, *out.mutable_metadata_props());
    return out;
}

}  // namespace lapidary::onnx_io
