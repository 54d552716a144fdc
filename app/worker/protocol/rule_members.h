// SPDX-License-Identifier: Apache-2.0
// Texts of rules described member by member (lapidary/internal/members.h).
#pragma once

#include <lapidary/internal/members.h>
#include <lapidary/passes/optimize.h>

namespace lapidary {

template <>
struct Members<RuleText> {
    using T = RuleText;
    static constexpr auto list =
        members<T>(member<&T::file>("file").required(), member<&T::text>("text").required());
};

}  // namespace lapidary
