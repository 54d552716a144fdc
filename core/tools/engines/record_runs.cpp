// SPDX-License-Identifier: Apache-2.0
#include "engines/record_runs.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/onnx_io/model_io.h>

namespace lapidary {

const std::string cpu_provider_name = "CPU";

namespace {

Profile without_warmups(Profile profile, int warmups) {
    const auto drop = [warmups](std::vector<Span>& spans) {
        std::erase_if(spans, [warmups](const Span& span) { return span.run < warmups; });
        for (Span& span : spans) span.run -= warmups;
    };
    drop(profile.run_spans);
    drop(profile.kernels);
    profile.ranges.clear();  // engines report none
    profile.runs = static_cast<int>(profile.run_spans.size());
    return profile;
}

}  // namespace

std::shared_ptr<const Model> with_names(const Model& model, const std::filesystem::path& file,
                                        const Progress& progress) {
    std::unordered_map<std::string_view, int> uses;
    for (const NodeId id : model.graph.nodes()) ++uses[model.graph.node(id).name];
    const bool all_differ =
        std::ranges::all_of(uses, [](const auto& use) { return use.second == 1; });
    if (!uses.contains("") && all_differ) return nullptr;
    auto named = std::make_shared<Model>(model);
    GraphEdit edit(named->graph);
    for (const NodeId id : model.graph.nodes()) {
        const Node& node = model.graph.node(id);
        if (!node.name.empty() && uses.at(node.name) == 1) continue;
        // as profiles here call it
        std::string name = node.op_type + "_" + std::to_string(id.index);
        while (uses.contains(name)) name += '_';
        edit.rename(id, name);
    }
    save_model(*named, file, {}, progress);
    return named;
}

EngineRecord record_runs(EngineSession& session, const EngineRuns& runs, const Progress& progress,
                         std::unique_ptr<Profile>& profile) {
    EngineRecord record;
    record.version = session.version();
    record.load_ms = session.load_ms();
    progress.step("run");
    record.run_ms = session.run(runs.warmups + std::max(1, runs.runs), progress.cancel);
    for (auto& [name, value] : session.outputs())
        if (!value.is_empty()) record.outputs.emplace_back(name, std::move(value));
    record.memory = session.memory();
    if (runs.profile) {
        progress.step("read the profile");
        profile = std::make_unique<Profile>(
            without_warmups(session.end_profiling(progress.cancel), runs.warmups));
    }
    record.log = session.log();
    return record;
}

NodePlacement placed_node(std::string name, const std::string& op, const std::string& provider,
                          NodeId node, const std::vector<std::string>& wanted,
                          const std::string& no_reason) {
    NodePlacement placement{node, std::move(name), op, provider, 0, false, {}};
    for (const std::string& asked : wanted) {
        if (asked == provider) break;
        if (asked != cpu_provider_name) placement.reasons.push_back({asked, no_reason});
    }
    return placement;
}

void count_islands(PlacementReport& report) {
    for (NodePlacement& node : report.nodes) {
        if (node.provider == cpu_provider_name) continue;
        const auto same =
            std::ranges::find(report.islands, node.provider, &PlacementIsland::provider);
        node.island = static_cast<std::size_t>(same - report.islands.begin());
        if (same == report.islands.end()) report.islands.push_back({node.provider, 1, 0, 0});
        else ++same->nodes;
    }
}

PlacementReport placement_of(const Profile& profile, const std::vector<std::string>& wanted,
                             const std::string& no_reason) {
    PlacementReport report;
    std::set<std::string> seen;
    for (const Span& span : profile.kernels) {
        const std::string &name = profile.name(span), &op = profile.op(span),
                          &provider = profile.provider(span);
        if (span.depth > 0 || !seen.insert(name).second) continue;
        if (span.kind == EventKind::copy) {
            const bool to_host = op == copy_to_host_name;
            const std::string &from = to_host ? provider : cpu_provider_name,
                              &to = to_host ? cpu_provider_name : provider;
            report.copies.push_back({{}, name, from, to, {}, -1});
        } else {
            report.nodes.push_back(placed_node(name, op, provider, span.node, wanted, no_reason));
        }
    }
    count_islands(report);
    return report;
}

}  // namespace lapidary
