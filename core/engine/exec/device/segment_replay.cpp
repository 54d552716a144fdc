// SPDX-License-Identifier: Apache-2.0
#include "exec/device/segment_replay.h"

namespace lapidary {

void SegmentReplay::find(const Plan& plan, const DeviceMemory& memory,
                         const MemoryPattern& pattern) {
    segments_ = find_segments(plan, memory, pattern);
}

bool SegmentReplay::repeat_next(std::size_t& step, std::vector<RuntimeValue>& slots,
                                DeviceMemory& memory) {
    if (!segments_[next_].repeat(slots, memory)) return false;
    step = segments_[next_++].end();
    return true;
}

}  // namespace lapidary
