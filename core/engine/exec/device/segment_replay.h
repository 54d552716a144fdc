// SPDX-License-Identifier: Apache-2.0
// Repeats segments of a frame's steps where it can, instead of walking them (captured_segment.h).
#pragma once

#include <cstddef>
#include <vector>

#include "exec/device/captured_segment.h"

namespace lapidary {

class SegmentReplay {
public:
    /// Of a plan that is no subgraph's, once its device memory is planned. `pattern`: of its host
    /// memory.
    void find(const Plan& plan, const DeviceMemory& memory, const MemoryPattern& pattern);
    void begin_run() { next_ = 0; }
    /// When a segment begins at `step` and can be repeated: does so, moves `step` behind it and
    /// returns true. Else the step has to be walked, and note_walked() called then. `slots`: of the
    /// frame. `memory` is null only where find() was never called.
    bool repeat(std::size_t& step, std::vector<RuntimeValue>& slots, DeviceMemory* memory) {
        return next_ < segments_.size() && segments_[next_].begin() == step &&
               repeat_next(step, slots, *memory);
    }
    /// The step before `step` was walked.
    void note_walked(std::size_t step, const std::vector<RuntimeValue>& slots,
                     DeviceMemory* memory) {
        if (next_ < segments_.size() && segments_[next_].end() == step)
            segments_[next_++].note_walked(slots, *memory);
    }

private:
    bool repeat_next(std::size_t& step, std::vector<RuntimeValue>& slots, DeviceMemory& memory);

    std::vector<CapturedSegment> segments_;
    std::size_t next_ = 0;  // that this run has not come to the end of
};

}  // namespace lapidary
