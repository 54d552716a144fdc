// SPDX-License-Identifier: Apache-2.0
#include "onnx_io/ort/read_ort_type.h"

#include <lapidary/base/error.h>

#include "onnx_io/onnx.pb.h"
#include "ort_format/fields.h"

namespace lapidary::onnx_io {
namespace {

namespace fbs = ort_format;

void translate_shape(const fbs::FlatTable& from, onnx::TensorShapeProto& to) {
    for (const fbs::FlatTable& dim : from.tables(fbs::shape::dims)) {
        onnx::TensorShapeProto::Dimension& out = *to.add_dim();
        if (const std::string_view denotation = dim.text(fbs::dimension::denotation);
            !denotation.empty())
            out.set_denotation(std::string(denotation));
        const auto value = dim.table(fbs::dimension::value);
        if (!value) continue;
        const auto kind = value->number<std::int8_t>(fbs::dimension_value::kind);
        if (kind == fbs::dimension_value::number)
            out.set_dim_value(value->number<std::int64_t>(fbs::dimension_value::size));
        else if (kind == fbs::dimension_value::symbol)
            out.set_dim_param(std::string(value->text(fbs::dimension_value::name)));
        else if (kind != fbs::dimension_value::unknown)
            fail_model("DimensionValue.dim_type is " + std::to_string(kind) + ", expected 0 to 2");
    }
}

fbs::FlatTable type_part(const fbs::FlatTable& table, fbs::Field field) {
    const auto found = table.table(field);
    if (!found) fail_model("a type lacks " + std::string(field.name));
    return *found;
}

}  // namespace

void translate_type(const fbs::FlatTable& info, const Limits& limits, onnx::TypeProto& to,
                    int depth) {
    if (depth > limits.nesting)
        fail_limit("types nest deeper than the limit of " + std::to_string(limits.nesting) +
                   " levels");
    if (const std::string_view denotation = info.text(fbs::type_info::denotation);
        !denotation.empty())
        to.set_denotation(std::string(denotation));
    const auto kind = info.number<std::uint8_t>(fbs::type_info::kind);
    if (kind == fbs::type_info::none) return;
    const fbs::FlatTable value = type_part(info, fbs::type_info::value);
    switch (kind) {
    case fbs::type_info::tensor: {
        onnx::TypeProto::Tensor& tensor = *to.mutable_tensor_type();
        tensor.set_elem_type(value.number<std::int32_t>(fbs::tensor_type::element));
        if (const auto dims = value.table(fbs::tensor_type::shape))
            translate_shape(*dims, *tensor.mutable_shape());
        break;
    }
    case fbs::type_info::sequence:
        translate_type(type_part(value, fbs::sequence_type::element), limits,
                       *to.mutable_sequence_type()->mutable_elem_type(), depth + 1);
        break;
    case fbs::type_info::map:
        to.mutable_map_type()->set_key_type(value.number<std::int32_t>(fbs::map_type::key));
        translate_type(type_part(value, fbs::map_type::value), limits,
                       *to.mutable_map_type()->mutable_value_type(), depth + 1);
        break;
    default: fail_model("TypeInfo.value_type is " + std::to_string(kind) + ", expected 0 to 3");
    }
}

}  // namespace lapidary::onnx_io
