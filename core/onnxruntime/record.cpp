// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>

#include <lapidary/error.h>
#include <lapidary/graph_edit.h>
#include <lapidary/model_io.h>
#include <lapidary/scratch_folder.h>
#include <lapidary/trace_file.h>

#include "onnxruntime/engine_session.h"
#include "onnxruntime/match_kernels.h"

namespace lapidary {
namespace {

constexpr std::uint64_t largest_optimized = 1'500'000'000;  // bytes: what one file of a model can hold for sure
constexpr const char* no_reason = "ONNX Runtime does not say why";
const std::string cpu_name = "CPU";

bool is_cpu(const OnnxRuntimeProvider& provider) { return short_provider_name(provider.name) == cpu_name; }

/// The graph that ONNX Runtime runs, by a session of its own, for what a recorded one takes is measured; null where it
/// cannot be had.
std::shared_ptr<const Model> optimized_model(const Model& model, const EngineRequest& request,
                                             const Progress& progress) {
    if (model.file_bytes + model.external_bytes > largest_optimized) return nullptr;
    const ScratchFolder folder;
    EngineRequest writing = request;
    writing.profile_prefix.clear();
    writing.options.optimized_model = folder.path() / "optimized.onnx";
    try {
        std::filesystem::path found;
        open_engine_session(writing, found, progress.cancel).reset();
        return std::make_shared<const Model>(load_model(writing.options.optimized_model, {}, progress));
    } catch (const Error& error) {
        if (error.code() == ErrorCode::cancelled) throw;
        return nullptr;  // compiled nodes, or an operator of its own that is not known here: names have to do
    }
}

/// The model with a name for each node of the main graph: ONNX Runtime's kernels are called by it. Null: they have
/// names, each its own.
std::shared_ptr<const Model> with_names(const Model& model, const std::filesystem::path& file,
                                        const Progress& progress) {
    std::unordered_map<std::string_view, int> uses;
    for (const NodeId id : model.graph.nodes()) ++uses[model.graph.node(id).name];
    const bool all_differ = std::ranges::all_of(uses, [](const auto& use) { return use.second == 1; });
    if (!uses.contains("") && all_differ) return nullptr;
    auto named = std::make_shared<Model>(model);
    GraphEdit edit(named->graph);
    for (const NodeId id : model.graph.nodes()) {
        const Node& node = model.graph.node(id);
        if (!node.name.empty() && uses.at(node.name) == 1) continue;
        std::string name = node.op_type + "_" + std::to_string(id.index);  // as profiles here call it
        while (uses.contains(name)) name += '_';
        edit.rename(id, name);
    }
    save_model(*named, file, {}, progress);
    return named;
}

/// The measured runs alone.
Profile without_warmups(Profile profile, int warmups) {
    const auto drop = [warmups](std::vector<Span>& spans) {
        std::erase_if(spans, [warmups](const Span& span) { return span.run < warmups; });
        for (Span& span : spans) span.run -= warmups;
    };
    drop(profile.run_spans);
    drop(profile.kernels);
    profile.ranges.clear();  // it tells none
    profile.runs = static_cast<int>(profile.run_spans.size());
    return profile;
}

NodePlacement placed(std::string name, const std::string& op, const std::string& provider, NodeId node,
                     const OnnxRuntimeOptions& options) {
    NodePlacement placement{node, std::move(name), op, short_provider_name(provider), 0, false, {}};
    for (const OnnxRuntimeProvider& asked : options.providers) {
        const std::string asked_name = short_provider_name(asked.name);
        if (asked_name == placement.provider) break;
        if (!is_cpu(asked)) placement.reasons.push_back({asked_name, no_reason});
    }
    return placement;
}

void count_islands(PlacementReport& report) {
    for (NodePlacement& node : report.nodes) {
        if (node.provider == cpu_name) continue;
        const auto same = std::ranges::find(report.islands, node.provider, &PlacementIsland::provider);
        node.island = static_cast<std::size_t>(same - report.islands.begin());
        if (same == report.islands.end()) report.islands.push_back({node.provider, 1, 0, 0});
        else ++same->nodes;
    }
}

std::string full_op(const AssignedNode& node) {
    return node.domain.empty() || node.domain == "ai.onnx" ? node.op : node.domain + "::" + node.op;
}

PlacementReport placement_of(const std::vector<AssignedNode>& nodes, const OnnxRuntimeOptions& options,
                             const OriginalNodes* original) {
    PlacementReport report;
    for (const AssignedNode& node : nodes)
        report.nodes.push_back(
            placed(node.name, full_op(node), node.provider, original ? original->find(node.name) : NodeId(), options));
    count_islands(report);
    return report;
}

/// Of a release that does not tell: from what ran.
PlacementReport placement_of(const Profile& profile, const OnnxRuntimeOptions& options) {
    PlacementReport report;
    std::set<std::string> seen;
    for (const Span& span : profile.kernels) {
        if (span.depth > 0 || !seen.insert(span.name).second) continue;
        if (span.kind == EventKind::copy) {
            const bool to_host = span.op == "MemcpyToHost";
            const std::string &from = to_host ? span.provider : cpu_name, &to = to_host ? cpu_name : span.provider;
            report.copies.push_back({{}, span.name, from, to, {}, -1});
        } else {
            report.nodes.push_back(placed(span.name, span.op, span.provider, span.node, options));
        }
    }
    count_islands(report);
    return report;
}

}  // namespace

OnnxRuntimeRecord run_onnxruntime(const Model& model, const std::filesystem::path& file,
                                  const OnnxRuntimeOptions& options, const OnnxRuntimeRuns& runs,
                                  const Progress& progress) {
    const ScratchFolder folder;
    EngineRequest request{file, options, runs.inputs, {}};
    std::shared_ptr<const Model> optimized, named;
    if (runs.profile) {
        if ((named = with_names(model, folder.path() / "named.onnx", progress)))
            request.file = folder.path() / "named.onnx";
        progress.step("optimize in ONNX Runtime");
        optimized = optimized_model(model, request, progress);
        request.profile_prefix = folder.path() / "profile";
    }
    OnnxRuntimeRecord record;
    progress.step("load into ONNX Runtime");
    const auto session = open_engine_session(request, record.path, progress.cancel);
    record.version = session->version();
    record.load_ms = session->load_ms();
    progress.step("run");
    const int measured = std::max(1, runs.runs);
    record.run_ms = session->run(runs.warmups + measured, progress.cancel);
    for (auto& [name, value] : session->outputs())
        if (!value.is_empty()) record.outputs.emplace_back(name, std::move(value));
    record.memory = session->memory();
    std::optional<OriginalNodes> original;
    const Graph& graph = named ? named->graph : model.graph;  // ids are the same
    if (optimized) original.emplace(graph, optimized->graph);
    const OriginalNodes* known = original ? &*original : nullptr;
    if (runs.profile) {
        progress.step("read the profile");
        LoadedTrace trace = load_trace(session->end_profiling(), progress.cancel);
        Profile profile = without_warmups(std::move(trace.profile), runs.warmups);
        profile.model_name = file.filename().string();
        if (options.intra_threads > 0) profile.threads = options.intra_threads;
        record.match = match_kernels(profile, graph, known);
        record.profile = std::make_shared<const Profile>(std::move(profile));
    }
    if (const auto assigned = session->assignment()) record.placement = placement_of(*assigned, options, known);
    else if (record.profile) record.placement = placement_of(*record.profile, options);
    record.log = session->log();
    return record;
}

void write_onnxruntime_model(const std::filesystem::path& file, const std::filesystem::path& out,
                             const OnnxRuntimeOptions& options, const Progress& progress) {
    const ScratchFolder folder;
    EngineRequest request{file, options, {}, {}};
    request.options.optimized_model = folder.path() / "optimized.onnx";
    progress.step("optimize in ONNX Runtime");
    std::filesystem::path found;
    open_engine_session(request, found, progress.cancel).reset();
    save_model(load_model(request.options.optimized_model, {}, progress), out, {}, progress);
}

}  // namespace lapidary
