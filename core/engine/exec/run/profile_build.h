// SPDX-License-Identifier: Apache-2.0
// Records the runs of one Session::run() call and makes a Profile of the events.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include <lapidary/profile/profile.h>

#include "exec/compiled_model.h"
#include "exec/plan/plan.h"
#include "exec/run/run_state.h"

namespace lapidary {

class ProfileBuild {
public:
    /// `lanes`: threads that walk the plan at the same time. Attaches the recorder to `run` and the
    /// threads until destruction.
    ProfileBuild(const std::vector<const Plan*>& plans, SessionThreads& threads, int lanes,
                 Budget& budget, std::int64_t origin_ns, RunState& run);
    ~ProfileBuild();
    void begin_run();
    void end_run();
    /// The newest run failed: leaves it out, and all events after it.
    void drop_run();
    /// The recording, with the phases of compiling in front.
    std::shared_ptr<Profile> finish(const CompiledModel& compiled);

private:
    void add_runs(Profile& profile) const;
    void add_events(Profile& profile) const;
    const std::vector<const Plan*>& plans_;
    SessionThreads& threads_;
    Budget& budget_;
    std::int64_t origin_ns_;
    Recorder recorder_;
    RangeObserver observer_;
    MemoryObserver memory_;
    RecordedTypes types_;
    std::vector<std::pair<std::int64_t, std::int64_t>> runs_;
    // nanoseconds, on the clock of runs_
    std::int64_t kept_until_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace lapidary
