// SPDX-License-Identifier: Apache-2.0
// Nodes of float32 that compute on 16-bit floats instead, with Casts where somebody reads float32:
// what the quantizer writes into files and what sessions do for devices.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <lapidary/graph/graph_edit.h>

namespace lapidary {

/// Indices of the inputs and outputs of a node that become 16-bit floats, or why none does.
struct HalfPorts {
    std::set<std::size_t> inputs, outputs;
    std::string problem;
};
/// By the operator's definition, for float16.
HalfPorts half_ports(const Graph& graph, const Node& node);

/// Why float16 has no room for a value that reaches `peak` (or is not finite); empty where it has.
std::string half_range_problem(const std::string& value, float peak);
/// The same of a constant's elements; of other values empty.
std::string half_constant_problem(const Value& value);

/// Rewrites the nodes that it is asked to take, once all of them are known.
class HalfRewriter {
public:
    /// `half`: float16 or bfloat16.
    HalfRewriter(GraphEdit& edit, DType half) : edit_(edit), half_(half) {}

    void take(NodeId node, HalfPorts ports) { ports_[node] = std::move(ports); }
    void release(NodeId node) { ports_.erase(node); }
    bool is_taken(NodeId node) const { return ports_.contains(node); }
    std::size_t taken() const { return ports_.size(); }
    /// Lets go of nodes without weights between nodes that stay float32: two Casts that would save
    /// nothing. Returns them.
    std::vector<NodeId> drop_islands();
    /// Rewrites a node that was taken; those it reads from come first.
    void write(NodeId node);
    /// Constants of float32 that nothing reads any more go.
    void erase_replaced();

    // weights of which float16 holds fewer digits
    std::size_t subnormal() const { return subnormal_; }
    std::size_t lost() const { return lost_; }  // and that became 0
    /// Casts that were added, with the node that each was added for.
    const std::vector<std::pair<NodeId, NodeId>>& casts() const { return casts_; }

private:
    const Graph& graph() const { return edit_.graph(); }
    void write_output(NodeId node, std::size_t index, ValueId old);
    ValueId half_of(ValueId value, NodeId reader);
    Tensor half_tensor(const Tensor& from);

    GraphEdit& edit_;
    const DType half_;
    std::map<NodeId, HalfPorts> ports_;
    std::map<ValueId, ValueId> halves_;
    std::vector<ValueId> replaced_;
    std::vector<std::pair<NodeId, NodeId>> casts_;
    std::size_t subnormal_ = 0, lost_ = 0;
};

}  // namespace lapidary
