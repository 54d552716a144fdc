// SPDX-License-Identifier: Apache-2.0
// Converts nodes from float32 to 16-bit floats, with Casts for readers that need float32. The
// quantizer does so for files, and sessions for devices.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <lapidary/graph/graph_edit.h>

namespace lapidary {

/// Indices of the inputs and outputs of a node that become 16-bit floats. `problem`: why none can.
struct HalfPorts {
    std::set<std::size_t> inputs, outputs;
    std::string problem;
};
/// By the definition of the operator in ONNX, which may allow float16.
HalfPorts half_ports(const Graph& graph, const Node& node);

/// Why float16 cannot hold a value that reaches `peak` (or is not finite). Empty: it can.
std::string half_range_problem(const std::string& value, float peak);
/// The same for the elements of a constant. Empty for other values.
std::string half_constant_problem(const Value& value);

/// Converts nodes: first all of them are chosen by take(), then write() is called for each.
class HalfRewriter {
public:
    /// `half`: float16 or bfloat16.
    HalfRewriter(GraphEdit& edit, DType half) : edit_(edit), half_(half) {}

    void take(NodeId node, HalfPorts ports) { ports_[node] = std::move(ports); }
    void release(NodeId node) { ports_.erase(node); }
    bool is_taken(NodeId node) const { return ports_.contains(node); }
    std::size_t taken() const { return ports_.size(); }
    /// Releases nodes without weights between nodes that stay float32, whose two Casts would cost
    /// more than they save. Returns them.
    std::vector<NodeId> drop_islands();
    /// Rewrites a node that was taken. Call it for producers before readers.
    void write(NodeId node);
    /// Erases float32 constants that nothing reads any more.
    void erase_replaced();

    // number of weights that are subnormal in float16, with fewer digits
    std::size_t subnormal() const { return subnormal_; }
    std::size_t lost() const { return lost_; }  // number of weights that became 0
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
