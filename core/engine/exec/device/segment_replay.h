// SPDX-License-Identifier: Apache-2.0
// Repeats recorded segments of a frame's steps instead of running the steps (captured_segment.h).
#pragma once

#include <cstddef>
#include <vector>

#include "exec/device/captured_segment.h"

namespace lapidary {

class SegmentReplay {
public:
    /// For the main plan, once its device memory is planned. `pattern`: of its host memory.
    void find(const Plan& plan, const DeviceMemory& memory, const MemoryPattern& pattern);
    void begin_run() { next_ = 0; }
    /// If a segment begins at `step` and can be repeated: repeats it, moves `step` behind it and
    /// returns true. Else the caller runs the step and then calls note_walked(). `slots`: of the
    /// frame. `memory` is null only if find() was never called.
    bool repeat(std::size_t& step, std::vector<RuntimeValue>& slots, DeviceMemory* memory) {
        return next_ < segments_.size() && segments_[next_].begin() == step &&
               repeat_next(step, slots, *memory);
    }
    /// The caller ran the step before `step`.
    void note_walked(std::size_t step, const std::vector<RuntimeValue>& slots,
                     DeviceMemory* memory) {
        if (next_ < segments_.size() && segments_[next_].end() == step)
            segments_[next_++].note_walked(slots, *memory);
    }

private:
    bool repeat_next(std::size_t& step, std::vector<RuntimeValue>& slots, DeviceMemory& memory);

    std::vector<CapturedSegment> segments_;
    std::size_t next_ = 0;  // the first segment whose end this run has not reached
};

}  // namespace lapidary
