// SPDX-License-Identifier: Apache-2.0
// Checks the invariant of planned memory after a step: it wrote into no bytes of another value that
// is still needed, in its frame or in the frames around it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "exec/run/frame.h"

namespace lapidary {

class WriteCheck {
public:
    /// Call when `step` of the frame has just run and its values are still there.
    WriteCheck(const Frame& frame, std::size_t step) : frame_(frame), step_(step) {}
    /// Throws internal naming both values.
    void require_own_bytes() const;

private:
    struct Bytes {
        const std::byte *begin, *end;
        const std::string* value;  // its name
        std::uint32_t index;       // ValueId::index
    };
    /// Planned bytes that the kernel may have written: its outputs, except those that were in place
    /// already.
    std::vector<Bytes> written() const;
    void require_apart(const std::vector<Bytes>& written, const Frame& frame) const;
    bool may_overwrite(std::uint32_t value) const;

    const Frame& frame_;
    const std::size_t step_;
};

}  // namespace lapidary
