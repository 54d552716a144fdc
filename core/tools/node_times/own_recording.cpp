// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/exec/session.h>

#include "bench/engines/configured_engine.h"
#include "node_times/recorded_engine.h"

namespace lapidary {
namespace {

class OwnRecording final : public RecordedEngine {
public:
    OwnRecording(const RecordedModel& model, Level level, const SessionOptions& options,
                 const Progress& progress)
        : original_(model.model), inputs_(model.inputs),
          session_(
              Session::compile(model_at_level(model.model, level, progress), options, progress)) {
        run_.cancel = progress.cancel;
    }

    void run(bool is_measured) override {
        run_.profile = is_measured;
        const RunResult result = session_.run(inputs_, run_);
        if (!is_measured) return;
        if (!result.profile) fail(ErrorCode::internal, "the session returned no profile");
        table_.add(*result.profile, {0});
    }

    RecordedTimes finish(const Progress&) override {
        RecordedTimes times = table_.take();
        times.name = "Lapidary";
        const Graph &executed = session_.model().graph, &original = original_->graph;
        for (KernelTimes& kernel : times.kernels) {
            std::vector<NodeId> origins;
            for (const NodeId id : kernel.nodes)
                if (executed.is_alive(id))
                    for (const NodeId origin : executed.node(id).origins)
                        if (original.is_alive(origin)) origins.push_back(origin);
            kernel.nodes = std::move(origins);
        }
        return times;
    }

private:
    const ModelPtr original_;
    const NamedValues inputs_;
    Session session_;
    RunOptions run_;
    KernelTimesTable table_;
};

}  // namespace

std::unique_ptr<RecordedEngine> record_own(const RecordedModel& model, Level level,
                                           const SessionOptions& options,
                                           const Progress& progress) {
    return std::make_unique<OwnRecording>(model, level, options, progress);
}

}  // namespace lapidary
