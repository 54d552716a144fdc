// SPDX-License-Identifier: Apache-2.0
// What compiling made of a model. No run changes it: all runs of a session read it at the same
// time.
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
    PipelineReport session_passes;  // what those of level session did to it
    SessionOptions options;
    std::unique_ptr<Plan> plan;
    std::vector<const Plan*> plans;  // by number
    PlacementReport placement;
    std::int64_t weight_bytes = 0;
    std::vector<Span> phases;
    std::int64_t origin_ns = steady_now_ns();
    std::shared_ptr<const ThreadSetup> setup;
    int threads = 1;          // inside of one step
    int steps_at_a_time = 1;  // more in parallel mode; those threads are shared

    bool is_parallel() const { return options.execution_mode == ExecutionMode::parallel; }
};

}  // namespace lapidary
