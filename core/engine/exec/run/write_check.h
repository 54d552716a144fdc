// SPDX-License-Identifier: Apache-2.0
// Checks the invariant of planned memory after each step of a sequential run
// (SessionOptions::check_writes): the step wrote into no bytes of another value that is still
// needed, in its frame or in the frames around it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "exec/run/frame_values.h"
#include "exec/run/step_context.h"

namespace lapidary {

class WriteCheck {
public:
    /// Of the frame with those values; `outer`: of the frame around it, null: there is none.
    WriteCheck(const FrameValues& values, const WriteCheck* outer)
        : values_(values), outer_(outer) {}
    /// After the inputs are set.
    void begin_run();
    /// Call when `step` has just run and its values are still there. Throws internal naming both
    /// values.
    void check(const StepContext& step);

private:
    struct Bytes {
        const std::byte *begin, *end;
        const std::string* value;  // its name
        std::uint32_t index;       // ValueId::index
    };
    /// Planned bytes that the kernel may have written: its outputs, except those that were in place
    /// already.
    std::vector<Bytes> written(const StepContext& step) const;
    bool may_overwrite(const StepContext& step, std::uint32_t value) const;
    /// Throws internal if a live value of `frame`, this one or one around it, lies in those bytes.
    void require_apart(const StepContext& step, const std::vector<Bytes>& written,
                       const WriteCheck& frame) const;

    const FrameValues& values_;
    const WriteCheck* const outer_;
    std::vector<std::uint32_t> live_;  // values that exist and are still needed
};

}  // namespace lapidary
