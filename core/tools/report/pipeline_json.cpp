// SPDX-License-Identifier: Apache-2.0
#include <lapidary/report/pipeline_json.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/files/atomic_file.h"
#include "report/pipeline_tree.h"

namespace lapidary {
namespace {

using Json = nlohmann::ordered_json;

Json ids(const std::vector<NodeId>& nodes) {
    Json list = Json::array();
    for (NodeId id : nodes) list.push_back(id.index);
    return list;
}

Json json_of(const GraphPath& path) {
    Json steps = Json::array();
    for (const GraphPath::Step& step : path.steps)
        steps.push_back(
            {{"node", step.node.index}, {"attribute", step.attribute}, {"index", step.index}});
    return steps;
}

Json json_of(const AppliedRewrite& applied, std::size_t number, const Model* model) {
    const Rewrite& rewrite = applied.rewrite;
    Json json = {{"number", number},
                 {"pass", rewrite.pass},
                 {"level", name_of(applied.level)},
                 {"place", applied.place.text()},
                 {"remark", rewrite.remark},
                 {"removed", ids(rewrite.removed)},
                 {"added", ids(rewrite.added)},
                 {"changed", ids(rewrite.changed)},
                 {"origins", ids(rewrite.origins)}};
    if (!applied.place.is_main()) json["path"] = json_of(applied.place);
    if (model && applied.place.is_main()) {
        Json nodes = Json::array();
        for (NodeId id : rewrite.added)
            if (model->graph.is_alive(id)) nodes.push_back(model->graph.node(id).describe());
        json["added_nodes_left"] = std::move(nodes);
    }
    json["renamed"] = Json::array();
    for (const auto& [from, to] : rewrite.renamed)
        json["renamed"].push_back({{"from", from}, {"to", to}});
    return json;
}

}  // namespace

PassTotals totals_of(const PipelineReport& report) {
    PassTotals totals;
    auto nodes = static_cast<std::ptrdiff_t>(report.nodes_after);
    for (const PassRun& run : report.passes)
        if (run.level == Level::session) nodes += run.node_change;
    totals.session_nodes = static_cast<std::size_t>(std::max<std::ptrdiff_t>(nodes, 0));
    for (const AppliedRewrite& applied : report.rewrites)
        ++(applied.level == Level::session ? totals.session_rewrites : totals.level_rewrites);
    return totals;
}

Json pipeline_tree(const PipelineReport& report, const Model* model, const TimeShares& shares) {
    Json json = {{"level", name_of(report.level)},
                 {"nodes_before", report.nodes_before},
                 {"nodes_after", report.nodes_after},
                 {"session_nodes", totals_of(report).session_nodes},
                 {"sweeps", report.sweeps},
                 {"fixed_point", report.fixed_point},
                 {"time_ms", static_cast<double>(report.nanoseconds) / 1e6}};
    json["passes"] = Json::array();
    for (const PassRun& run : report.passes) {
        Json pass = {{"pass", run.pass}, {"level", name_of(run.level)}};
        if (run.skipped.empty()) {
            pass.update({{"applied", run.applied},
                         {"missed", run.missed},
                         {"node_change", run.node_change},
                         {"time_ms", static_cast<double>(run.nanoseconds) / 1e6}});
        } else {
            pass["skipped"] = run.skipped;
        }
        json["passes"].push_back(std::move(pass));
    }
    json["rewrites"] = Json::array();
    for (std::size_t i = 0; i < report.rewrites.size(); ++i)
        json["rewrites"].push_back(json_of(report.rewrites[i], i + 1, model));
    json["near_misses"] = Json::array();
    for (const NearMiss& miss : report.near_misses)
        json["near_misses"].push_back({{"pass", miss.pass},
                                       {"place", miss.place.text()},
                                       {"node", miss.node.index},
                                       {"node_text", miss.node_text},
                                       {"reason", miss.reason},
                                       {"shortfall", miss.shortfall},
                                       {"nodes", ids(miss.nodes)}});
    json["near_miss_groups"] = Json::array();
    for (const NearMissGroup& group : group_near_misses(report, shares))
        json["near_miss_groups"].push_back({{"pass", group.pass},
                                            {"reason", group.reason},
                                            {"shortfall", group.shortfall},
                                            {"places", group.misses.size()},
                                            {"near_misses", group.misses},
                                            {"share", group.share ? Json(*group.share) : Json()},
                                            {"share_is_measured", shares.is_measured}});
    return json;
}

std::string pipeline_json(const PipelineReport& report, const Model* model,
                          const TimeShares& shares) {
    return pipeline_tree(report, model, shares).dump(2, ' ', false, Json::error_handler_t::replace);
}

void save_pipeline_json(const PipelineReport& report, const std::filesystem::path& path,
                        const Model* model, const TimeShares& shares) {
    AtomicFile file(path);
    file.write(pipeline_json(report, model, shares) + "\n");
    file.commit();
}

}  // namespace lapidary
