// SPDX-License-Identifier: Apache-2.0
#include "graph/ir_version.h"

#include <algorithm>

#include "graph/traversal.h"

namespace lapidary {
namespace {

constexpr std::int64_t first_with_plain_initializers = 4;

std::int64_t of_ml_opset(std::int64_t opset) {
    if (opset >= 5) return 10;
    if (opset >= 4) return 9;
    if (opset >= 3) return 8;
    return opset >= 2 ? 6 : 3;
}

std::int64_t of_dtype(DType dtype) {
    switch (dtype) {
    case DType::f8e4m3fn:
    case DType::f8e4m3fnuz:
    case DType::f8e5m2:
    case DType::f8e5m2fnuz: return 9;
    case DType::i4:
    case DType::u4: return 10;
    case DType::f4e2m1: return 11;
    case DType::f8e8m0: return 12;
    case DType::i2:
    case DType::u2: return 13;
    default: return 3;
    }
}

std::int64_t of_type(const Type& type) {
    const bool is_newer_kind =
        type.kind == Type::Kind::optional || type.kind == Type::Kind::sparse_tensor;
    return std::max({of_dtype(type.dtype), type.element ? of_type(*type.element) : 3,
                     is_newer_kind ? std::int64_t{8} : std::int64_t{3}});
}

std::int64_t of_attribute(const Attribute& attribute) {
    std::int64_t least = 3;
    if (const auto* tensor = std::get_if<Tensor>(&attribute.value))
        least = of_dtype(tensor->dtype());
    if (const auto* tensors = std::get_if<std::vector<Tensor>>(&attribute.value))
        for (const Tensor& tensor : *tensors) least = std::max(least, of_dtype(tensor.dtype()));
    if (const auto* type = std::get_if<Type>(&attribute.value)) least = of_type(*type);
    return least;
}

std::int64_t of_function(const Function& function) {
    if (!function.overload.empty()) return 10;
    return function.attribute_defaults.empty() ? 8 : 9;
}

}  // namespace

std::int64_t least_ir_version(std::int64_t opset) {
    if (opset >= 28) return 14;
    if (opset >= 25) return 13;
    if (opset >= 24) return 12;
    if (opset >= 23) return 11;
    if (opset >= 21) return 10;
    if (opset >= 19) return 9;
    if (opset >= 15) return 8;
    if (opset >= 12) return 7;
    if (opset >= 11) return 6;
    if (opset >= 10) return 5;
    return opset >= 9 ? 4 : 3;
}

std::int64_t least_ir_version(const Model& model) {
    std::int64_t least = std::min(model.ir_version, first_with_plain_initializers);
    const auto need = [&](std::int64_t version) { least = std::max(least, version); };
    const auto need_opsets = [&](const std::map<std::string, std::int64_t>& imports) {
        for (const auto& [domain, version] : imports) {
            if (domain.empty()) need(least_ir_version(version));
            if (domain == "ai.onnx.ml") need(of_ml_opset(version));
        }
    };
    need_opsets(model.opset_imports);
    for (const Function& function : model.functions) {
        need(of_function(function));
        need_opsets(function.opset_imports);
    }
    for_each_graph(model, [&](const Graph& graph, const std::string&) {
        if (!graph.quantization_annotations().empty()) need(5);
        for (const ValueId id : graph.values()) {
            const Value& value = graph.value(id);
            need(of_type(value.type));
            if (value.constant) need(of_dtype(value.constant->dtype()));
            if (value.sparse) need(6);
        }
        for (const NodeId id : graph.nodes()) {
            if (!graph.node(id).overload.empty()) need(10);
            for (const Attribute& attribute : graph.node(id).attributes)
                need(of_attribute(attribute));
        }
    });
    return least;
}

}  // namespace lapidary
