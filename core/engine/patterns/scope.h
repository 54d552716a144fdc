// SPDX-License-Identifier: Apache-2.0
// A graph and the graphs around it, as patterns and passes read them.
#pragma once

#include <string>

#include <lapidary/graph/graph.h>
#include <lapidary/graph/model.h>

namespace lapidary {

struct Scope {
    const Model& model;
    const Graph& graph;
    const Scope* outer = nullptr;  // of a subgraph
    std::string provider = "cpu";

    const Node& node(NodeId id) const { return graph.node(id); }
    const Value& value(ValueId id) const { return graph.value(id); }
    const Type& type(ValueId id) const { return graph.value(id).type; }
    /// The writing node, or null (inputs, initializers, captured values, empty id).
    const Node* producer(ValueId id) const;
    /// The tensor of an initializer of this or an enclosing graph; null for everything else.
    const Tensor* constant(ValueId id) const;
    /// Known rank, or -1.
    int rank(ValueId id) const;
    /// Known size of one dimension (negative axis from the end), or -1.
    std::int64_t dim(ValueId id, int axis) const;
    DType dtype(ValueId id) const { return id ? type(id).dtype : DType::undefined; }
    std::int64_t opset(std::string_view domain = {}) const { return model.opset(domain); }
    bool is_subgraph() const { return outer != nullptr; }
};

/// A constant of one element (rank 0 or [1] or all ones) as double, or nothing.
std::optional<double> scalar_of(const Tensor* tensor);
/// ORT's predicate for constants in patterns: |x - expected| <= 1e-8 + 1e-5 |expected|; half types
/// compare with `expected` rounded to the type.
bool scalar_equals(const Tensor* tensor, double expected);
/// True when both shapes are known, of equal rank, and each dimension is the same number or the
/// same symbol.
bool same_shape(const Type& a, const Type& b);

}  // namespace lapidary
