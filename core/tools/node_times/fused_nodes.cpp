// SPDX-License-Identifier: Apache-2.0
#include "node_times/fused_nodes.h"

#include <algorithm>
#include <cstddef>

#include "ops/operator_traits.h"

namespace lapidary {
namespace {

constexpr std::size_t none = ~std::size_t{0};

class FusedNodes {
public:
    FusedNodes(const Graph& graph, std::vector<KernelTimes>& kernels)
        : graph_(graph), kernels_(kernels), kernel_of_(graph.node_slots(), none),
          place_of_(graph.node_slots(), 0) {
        std::size_t place = 0;
        for (const NodeId id : graph.nodes()) place_of_[id.index] = place++;
        for (std::size_t k = 0; k < kernels.size(); ++k)
            for (const NodeId id : kernels[k].nodes)
                if (kernel_of_[id.index] == none) kernel_of_[id.index] = k;
    }

    /// Nodes are topological: whatever a node reads was looked at before it.
    void add_behind_open_ends() {
        for (const NodeId id : graph_.nodes()) {
            if (kernel_of_[id.index] != none || !may_follow(graph_.node(id))) continue;
            const std::size_t kernel = newest_kernel_before(graph_.node(id));
            if (kernel != none && !kernels_[kernel].ends_are_known) claim(id, kernel);
        }
    }

    /// Kernels by their last node, so that of two that read a node the first one has it.
    void add_before() {
        std::vector<std::size_t> order;
        for (std::size_t k = 0; k < kernels_.size(); ++k)
            if (!kernels_[k].nodes.empty()) order.push_back(k);
        std::ranges::stable_sort(order, {}, [this](std::size_t k) { return last_place(k); });
        for (const std::size_t k : order) {
            std::vector<NodeId> open = kernels_[k].nodes;
            while (!open.empty()) {
                const NodeId id = open.back();
                open.pop_back();
                for (const NodeId before : producers(graph_.node(id)))
                    if (kernel_of_[before.index] == none) {
                        claim(before, k);
                        open.push_back(before);
                    }
            }
        }
    }

    void sort_nodes() {
        for (KernelTimes& kernel : kernels_) {
            std::ranges::sort(kernel.nodes, {}, [this](NodeId id) { return place_of_[id.index]; });
            const auto twice = std::ranges::unique(kernel.nodes);
            kernel.nodes.erase(twice.begin(), twice.end());
        }
    }

private:
    void claim(NodeId id, std::size_t kernel) {
        kernel_of_[id.index] = kernel;
        kernels_[kernel].nodes.push_back(id);
    }

    std::vector<NodeId> producers(const Node& node) const {
        std::vector<NodeId> list;
        for (const auto* values : {&node.inputs, &node.captures})
            for (const ValueId id : *values)
                if (const NodeId producer = id ? graph_.value(id).producer : NodeId())
                    list.push_back(producer);
        return list;
    }

    static bool may_follow(const Node& node) {
        return node.op_type == "BatchNormalization" || traits_of(node).is_elementwise();
    }

    /// The kernel of the last of the nodes whose values the node reads.
    std::size_t newest_kernel_before(const Node& node) const {
        NodeId newest;
        for (const NodeId id : producers(node))
            if (kernel_of_[id.index] != none &&
                (!newest || place_of_[id.index] > place_of_[newest.index]))
                newest = id;
        return newest ? kernel_of_[newest.index] : none;
    }

    std::size_t last_place(std::size_t kernel) const {
        std::size_t last = 0;
        for (const NodeId id : kernels_[kernel].nodes) last = std::max(last, place_of_[id.index]);
        return last;
    }

    const Graph& graph_;
    std::vector<KernelTimes>& kernels_;
    std::vector<std::size_t> kernel_of_;  // by node index
    std::vector<std::size_t> place_of_;   // by node index: in graph_.nodes()
};

}  // namespace

void add_fused_nodes(const Graph& graph, std::vector<KernelTimes>& kernels) {
    FusedNodes fused(graph, kernels);
    fused.add_behind_open_ends();
    fused.add_before();
    fused.sort_nodes();
}

}  // namespace lapidary
