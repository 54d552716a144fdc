// SPDX-License-Identifier: Apache-2.0
// What optimizing did and nearly did, described member by member (lapidary/internal/members.h).
#pragma once

#include <lapidary/advice/near_miss_groups.h>
#include <lapidary/internal/measurement_members.h>
#include <lapidary/passes/optimize.h>

#include "worker/protocol/bytes/described_bytes.h"

namespace lapidary {

template <>
struct Members<GraphPath::Step> {
    using T = GraphPath::Step;
    static constexpr auto list =
        members<T>(member<&T::node>("node"), member<&T::attribute>("attribute"),
                   member<&T::index>("index"), member<&T::node_text>("node_text"));
};
template <>
struct Members<GraphPath> {
    using T = GraphPath;
    static constexpr auto list = members<T>(member<&T::steps>("steps"));
};
template <>
struct Members<Rewrite> {
    using T = Rewrite;
    static constexpr auto list = members<T>(
        member<&T::pass>("pass"), member<&T::remark>("remark"), member<&T::removed>("removed"),
        member<&T::added>("added"), member<&T::renamed>("renamed"), member<&T::changed>("changed"),
        member<&T::origins>("origins"), member<&T::origin_count>("origin_count"));
};
template <>
struct Members<NearMiss> {
    using T = NearMiss;
    static constexpr auto list =
        members<T>(member<&T::pass>("pass"), member<&T::place>("place"), member<&T::node>("node"),
                   member<&T::node_text>("node_text"), member<&T::reason>("reason"),
                   member<&T::shortfall>("shortfall"), member<&T::nodes>("nodes"));
};
template <>
struct Members<AppliedRewrite> {
    using T = AppliedRewrite;
    static constexpr auto list = members<T>(member<&T::place>("place"), member<&T::level>("level"),
                                            member<&T::rewrite>("rewrite"));
};
template <>
struct Members<PassRun> {
    using T = PassRun;
    static constexpr auto list = members<T>(
        member<&T::pass>("pass"), member<&T::level>("level"), member<&T::skipped>("skipped"),
        member<&T::applied>("applied"), member<&T::missed>("missed"),
        member<&T::node_change>("node_change"), member<&T::nanoseconds>("nanoseconds"));
};
template <>
struct Members<PipelineReport> {
    using T = PipelineReport;
    static constexpr auto list =
        members<T>(member<&T::level>("level"), member<&T::nodes_before>("nodes_before"),
                   member<&T::nodes_after>("nodes_after"), member<&T::passes>("passes"),
                   member<&T::rewrites>("rewrites"), member<&T::near_misses>("near_misses"),
                   member<&T::sweeps>("sweeps"), member<&T::fixed_point>("fixed_point"),
                   member<&T::nanoseconds>("nanoseconds"));
};
template <>
struct Members<TimeShares> {
    using T = TimeShares;
    static constexpr auto list =
        members<T>(member<&T::is_measured>("is_measured"), member<&T::by_node>("by_node"));
};

}  // namespace lapidary
