// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/module_differences.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "compare/compare_digest.h"

namespace lapidary::views {
namespace {

constexpr std::size_t mostModules = 24;  // bars; scopes are not split further than that
constexpr std::size_t deepest = 8;

/// The first levels of the scope in a node's name: "a/b" of "/a/b/c/Add"; fewer if it has
/// fewer.
std::string_view scopeOf(std::string_view name, std::size_t levels) {
    if (name.starts_with('/')) name.remove_prefix(1);
    const std::size_t own = name.rfind('/');
    if (own == std::string_view::npos) return {};
    name = name.substr(0, own);
    std::size_t end = 0;
    for (std::size_t level = 0; level < levels && end != std::string_view::npos; ++level)
        end = name.find('/', level == 0 ? 0 : end + 1);
    return name.substr(0, end);
}

using Modules = std::map<std::string, ModuleDifference, std::less<>>;

Modules modulesOf(const std::vector<NodeDifference>& nodes, std::size_t levels) {
    Modules modules;
    std::map<std::string_view, double> reach;  // squared, of the intervals
    for (const NodeDifference& node : nodes) {
        if (!node.node) continue;
        const std::string_view scope = scopeOf(node.name, levels);
        auto at = modules.find(scope);
        if (at == modules.end()) at = modules.emplace(std::string(scope), ModuleDifference()).first;
        ModuleDifference& module = at->second;
        const bool known = module.count == 0 || module.interval.has_value();
        ++module.count;
        module.a_ms += node.a_ms;
        module.b_ms += node.b_ms;
        if (!known || !node.interval) {
            module.interval.reset();
            continue;
        }
        const double half = (node.interval->second - node.interval->first) / 2;
        const double all = std::sqrt(reach[at->first] += half * half);
        module.interval = std::pair(module.difference() - all, module.difference() + all);
    }
    for (auto& [name, module] : modules) module.name = name;
    return modules;
}

/// "encoder/layer.0" of "bert/encoder/layer.0", where all begin with "bert".
void dropCommonScope(std::vector<ModuleDifference>& rows) {
    std::string common;
    for (const ModuleDifference& row : rows)
        if (row.kind == ModuleDifference::Kind::module && !row.name.empty()) {
            const std::string first = row.name.substr(0, row.name.find('/'));
            if (!common.empty() && common != first) return;
            common = first;
        }
    for (ModuleDifference& row : rows)
        if (row.name.size() > common.size() + 1 && row.name.starts_with(common + '/'))
            row.name.erase(0, common.size() + 1);
}

}  // namespace

std::vector<ModuleDifference> moduleDifferences(const std::vector<NodeDifference>& nodes,
                                                const std::pair<double, double>& wall) {
    Modules modules = modulesOf(nodes, 1);
    for (std::size_t levels = 2; levels <= deepest; ++levels) {
        Modules deeper = modulesOf(nodes, levels);
        if (deeper.size() > mostModules) break;
        modules = std::move(deeper);
    }
    if (modules.size() < 2) return {};
    using Kind = ModuleDifference::Kind;
    std::vector<ModuleDifference> rows{{Kind::start, {}, 0, wall.first, wall.first, {}}};
    ModuleDifference noise{Kind::noise}, rest{Kind::rest}, overhead{Kind::overhead};
    overhead.a_ms = wall.first, overhead.b_ms = wall.second;
    for (auto& [name, module] : modules) {
        overhead.a_ms -= module.a_ms, overhead.b_ms -= module.b_ms;
        if (module.isSignificant() || !module.interval) {
            rows.push_back(std::move(module));
            continue;
        }
        ++noise.count;
        noise.a_ms += module.a_ms, noise.b_ms += module.b_ms;
    }
    std::ranges::stable_sort(
        rows.begin() + 1, rows.end(), std::greater<>(),
        [](const ModuleDifference& row) { return std::abs(row.difference()); });
    for (const NodeDifference& node : nodes)
        if (!node.node) rest.a_ms += node.a_ms, rest.b_ms += node.b_ms;
    overhead.a_ms -= rest.a_ms, overhead.b_ms -= rest.b_ms;
    if (noise.count > 0) rows.push_back(std::move(noise));
    if (rest.a_ms > 0 || rest.b_ms > 0) rows.push_back(std::move(rest));
    rows.push_back(std::move(overhead));
    rows.push_back({Kind::end, {}, 0, wall.second, wall.second, {}});
    dropCommonScope(rows);
    return rows;
}

}  // namespace lapidary::views
