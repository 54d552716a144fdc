// SPDX-License-Identifier: Apache-2.0
#include <lapidary/cost/source_costs.h>

#include <algorithm>
#include <map>
#include <set>

#include <lapidary/graph/node_source.h>

namespace lapidary {
namespace {

using ByName = std::map<std::string, SourceCost>;

void add(ByName& all, const std::string& name, double ms, double own_ms) {
    SourceCost& cost = all[name];
    cost.name = name;
    cost.ms += ms;
    cost.own_ms += own_ms;
    ++cost.nodes;
}

void add_classes(ByName& all, const NodeSource& source, double ms) {
    std::set<std::string> around;
    std::string innermost;
    for (const SourceModule& module : source.modules) {
        if (module.class_name.empty()) continue;
        innermost = module.class_name;
        around.insert(innermost);
    }
    if (around.empty()) return add(all, {}, ms, ms);
    for (const std::string& name : around) add(all, name, ms, name == innermost ? ms : 0);
}

void add_lines(ByName& all, const NodeSource& source, double ms) {
    if (source.lines.empty()) return add(all, {}, ms, ms);
    const double part = ms / static_cast<double>(source.lines.size());
    for (const SourceLine& line : source.lines) {
        add(all, line.text(), part, part);
        all[line.text()].code = line.code;
    }
}

}  // namespace

std::vector<SourceCost> source_costs(const Graph& graph, const std::vector<NodeCost>& costs,
                                     SourceUnit unit, double whole_ms) {
    ByName all;
    for (const NodeCost& cost : costs) {
        const NodeSource source = source_of(graph.node(cost.node));
        if (unit == SourceUnit::line) add_lines(all, source, cost.ms);
        else add_classes(all, source, cost.ms);
    }
    std::vector<SourceCost> sorted;
    for (auto& [name, cost] : all) {
        cost.share = whole_ms > 0 ? cost.ms / whole_ms : 0;
        sorted.push_back(std::move(cost));
    }
    std::ranges::stable_sort(sorted, [](const SourceCost& a, const SourceCost& b) {
        if (a.name.empty() != b.name.empty()) return b.name.empty();
        return a.ms > b.ms;
    });
    return sorted;
}

std::vector<NodeCost> node_costs(const Graph& graph, const std::vector<NodeTotal>& totals) {
    std::vector<NodeCost> costs;
    for (const NodeTotal& total : totals) {
        if (!total.node || !graph.is_alive(total.node)) continue;
        costs.push_back({total.node, total.name, total.op, total.ms, total.share, 1});
    }
    return costs;
}

}  // namespace lapidary
