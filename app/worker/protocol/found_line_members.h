// SPDX-License-Identifier: Apache-2.0
// Lines of a finding, described member by member (lapidary/internal/members.h).
#pragma once

#include <lapidary/inspect/difference_text.h>
#include <lapidary/internal/members.h>

namespace lapidary {

template <>
struct Members<FoundLine> {
    using T = FoundLine;
    static constexpr auto list = members<T>(member<&T::title>("title"), member<&T::text>("text"));
};

}  // namespace lapidary
