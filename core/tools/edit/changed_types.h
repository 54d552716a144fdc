// SPDX-License-Identifier: Apache-2.0
// Inference of types after an edit for the nodes alone that the edit concerns.
#pragma once

#include <cstdint>
#include <vector>

#include <lapidary/graph/model.h>

namespace lapidary {

/// What a graph was before an edit, as far as types depend on it.
class GraphBefore {
public:
    explicit GraphBefore(const Graph& graph);

    const Type* type(ValueId id) const;  // null: there was no such value
    bool had(NodeId id) const { return id.index < inputs_.size() && is_node_[id.index]; }
    std::size_t node_count() const { return node_count_; }
    std::size_t value_count() const { return value_count_; }
    std::size_t rewrites() const { return rewrites_; }
    /// Whether the node is new or reads other values than before.
    bool reads_others(const Node& node) const;
    /// What the node read, which was there.
    const std::vector<ValueId>& inputs(NodeId id) const { return inputs_[id.index]; }
    /// Whether the value is new, or another type or constant was set.
    bool is_other(const Value& value) const;

private:
    std::vector<Type> types_;             // by value index
    std::vector<const void*> constants_;  // likewise: where their elements are
    std::vector<bool> is_value_, is_node_;
    std::vector<std::vector<ValueId>> inputs_;  // by node index
    std::size_t node_count_ = 0, value_count_ = 0, rewrites_ = 0;
};

/// What an edit did to nodes that stay.
enum class StayingNodes : std::uint8_t {
    rewired,  // they may read other values, and are the same otherwise
    changed   // attributes, operators or versions of some may be others
};

/// Infers the types of what changed since `before`, and of what follows from that. False: the whole
/// model has to be inferred, because sizes that are computed may have changed, a type is not fully
/// known from one node alone, or a node does not fit what it reads; types may have changed by then.
bool infer_changed_types(Model& model, const GraphBefore& before, StayingNodes staying);

}  // namespace lapidary
