// SPDX-License-Identifier: Apache-2.0
// Node attributes: every kind that ONNX AttributeProto has.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <lapidary/tensor.h>
#include <lapidary/type.h>

namespace lapidary {

class Graph;
using GraphPtr = std::shared_ptr<const Graph>;

/// A COO sparse tensor as ONNX SparseTensorProto holds it: `values` [nnz], `indices` [nnz] or [nnz, rank].
struct SparseTensor {
    std::string name;
    Tensor values;
    Tensor indices;  // i64
    Shape shape;
    /// The dense form; throws limit_exceeded or invalid_model (index out of range).
    Tensor to_dense() const;
};

/// In a function body: the value of the calling node's attribute of that name.
struct AttributeReference {
    std::string name;
    int onnx_type = 0;  // AttributeProto.AttributeType declared at the reference
};

using AttributeValue =
    std::variant<std::int64_t, float, std::string, Tensor, SparseTensor, GraphPtr, Type, std::vector<std::int64_t>,
                 std::vector<float>, std::vector<std::string>, std::vector<Tensor>, std::vector<SparseTensor>,
                 std::vector<GraphPtr>, std::vector<Type>, AttributeReference>;

struct Attribute {
    std::string name;
    AttributeValue value;
    std::string doc;
    std::string preserved;  // protobuf fields this program does not know, kept for saving
};

/// "int", "ints", "graph" ...: the kind stored, for messages.
std::string_view kind_of(const AttributeValue& value);

}  // namespace lapidary
