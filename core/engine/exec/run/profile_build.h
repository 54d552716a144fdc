// SPDX-License-Identifier: Apache-2.0
// Records the runs of one Session::run() call and resolves the events into a Profile.
#pragma once

#include <limits>
#include <memory>
#include <vector>

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
    std::shared_ptr<Profile> finish(const std::vector<Span>& phases, const Model& model,
                                    std::int64_t weight_bytes);

private:
    Span resolve(const ProfileEvent& event) const;
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
