// SPDX-License-Identifier: Apache-2.0
// The result of compiling a model for a session. No run changes it, so that all runs of the session
// read it at the same time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <lapidary/graph/model.h>
#include <lapidary/exec/session_options.h>

#include "exec/plan/plan.h"
#include "base/threads/thread_setup.h"
#include "profile/recorder.h"

namespace lapidary {

/// A part of compiling, which recordings have as a span.
struct CompilePhase {
    std::string name;
    int depth = 0;                          // as Span::depth
    std::int64_t begin_ns = 0, end_ns = 0;  // since CompiledModel::origin_ns
};

struct CompiledModel {
    Model model;
    PipelineReport session_passes;  // of level session
    SessionOptions options;
    std::unique_ptr<Plan> plan;
    std::vector<const Plan*> plans;  // by Plan::number
    PlacementReport placement;
    std::int64_t weight_bytes = 0;
    std::vector<CompilePhase> phases;  // in the order of recordings
    std::int64_t origin_ns = steady_now_ns();
    std::shared_ptr<const ThreadSetup> setup;
    int threads = 1;          // inside one step
    int steps_at_a_time = 1;  // above 1 in parallel mode: the steps share the threads

    bool is_parallel() const { return options.resources.mode == ExecutionMode::parallel; }
};

}  // namespace lapidary
