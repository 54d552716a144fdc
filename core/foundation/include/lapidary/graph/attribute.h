// SPDX-License-Identifier: Apache-2.0
// Node attributes: every kind that ONNX AttributeProto has.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <lapidary/tensor/tensor.h>
#include <lapidary/graph/type.h>

namespace lapidary {

class Graph;
/// Shared and never changed: subgraphs and bodies of functions.
using GraphPtr = std::shared_ptr<const Graph>;

/// A COO sparse tensor as ONNX SparseTensorProto holds it: `values` [nnz], `indices` [nnz] or [nnz,
/// rank].
struct SparseTensor {
    SparseTensor();  // empty. This and the next five are compiled once: graph/special_members.cpp
    SparseTensor(const SparseTensor&);                 // copies
    SparseTensor(SparseTensor&&) noexcept;             // moves
    SparseTensor& operator=(const SparseTensor&);      // copies
    SparseTensor& operator=(SparseTensor&&) noexcept;  // moves
    ~SparseTensor();

    std::string name;  // empty where the file gives none
    Tensor values;     // [nnz]
    Tensor indices;    // i64
    Shape shape;       // of the dense form
    /// The dense form; throws limit_exceeded or invalid_model (index out of range).
    Tensor to_dense() const;
};

/// In a function body: the value of the calling node's attribute of that name.
struct AttributeReference {
    std::string name;   // of the attribute of the calling node
    int onnx_type = 0;  // AttributeProto.AttributeType declared at the reference
};

/// In the order of AttributeProto's fields.
using AttributeValue =
    std::variant<std::int64_t, float, std::string, Tensor, SparseTensor, GraphPtr, Type,
                 std::vector<std::int64_t>, std::vector<float>, std::vector<std::string>,
                 std::vector<Tensor>, std::vector<SparseTensor>, std::vector<GraphPtr>,
                 std::vector<Type>, AttributeReference>;

/// A named attribute of a node.
struct Attribute {
    std::string name;       // unique in its node
    AttributeValue value;   // of the kind that the operator's schema asks for
    std::string doc;        // doc_string of the file
    std::string preserved;  // protobuf fields this program does not know, kept for saving
};

/// "int", "ints", "graph" ...: the kind stored, for messages.
std::string_view kind_of(const AttributeValue& value);

}  // namespace lapidary
