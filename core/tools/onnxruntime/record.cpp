// SPDX-License-Identifier: Apache-2.0
#include <lapidary/internal/scratch_folder.h>

#include "engines/record_runs.h"
#include "onnxruntime/match_kernels.h"
#include "onnxruntime/open_session.h"
#include "onnxruntime/optimized_model.h"

namespace lapidary {
namespace {

constexpr const char* no_reason = "ONNX Runtime does not say why";

/// Names of the requested providers.
std::vector<std::string> wanted_providers(const OnnxRuntimeOptions& options) {
    std::vector<std::string> names;
    for (const OnnxRuntimeProvider& provider : options.providers)
        names.push_back(short_provider_name(provider.name));
    return names;
}

std::string full_op(const AssignedNode& node) {
    return node.domain.empty() || node.domain == "ai.onnx" ? node.op : node.domain + "::" + node.op;
}

PlacementReport placement_of(const std::vector<AssignedNode>& nodes,
                             const std::vector<std::string>& wanted,
                             const OriginalNodes* original) {
    PlacementReport report;
    for (const AssignedNode& node : nodes)
        report.nodes.push_back(
            placed_node(node.name, full_op(node), short_provider_name(node.provider),
                        original ? original->find(node.name) : NodeId(), wanted, no_reason));
    count_islands(report);
    return report;
}

}  // namespace

EngineRecord run_onnxruntime(const Model& model, const std::filesystem::path& file,
                             const OnnxRuntimeOptions& options, const EngineRuns& runs,
                             const Progress& progress) {
    const ScratchFolder folder;
    EngineRequest request{file, options, runs.inputs, {}};
    std::shared_ptr<const Model> optimized, named;
    if (runs.profile) {
        if ((named = with_names(model, folder.path() / "named.onnx", progress)))
            request.file = folder.path() / "named.onnx";
        progress.step("optimize in ONNX Runtime");
        optimized = onnxruntime_model(model, request, progress);
        request.profile_prefix = folder.path() / "profile";
    }
    progress.step("load into ONNX Runtime");
    std::filesystem::path found;
    const auto session = open_engine_session(request, found, progress.cancel);
    std::unique_ptr<Profile> profile;
    EngineRecord record = record_runs(*session, runs, progress, profile);
    record.name = "ONNX Runtime";
    record.path = found;
    std::optional<OriginalNodes> original;
    const Graph& graph = named ? named->graph : model.graph;  // ids are the same
    if (optimized) original.emplace(graph, optimized->graph);
    const OriginalNodes* known = original ? &*original : nullptr;
    if (profile) {
        profile->model_name = file.filename().string();
        if (options.resources.threads > 0) profile->threads = options.resources.threads;
        record.match = match_kernels(*profile, graph, known);
        record.profile = std::move(profile);
    }
    const std::vector<std::string> wanted = wanted_providers(options);
    if (const auto assigned = session->assignment())
        record.placement = placement_of(*assigned, wanted, known);
    else if (record.profile) record.placement = placement_of(*record.profile, wanted, no_reason);
    return record;
}

}  // namespace lapidary
