// SPDX-License-Identifier: Apache-2.0
// A model in an engine that records each run node by node.
#pragma once

#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include <lapidary/base/progress.h>
#include <lapidary/graph/model.h>
#include <lapidary/node_times/node_comparison.h>

#include "engines/engine_session.h"
#include "node_times/kernel_times.h"

namespace lapidary {

class RecordedEngine {
public:
    virtual ~RecordedEngine() = default;
    /// One run. Throws cancelled.
    virtual void run(bool is_measured) = 0;
    /// The times of the measured runs; nodes are those of the model. Called once, at the end.
    virtual RecordedTimes finish(const Progress& progress) = 0;
    /// The process that runs it is another one, whose threads this one cannot wait for.
    virtual bool is_in_other_process() const { return false; }
};

/// A model for recording.
struct RecordedModel {
    ModelPtr model;
    std::filesystem::path file;  // that holds it
    NamedValues inputs;          // of each run
};

/// In this program's own engine.
std::unique_ptr<RecordedEngine> record_own(const RecordedModel& model, Level level,
                                           const SessionOptions& options, const Progress& progress);
/// Throws as run_onnxruntime().
std::unique_ptr<RecordedEngine> record_onnxruntime(const RecordedModel& model,
                                                   const OnnxRuntimeOptions& options,
                                                   const Progress& progress);
/// Throws as run_plugin_engine().
std::unique_ptr<RecordedEngine> record_plugin(const RecordedModel& model,
                                              const PluginEngineOptions& options,
                                              const Progress& progress);

/// Counts the runs of a session that was opened for profiling.
class SessionRecording : public RecordedEngine {
public:
    void run(bool is_measured) final;

protected:
    explicit SessionRecording(CancelToken cancel) : cancel_(std::move(cancel)) {}
    /// The profile of all runs, whose kernels have the engine's names.
    Profile end_profiling() { return session_->end_profiling(cancel_); }
    /// Of such a profile whose kernels were matched with the nodes of the model.
    RecordedTimes times_of(const Profile& profile) const;

    std::unique_ptr<EngineSession> session_;
    const CancelToken cancel_;

private:
    int runs_ = 0;
    std::vector<int> measured_;  // numbers of runs
};

}  // namespace lapidary
