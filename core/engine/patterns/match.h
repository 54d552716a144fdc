// SPDX-License-Identifier: Apache-2.0
// A pattern bound to a graph, and the search for it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "patterns/pattern.h"

namespace lapidary::pattern {

/// Bindings of one match. Reads only; ids stay valid while the rewrite edits the graph, references
/// do not.
class Match {
public:
    explicit Match(const Scope& scope) : scope_(&scope) {}
    const Scope& scope() const { return *scope_; }
    const Graph& graph() const { return scope_->graph; }

    bool has(std::string_view name) const { return find(name) != nullptr; }
    /// The bound node or value; throws internal when the name is not bound (or not to a node).
    NodeId node_id(std::string_view name) const;
    const Node& node(std::string_view name) const { return scope_->node(node_id(name)); }
    ValueId value(std::string_view name) const;
    /// The value, or an empty id when the name is not bound (an omitted optional input).
    ValueId value_or_none(std::string_view name) const {
        return has(name) ? value(name) : ValueId{};
    }
    /// The tensor of a bound constant; throws internal when it is none.
    const Tensor& constant(std::string_view name) const;
    const Tensor* constant_or_null(std::string_view name) const;
    const Type& type(std::string_view name) const { return scope_->type(value(name)); }

    NodeId root() const { return nodes_.empty() ? NodeId{} : nodes_[0]; }
    /// Matched operator nodes, root first, each once.
    std::span<const NodeId> nodes() const { return nodes_; }
    bool contains(NodeId id) const;
    /// Every reader of the value is a matched node, and nothing else needs it.
    bool is_internal(ValueId value) const;

private:
    friend class Search;
    struct Binding {
        const std::string* name;
        ValueId value;
        NodeId node;
    };
    const Binding* find(std::string_view name) const;
    const Scope* scope_;
    std::vector<Binding> bindings_;
    std::vector<NodeId> nodes_;
};

/// The best failed attempt at a root.
struct Failure {
    std::string reason;
    int shortfall = 0;             // number of operators and conditions that were missing
    std::vector<NodeId> nodes;     // matched before it failed, root first
    bool conditions_only = false;  // the structure fit
};

/// Matches `pattern` (an op pattern or alternatives of such) with the node as root. On failure
/// `failure`, if given, gets the attempt that matched most. It stays empty if the operator of the
/// root did not match.
std::optional<Match> match_at(const Pattern& pattern, const Scope& scope, NodeId root,
                              std::optional<Failure>* failure = nullptr);
/// True when the node's operator can be the root: a cheap test before match_at().
bool can_root(const Pattern& pattern, const Node& node);
/// Operators in the pattern (of the shortest alternatives).
int operator_count(const Pattern& pattern);

}  // namespace lapidary::pattern
