// SPDX-License-Identifier: Apache-2.0
#include "onnx_io/read/read_type.h"

#include <lapidary/base/error.h>

#include "onnx_io/onnx.pb.h"

namespace lapidary::onnx_io {
namespace {

SymbolicShape read_shape(const onnx::TensorShapeProto& proto, LoadContext& context,
                         const std::string& what) {
    if (proto.dim_size() > context.limits.load_rank)
        fail_limit(what + " is declared with rank " + std::to_string(proto.dim_size()) +
                   ", the limit is " + std::to_string(context.limits.load_rank));
    SymbolicShape shape;
    for (int k = 0; k < proto.dim_size(); ++k) {
        const auto& dim = proto.dim(k);
        if (dim.has_dim_param() && !dim.dim_param().empty()) {
            context.check_name(dim.dim_param(), "dimension");
            shape.push_back(Dim::symbolic(dim.dim_param()));
        } else if (dim.has_dim_value() && dim.dim_value() >= 0) {
            shape.push_back(Dim(dim.dim_value()));
        } else if (dim.has_dim_value() && dim.dim_value() < -1) {
            fail_model(what + " is declared with dimension " + std::to_string(dim.dim_value()) +
                       " on axis " + std::to_string(k) + ", expected a size of at least 0");
        } else {
            if (dim.has_dim_value())  // -1 is what some exporters write for "any size"
                context.warnings.add(
                    "dimensions declared as -1", what,
                    "dimension -1 on axis " + std::to_string(k) + " is taken as unknown");
            shape.emplace_back();
        }
    }
    return shape;
}

template <typename Proto>
Type read_tensor_type(const Proto& proto, Type::Kind kind, LoadContext& context,
                      const std::string& what) {
    Type type;
    if (proto.has_shape()) type.shape = read_shape(proto.shape(), context, what);
    if (proto.elem_type() == 0) {
        context.warnings.add("values without element type", what, "no element type is declared");
        return Type{};
    }
    type.kind = kind;
    type.dtype = read_dtype(proto.elem_type(), what);
    return type;
}

}  // namespace

DType read_dtype(std::int64_t number, const std::string& what) {
    if (is_known_dtype(number)) return static_cast<DType>(number);
    const char* six_bits[] = {"FLOAT6E2M3", "FLOAT6E3M2"};
    constexpr std::int64_t first = 27;
    if (number >= first && number < first + static_cast<std::int64_t>(std::size(six_bits)))
        fail_unsupported(what + " has element type " + six_bits[number - first] + " (" +
                         std::to_string(number) + "), which is not supported");
    fail_model(what + " has element type " + std::to_string(number) +
               (number == 0 ? " (undefined)" : "") +
               ", expected a TensorProto.DataType from 1 to 26");
}

Type read_type(const onnx::TypeProto& proto, LoadContext& context, const std::string& what) {
    Type type;
    switch (proto.value_case()) {
    case onnx::TypeProto::kTensorType:
        type = read_tensor_type(proto.tensor_type(), Type::Kind::tensor, context, what);
        break;
    case onnx::TypeProto::kSparseTensorType:
        type =
            read_tensor_type(proto.sparse_tensor_type(), Type::Kind::sparse_tensor, context, what);
        break;
    case onnx::TypeProto::kSequenceType:
        type = Type::sequence(read_type(proto.sequence_type().elem_type(), context, what));
        break;
    case onnx::TypeProto::kOptionalType:
        type = Type::optional(read_type(proto.optional_type().elem_type(), context, what));
        break;
    case onnx::TypeProto::kMapType: {
        const Type value = read_type(proto.map_type().value_type(), context, what);
        type.kind = Type::Kind::map;
        type.key = read_dtype(proto.map_type().key_type(), what + ": map key");
        if (!is_integer(type.key) && type.key != DType::string)
            fail_model(what + ": map key has element type " + std::string(name_of(type.key)) +
                       ", expected an integer type or string");
        type.dtype = value.is_tensor() ? value.dtype : DType::undefined;
        type.element = std::make_shared<const Type>(value);
        break;
    }
    case onnx::TypeProto::kOpaqueType:
        context.warnings.add("opaque types", what,
                             "the type is opaque (" + quote(proto.opaque_type().name()) + ")");
        break;
    case onnx::TypeProto::VALUE_NOT_SET: break;
    }
    type.denotation = proto.denotation();
    return type;
}

}  // namespace lapidary::onnx_io
