// SPDX-License-Identifier: Apache-2.0
// Islands of a placement. The level of a node grows by one with each value that changes its
// provider on the way to it, so that nodes of one provider and level that are joined by values have
// no path between them that leaves the provider.
#include <algorithm>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "exec/cpu_provider.h"
#include "exec/plan/placement.h"
#include "exec/plan/type_bytes.h"

namespace lapidary {
namespace {

/// 0 where it is not known before the model runs.
std::uint64_t known_bytes(const Type& type) { return bytes_of(type).value_or(0); }

class Islands {
public:
    Islands(const Graph& graph, DevicePlacement& placement)
        : graph_(graph), placement_(placement) {}

    /// Numbers the islands anew.
    void find() {
        std::vector<std::size_t> level(graph_.node_slots(), 0);
        parents_.resize(graph_.node_slots());
        std::iota(parents_.begin(), parents_.end(), std::size_t{0});
        for (NodeId id : graph_.nodes()) {
            const auto before = producers(graph_.node(id));
            for (NodeId p : before)
                level[id.index] = std::max(level[id.index],
                                           level[p.index] + (provider(p) == provider(id) ? 0 : 1));
            for (NodeId p : before)
                if (provider(p) == provider(id) && level[p.index] == level[id.index])
                    parents_[root(id.index)] = root(p.index);
        }
        placement_.islands.clear();
        std::vector<std::size_t> number(graph_.node_slots(), 0);
        for (NodeId id : graph_.nodes()) {
            NodeAssignment& assigned = placement_.nodes[id.index];
            if (assigned.device() == nullptr) continue;
            std::size_t& island = number[root(id.index)];
            if (island == 0) {
                placement_.islands.push_back({assigned.provider->name(), 0, 0, 0});
                island = placement_.islands.size();
            }
            assigned.island = island - 1;
            PlacementIsland& of = placement_.islands[assigned.island];
            ++of.nodes;
            of.gain_ns += assigned.gain_ns;
        }
        for (NodeId id : graph_.nodes()) count_copies(id);
    }

    /// False when every island is worth its copies.
    bool send_back() {
        std::vector<std::string> reasons;
        for (const PlacementIsland& i : placement_.islands)
            reasons.push_back(
                i.gain_ns >= i.copies_ns
                    ? std::string()
                    : fmt::format("its island of {} {} would win {:.3g} µs and lose {:.3g} µs "
                                  "to copies",
                                  i.nodes, i.nodes == 1 ? "node" : "nodes", i.gain_ns / 1e3,
                                  i.copies_ns / 1e3));
        bool sent = false;
        for (NodeId id : graph_.nodes()) {
            NodeAssignment& assigned = placement_.nodes[id.index];
            if (assigned.device() == nullptr || reasons[assigned.island].empty()) continue;
            assigned.reasons.push_back({assigned.provider->name(), reasons[assigned.island]});
            assigned.provider = &cpu_provider();
            assigned.host_inputs.clear();
            sent = true;
        }
        return sent;
    }

private:
    const Provider* provider(NodeId id) const { return placement_.nodes[id.index].provider; }

    std::size_t root(std::size_t node) {
        while (parents_[node] != node) node = parents_[node] = parents_[parents_[node]];
        return node;
    }

    std::vector<NodeId> producers(const Node& node) const {
        std::vector<NodeId> out;
        for (const auto* list : {&node.inputs, &node.captures})
            for (ValueId v : *list)
                if (v && graph_.value(v).kind == ValueKind::node_output)
                    out.push_back(graph_.value(v).producer);
        return out;
    }

    /// Of what the node reads from elsewhere, once for an island, and of what others read from it.
    void count_copies(NodeId id) {
        const NodeAssignment& assigned = placement_.nodes[id.index];
        if (assigned.device() == nullptr) return;
        PlacementIsland& island = placement_.islands[assigned.island];
        const Node& node = graph_.node(id);
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            if (!node.inputs[i] || assigned.reads_on(i) == nullptr) continue;
            const Value& value = graph_.value(node.inputs[i]);
            if (value.is_constant() || !copied_.insert({assigned.island, value.id.index}).second)
                continue;
            if (value.kind == ValueKind::node_output &&
                provider(value.producer) == assigned.provider)
                continue;
            island.copies_ns +=
                assigned.device()->copy_ns(CopyDirection::to_device, known_bytes(value.type));
        }
        for (ValueId v : node.outputs)
            if (v && is_read_elsewhere(graph_.value(v), assigned))
                island.copies_ns += assigned.device()->copy_ns(CopyDirection::to_host,
                                                               known_bytes(graph_.value(v).type));
    }

    bool is_read_elsewhere(const Value& value, const NodeAssignment& assigned) const {
        return value.output_uses != 0 || !value.captured_by.empty() ||
               std::ranges::any_of(value.uses, [&](const Use& use) {
                   const NodeAssignment& reader = placement_.nodes[use.node.index];
                   return reader.reads_on(use.input) != assigned.device() &&
                          reader.reads_elements(graph_.node(use.node), use.input);
               });
    }

    const Graph& graph_;
    DevicePlacement& placement_;
    // by NodeId::index: of the islands' trees
    std::vector<std::size_t> parents_;
    std::set<std::pair<std::size_t, std::uint32_t>> copied_;  // island and value
};

}  // namespace

void settle_islands(const Graph& graph, DevicePlacement& placement, const CancelToken& cancel) {
    for (bool sent = true; sent;) {
        cancel.throw_if_cancelled();
        Islands islands(graph, placement);
        islands.find();
        sent = islands.send_back();
    }
}

}  // namespace lapidary
