// SPDX-License-Identifier: Apache-2.0
#include "worker/jobs/export_changes.h"

#include <algorithm>
#include <functional>
#include <span>
#include <utility>

namespace lapidary::app {
namespace {

using Port = std::pair<std::string, Type>;

std::vector<Port> ports_of(const Graph& graph, std::span<const ValueId> ids) {
    std::vector<Port> ports;
    for (const ValueId id : ids) ports.emplace_back(graph.value(id).name, graph.value(id).type);
    return ports;
}

void add_changed(std::vector<ChangedPort>& changes, bool is_output, const std::vector<Port>& before,
                 const std::vector<Port>& after) {
    for (const auto& [name, type] : before) {
        const auto same = std::ranges::find(after, name, &Port::first);
        ChangedPort change{is_output, name, to_string(type), {}};
        if (same != after.end()) change.after = to_string(same->second);
        if (change.after != change.before) changes.push_back(std::move(change));
    }
}

UpgradedNode upgraded_node(const AppliedRewrite& applied, const Graph& graph) {
    const Rewrite& rewrite = applied.rewrite;
    UpgradedNode upgraded{{}, rewrite.remark, rewrite.pass};
    const auto& nodes = rewrite.added.empty() ? rewrite.changed : rewrite.added;
    if (applied.place.is_main() && !nodes.empty() && graph.is_alive(nodes.back()))
        upgraded.node = graph.node(nodes.back()).describe();
    return upgraded;
}

WeightPlaces places_of_weights(const Graph& graph, std::uint64_t least) {
    WeightPlaces places;
    for (const ValueId id : graph.values()) {
        const Value& value = graph.value(id);
        if (!value.constant) continue;
        const std::uint64_t bytes = value.constant->byte_size();
        if (value.constant->dtype() == DType::string || bytes < least) {
            places.inside_bytes += bytes;
            continue;
        }
        ++places.beside_count;
        places.beside_bytes += bytes;
        places.beside.push_back({value.name, bytes});
    }
    std::ranges::sort(places.beside, [](const MovedWeight& a, const MovedWeight& b) {
        return std::pair(b.bytes, b.name) < std::pair(a.bytes, a.name);
    });
    if (places.beside.size() > most_listed_changes) places.beside.resize(most_listed_changes);
    return places;
}

}  // namespace

ExportChanges changes_of(const Model& before, const ExportResult& exported,
                         std::optional<std::uint64_t> external_bytes) {
    const Graph& old = before.graph;
    const Graph& graph = exported.model.graph;
    ExportChanges changes;
    changes.nodes_before = std::int64_t(count_nodes(old));
    changes.opset_before = before.opset();
    changes.opset = exported.model.opset();
    add_changed(changes.ports, false, ports_of(old, old.inputs()), ports_of(graph, graph.inputs()));
    add_changed(changes.ports, true, ports_of(old, old.outputs()),
                ports_of(graph, graph.outputs()));
    for (const PassRun& run : exported.report.passes)
        if (run.node_change < 0) changes.removed.push_back({run.pass, -run.node_change});
    changes.upgraded_count = exported.upgraded.size();
    for (const AppliedRewrite& applied : exported.upgraded) {
        if (changes.upgraded.size() == most_listed_changes) break;
        changes.upgraded.push_back(upgraded_node(applied, graph));
    }
    if (external_bytes) changes.weights = places_of_weights(graph, *external_bytes);
    return changes;
}

}  // namespace lapidary::app
