// SPDX-License-Identifier: Apache-2.0
#include "node_times/recorded_engine.h"

namespace lapidary {

void SessionRecording::run(bool is_measured) {
    cancel_.throw_if_cancelled();
    session_->run_once();
    if (is_measured) measured_.push_back(runs_);
    ++runs_;
}

RecordedTimes SessionRecording::times_of(const Profile& profile) const {
    KernelTimesTable table;
    table.add(profile, measured_);
    RecordedTimes times = table.take();
    times.version = session_->version();
    return times;
}

}  // namespace lapidary
