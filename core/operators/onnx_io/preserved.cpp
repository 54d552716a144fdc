// SPDX-License-Identifier: Apache-2.0
#include "onnx_io/preserved.h"

namespace lapidary::onnx_io {

StringPairs pairs_of(
    const google::protobuf::RepeatedPtrField<onnx::StringStringEntryProto>& entries) {
    StringPairs out;
    out.reserve(static_cast<std::size_t>(entries.size()));
    for (const auto& e : entries) out.emplace_back(e.key(), e.value());
    return out;
}

void set_pairs(const StringPairs& pairs,
               google::protobuf::RepeatedPtrField<onnx::StringStringEntryProto>& out) {
    for (const auto& [key, value] : pairs) {
        auto* entry = out.Add();
        entry->set_key(key);
        entry->set_value(value);
    }
}

std::string preserved_of(const onnx::ValueInfoProto& proto) {
    onnx::ValueInfoProto rest;
    *rest.mutable_unknown_fields() = proto.unknown_fields();
    const onnx::TypeProto& type = proto.type();
    if (type.has_opaque_type()) *rest.mutable_type() = type;
    const auto& shape = type.tensor_type().shape();
    bool has_denotation = false;
    for (const auto& dim : shape.dim())
        has_denotation = has_denotation || !dim.denotation().empty();
    if (has_denotation)
        for (const auto& dim : shape.dim()) {
            auto* out = rest.mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim();
            if (!dim.denotation().empty()) out->set_denotation(dim.denotation());
        }
    return rest.SerializePartialAsString();
}

}  // namespace lapidary::onnx_io
