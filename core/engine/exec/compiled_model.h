// SPDX-License-Identifier: Apache-2.0
// The result of compiling a model for a session. No run changes it, so that all runs of the session
// read it at the same time.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <lapidary/graph/model.h>
#include <lapidary/profile/profile.h>
#include <lapidary/exec/session_options.h>

#include "exec/plan/plan.h"
#include "base/threads/thread_setup.h"
#include "profile/recorder.h"

namespace lapidary {

struct CompiledModel {
    Model model;
    PipelineReport session_passes;  // of level session
    SessionOptions options;
    std::unique_ptr<Plan> plan;
    std::vector<const Plan*> plans;  // by Plan::number
    PlacementReport placement;
    std::int64_t weight_bytes = 0;
    std::vector<Span> phases;
    std::int64_t origin_ns = steady_now_ns();
    std::shared_ptr<const ThreadSetup> setup;
    int threads = 1;          // inside one step
    int steps_at_a_time = 1;  // above 1 in parallel mode: the steps share the threads

    bool is_parallel() const { return options.resources.mode == ExecutionMode::parallel; }
};

}  // namespace lapidary
