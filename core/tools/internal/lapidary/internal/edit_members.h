// SPDX-License-Identifier: Apache-2.0
// What edits report, described member by member (members.h).
#pragma once

#include <lapidary/edit/apply_edits.h>
#include <lapidary/internal/members.h>

namespace lapidary {

template <>
struct Members<EditProblem> {
    using T = EditProblem;
    static constexpr auto list = members<T>(
        member<&T::node>("node"), member<&T::node_id>("node_id"), member<&T::reason>("reason"));
};
template <>
struct Members<ChangedType> {
    using T = ChangedType;
    static constexpr auto list = members<T>(
        member<&T::value>("value"), member<&T::before>("before"), member<&T::after>("after"));
};
template <>
struct Members<EditLineReport> {
    using T = EditLineReport;
    static constexpr auto list = members<T>(
        member<&T::line>("line"), member<&T::text>("text"),
        member<&T::nodes_matched>("nodes_matched"), member<&T::values_matched>("values_matched"),
        member<&T::nodes_added>("nodes_added"), member<&T::nodes_removed>("nodes_removed"),
        member<&T::nodes_changed>("nodes_changed"), member<&T::values_added>("values_added"),
        member<&T::values_removed>("values_removed"), member<&T::types>("types"),
        member<&T::type_count>("type_count"), member<&T::keeps_results>("keeps_results"),
        member<&T::notes>("notes"), member<&T::problems>("problems"));
};
template <>
struct Members<EditReport> {
    using T = EditReport;
    static constexpr auto list =
        members<T>(member<&T::lines>("lines"), member<&T::problems>("problems"),
                   member<&T::nodes_before>("nodes_before"), member<&T::nodes_after>("nodes_after"),
                   member<&T::keeps_results>("keeps_results"), unsent<&T::parts>());
};

}  // namespace lapidary
