// SPDX-License-Identifier: Apache-2.0
// A part of a graph whose tensors could all be stored with their axes in another order, and the
// cost of that.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "passes/permuted_operator.h"

namespace lapidary {

class TransposeRegion {
public:
    /// All operators that can be reached from `seed`, which is carried by `permutation`, through
    /// operators that can be carried (permuted_operator.h). Transposes and other operators are its
    /// boundary.
    TransposeRegion(PassContext& context, ValueId seed, const Ints& permutation);

    /// Chooses the operators that work on carried tensors such that the fewest, then the smallest
    /// Transposes are left. False: changing nothing costs no more.
    bool choose();
    /// Edits the graph accordingly. Returns the remark; record it, then call settle_origins().
    std::string apply();
    /// Sets the origins of each carried operator to those of the operator that it replaces.
    void settle_origins();

    /// Transposes at the boundary that carrying everything could cancel.
    const std::vector<NodeId>& transposes() const { return transposes_; }
    /// An operator at the boundary that keeps the order of axes, and why; nearest first.
    struct Stop {
        NodeId node;
        std::string reason;
    };
    const std::vector<Stop>& stops() const { return stops_; }
    std::size_t operators() const { return order_.size(); }

private:
    struct Operator {
        Carried carried;
        bool is_shape = false;  // Shape: becomes a Gather on the shape of the carried tensor
        std::size_t vertex = 0;
        bool chosen = false;
    };
    /// How a value is supplied, for the calculation of costs: in which orders of axes it is there.
    struct Supply {
        bool plain = false, carried = false;  // it is in that order without a Transpose
        NodeId op;                            // set: in the order of this operator, as chosen
    };
    struct Demand {
        bool plain = false, carried = false;  // by the boundary
        std::vector<NodeId> ops;
    };
    void grow();
    std::string problem_of(const Node& node, const Carried& carried) const;
    void visit(NodeId node, bool is_output, std::size_t port, const Ints& permutation);
    bool fits(const Node& node, const Carried& carried) const;
    void assign(ValueId value, const Ints& permutation);
    void stop(const Node& node, std::string reason);
    Supply supply_of(ValueId value) const;
    Demand demand_of(ValueId value) const;
    std::int64_t weight(ValueId value) const;
    std::int64_t cost(bool chosen) const;
    bool is_chosen(NodeId op) const;

    ValueId carried_value(ValueId value);
    ValueId carried_constant(ValueId value, const Ints& permutation);
    ValueId add(const Node& origin, Call call, std::vector<ValueId> outputs);
    void add_carried(NodeId op);
    void redirect_transposes(ValueId value);
    void retire(NodeId op);

    PassContext& context_;
    std::map<ValueId, Ints> permutations_;
    std::vector<ValueId> values_;  // in the order found
    std::map<NodeId, Operator> operators_;
    std::vector<NodeId> order_;  // operators, topological
    std::map<NodeId, bool> refused_;
    std::vector<NodeId> transposes_;
    std::vector<Stop> stops_;
    std::map<ValueId, ValueId> carried_values_;
    std::map<std::pair<ValueId, Ints>, ValueId> carried_constants_;
    std::vector<std::pair<NodeId, std::vector<NodeId>>> origins_;
};

/// Moves Transposes through operators until their number and size cannot be reduced any more.
void settle_transposes(PassContext& context);

}  // namespace lapidary
