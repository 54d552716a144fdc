// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include <lapidary/internal/scratch_folder.h>

#include "bench/peers/python_places.h"
#include "engines/record_runs.h"
#include "node_times/fused_nodes.h"
#include "node_times/recorded_engine.h"
#include "onnxruntime/match_kernels.h"
#include "onnxruntime/open_session.h"
#include "onnxruntime/optimized_model.h"

namespace lapidary {
namespace {

constexpr double tick_ms = 0.001;  // its profiles count whole microseconds

/// Nodes of `original` that write the values of these names that a node of `optimized` writes.
class WrittenValues {
public:
    WrittenValues(const Graph& original, const Graph& optimized)
        : original_(original), optimized_(optimized) {
        for (const NodeId id : optimized.nodes()) {
            const auto [at, is_new] = nodes_.try_emplace(optimized.node(id).name, id);
            if (!is_new) at->second = NodeId();  // which of them is not known
        }
    }

    void complete(KernelTimes& kernel) const {
        kernel.ends_are_known = false;
        const auto found = nodes_.find(kernel.name);
        if (found == nodes_.end() || !found->second) return;
        for (const ValueId output : optimized_.node(found->second).outputs) {
            if (!output) continue;
            const ValueId same = original_.find_value(optimized_.value(output).name);
            const NodeId producer = same ? original_.value(same).producer : NodeId();
            if (!producer) continue;
            kernel.ends_are_known = true;
            if (std::ranges::find(kernel.nodes, producer) == kernel.nodes.end())
                kernel.nodes.push_back(producer);
        }
    }

private:
    const Graph& original_;
    const Graph& optimized_;
    std::unordered_map<std::string, NodeId> nodes_;  // of optimized_, by name
};

class OnnxRuntimeRecording final : public SessionRecording {
public:
    OnnxRuntimeRecording(const RecordedModel& model, const OnnxRuntimeOptions& options,
                         const Progress& progress)
        : SessionRecording(progress.cancel), model_(model.model) {
        EngineRequest request{model.file, options, model.inputs, {}};
        named_ = with_names(*model_, folder_.path() / "named.onnx", progress);
        if (named_) request.file = folder_.path() / "named.onnx";
        progress.step("optimize in ONNX Runtime");
        optimized_ = onnxruntime_model(*model_, request, progress);
        request.profile_prefix = folder_.path() / "profile";
        progress.step("load into ONNX Runtime");
        session_ = open_engine_session(request, place_, progress.cancel);
    }

    RecordedTimes finish(const Progress& progress) override {
        progress.step("read the profile");
        const Graph& graph = named_ ? named_->graph : model_->graph;  // ids are the same
        Profile profile = end_profiling();
        std::optional<OriginalNodes> original;
        if (optimized_) original.emplace(graph, optimized_->graph);
        match_kernels(profile, graph, original ? &*original : nullptr);
        RecordedTimes times = times_of(profile);
        times.name = "ONNX Runtime";
        times.place = place_;
        times.resolution_ms = tick_ms;
        if (optimized_) {
            const WrittenValues written(graph, optimized_->graph);
            for (KernelTimes& kernel : times.kernels) written.complete(kernel);
        } else {
            for (KernelTimes& kernel : times.kernels) kernel.ends_are_known = false;
        }
        add_fused_nodes(graph, times.kernels);
        return times;
    }

    bool is_in_other_process() const override { return is_python(place_); }

private:
    const ScratchFolder folder_;
    const ModelPtr model_;
    std::shared_ptr<const Model> named_, optimized_;
    std::filesystem::path place_;
};

}  // namespace

std::unique_ptr<RecordedEngine> record_onnxruntime(const RecordedModel& model,
                                                   const OnnxRuntimeOptions& options,
                                                   const Progress& progress) {
    return std::make_unique<OnnxRuntimeRecording>(model, options, progress);
}

}  // namespace lapidary
