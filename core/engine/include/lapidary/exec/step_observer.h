// SPDX-License-Identifier: Apache-2.0
// Sees every value of a run at the moment when its node has run. Nothing is kept for it: a run with
// an observer takes the memory of a run without a memory plan.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lapidary/graph/graph.h>
#include <lapidary/tensor/runtime_value.h>

namespace lapidary {

/// The graph that a run is in: the main graph, or a body of If, Loop or Scan. Valid during the call
/// that it is given to.
class ObservedGraph {
public:
    virtual ~ObservedGraph() = default;
    /// Session::model().graph, or a graph in an attribute of one of its nodes.
    virtual const Graph& graph() const = 0;
    /// The nodes and attributes that lead to it: "loop/body/"; empty for the main graph.
    virtual const std::string& path() const = 0;
    /// For each body from the outermost inward: how often it ran before, in this call of its node.
    /// Empty for the main graph.
    virtual std::vector<std::int64_t> iterations() const = 0;
    /// An input, a value of a node that has run, or one of the graph around it, in host memory. Its
    /// storage is valid during the call alone: clone what is to be kept. Empty for no id, and where
    /// there is no such value: its node has not run, its last reader has run, or it is a constant
    /// that kernels hold in a form of their own.
    virtual RuntimeValue value(ValueId id) const = 0;
    /// Nodes that run later read `value` instead of what the value's node wrote. It has to own its
    /// storage, and is copied to a device where the value lies there. Throws invalid_input for a
    /// value that no node of this graph writes, and for one on a device where `value` has another
    /// element type or shape.
    virtual void replace(ValueId id, RuntimeValue value) = 0;
};

/// What RunOptions::observer points to. It is called on the thread that walks the steps; what it
/// throws ends the run.
class StepObserver {
public:
    virtual ~StepObserver() = default;
    /// The graph begins to run: its inputs are there.
    virtual void graph_begins(ObservedGraph& /*graph*/) {}
    /// The node of that graph has just run: its outputs are there, and its inputs still are.
    virtual void node_ran(ObservedGraph& graph, const Node& node) = 0;
};

}  // namespace lapidary
