// SPDX-License-Identifier: Apache-2.0
// Type inference of one graph: the main graph, a subgraph, or a function body at one call.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "ops/inference/inference_session.h"
#include "ops/schemas/schema.h"
#include "ops/inference/shape_rule.h"

namespace lapidary {

class GraphInference;

/// Attributes that a function body may refer to: those of the call, then the function's defaults.
struct FunctionCall {
    const Function* function = nullptr;
    const Node* node = nullptr;  // the call, its own references resolved
    const Attribute* find(std::string_view name) const;
};

/// Where a graph stands.
struct GraphPlace {
    const GraphInference* outer = nullptr;  // the enclosing graph of a subgraph
    std::string text;                       // "main", "main/node "if0" (If)/then_branch"
    int nesting = 0;                        // subgraphs and calls around it
    bool certain = true;                    // false: may never run, so its errors are warnings
    const FunctionCall* call = nullptr;
};

class GraphInference {
public:
    GraphInference(InferenceSession& session, const Graph& graph, GraphPlace place);

    void set_input(std::size_t index, Type type, KnownValue value = {});
    void run();

    const Graph& graph() const { return graph_; }
    const GraphPlace& place() const { return place_; }
    InferenceSession& session() const { return session_; }
    const Type& type(ValueId id) const { return types_[id.index]; }
    const KnownValue& value(ValueId id) const;
    std::vector<Type> output_types() const;
    /// Values computed by nodes whose contents are known, by value index.
    std::unordered_map<std::uint32_t, std::vector<Dim>> known_elements() const;

    /// Infers the subgraph attribute of a node and keeps it for apply().
    std::vector<Type> infer_subgraph(const Node& node, std::string_view attribute,
                                     const std::vector<Type>& input_types, bool certain);
    /// Writes the types, and the subgraphs with theirs, into a copy of (or the very) graph.
    void apply(Graph& graph) const;

private:
    void infer_node(const Node& node);
    void infer_operator(const Node& node, const Node& stored);
    void infer_call(const Function& function, const Node& node, const Node& stored);
    void store_output(const Node& stored, std::size_t index, Type type, KnownValue value,
                      std::size_t fresh_mark);
    Node with_references_resolved(const Node& node) const;
    std::string where(const Node& node) const { return place_.text + "/" + node.describe(); }

    InferenceSession& session_;
    const Graph& graph_;
    GraphPlace place_;
    std::vector<Type> types_;  // by value index
    // initializers join when first read
    mutable std::unordered_map<std::uint32_t, KnownValue> values_;
    std::map<std::pair<NodeId, std::string>, GraphPtr> subgraphs_;  // with types
};

/// Sets the element types that the operator's schema fixes for its outputs, from the types of its
/// inputs.
void bind_output_types(const OpSchema& schema, const std::vector<Type>& input_types,
                       std::vector<Type>& output_types);

}  // namespace lapidary
