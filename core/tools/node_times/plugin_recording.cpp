// SPDX-License-Identifier: Apache-2.0
#include <lapidary/internal/scratch_folder.h>
#include <lapidary/profile/trace_match.h>

#include "engines/plugin_options.h"
#include "engines/plugin_session.h"
#include "engines/record_runs.h"
#include "node_times/fused_nodes.h"
#include "node_times/recorded_engine.h"

namespace lapidary {
namespace {

class PluginRecording final : public SessionRecording {
public:
    PluginRecording(const RecordedModel& model, const PluginEngineOptions& options,
                    const Progress& progress)
        : SessionRecording(progress.cancel), found_(usable_engine(options.engine)),
          model_(model.model) {
        PluginRequest request{model.file, {}, options, model.inputs, true};
        named_ = with_names(*model_, folder_.path() / "named.onnx", progress);
        if (named_) request.file = folder_.path() / "named.onnx";
        session_ = open_plugin_session(request);
    }

    RecordedTimes finish(const Progress&) override {
        const Graph& graph = named_ ? named_->graph : model_->graph;  // ids are the same
        Profile profile = end_profiling();
        match_trace(profile, graph);
        RecordedTimes times = times_of(profile);
        times.name = found_.info.engine;
        times.place = found_.info.file;
        for (KernelTimes& kernel : times.kernels) kernel.ends_are_known = false;
        add_fused_nodes(graph, times.kernels);
        return times;
    }

private:
    const ScratchFolder folder_;
    const PluginEngine found_;
    const ModelPtr model_;
    std::shared_ptr<const Model> named_;
};

}  // namespace

std::unique_ptr<RecordedEngine> record_plugin(const RecordedModel& model,
                                              const PluginEngineOptions& options,
                                              const Progress& progress) {
    return std::make_unique<PluginRecording>(model, options, progress);
}

}  // namespace lapidary
