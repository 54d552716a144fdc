// SPDX-License-Identifier: Apache-2.0
// What a profiled run reports beside its recording, described member by member
// (lapidary/internal/members.h).
#pragma once

#include "worker/protocol/bytes/described_bytes.h"
#include "worker/protocol/job_members.h"
#include "worker/inputs/output_check.h"
#include "worker/protocol/run_record.h"

namespace lapidary {

template <>
struct Members<StepInfo> {
    using T = StepInfo;
    static constexpr auto list =
        members<T>(member<&T::node>("node"), member<&T::name>("name"), member<&T::op>("op"),
                   member<&T::kernel>("kernel"), member<&T::provider>("provider"),
                   member<&T::passed_over>("passed_over"), member<&T::fallback>("fallback"));
};
template <>
struct Members<MemoryBlock> {
    using T = MemoryBlock;
    static constexpr auto list =
        members<T>(member<&T::value>("value"), member<&T::first_step>("first_step"),
                   member<&T::last_step>("last_step"), member<&T::offset>("offset"),
                   member<&T::bytes>("bytes"), member<&T::shares>("shares"));
};
template <>
struct Members<ProviderMemory> {
    using T = ProviderMemory;
    static constexpr auto list =
        members<T>(member<&T::provider>("provider"), member<&T::planned_bytes>("planned_bytes"),
                   member<&T::weight_bytes>("weight_bytes"));
};
template <>
struct Members<PlanInfo> {
    using T = PlanInfo;
    static constexpr auto list =
        members<T>(member<&T::steps>("steps"), member<&T::blocks>("blocks"),
                   member<&T::arena_bytes>("arena_bytes"), member<&T::weight_bytes>("weight_bytes"),
                   member<&T::providers>("providers"));
};

template <>
struct Members<PlacementReason> {
    using T = PlacementReason;
    static constexpr auto list =
        members<T>(member<&T::provider>("provider"), member<&T::reason>("reason"));
};
template <>
struct Members<NodePlacement> {
    using T = NodePlacement;
    static constexpr auto list = members<T>(
        member<&T::node>("node"), member<&T::name>("name"), member<&T::op>("op"),
        member<&T::provider>("provider"), member<&T::island>("island"),
        member<&T::is_shape_computation>("is_shape_computation"), member<&T::reasons>("reasons"));
};
template <>
struct Members<PlacementIsland> {
    using T = PlacementIsland;
    static constexpr auto list =
        members<T>(member<&T::provider>("provider"), member<&T::nodes>("nodes"),
                   member<&T::gain_ns>("gain_ns"), member<&T::copies_ns>("copies_ns"));
};
template <>
struct Members<PlannedCopy> {
    using T = PlannedCopy;
    static constexpr auto list =
        members<T>(member<&T::node>("node"), member<&T::value>("value"), member<&T::from>("from"),
                   member<&T::to>("to"), member<&T::cause>("cause"), member<&T::bytes>("bytes"));
};
template <>
struct Members<PlacementReport> {
    using T = PlacementReport;
    static constexpr auto list = members<T>(
        member<&T::nodes>("nodes"), member<&T::islands>("islands"), member<&T::copies>("copies"));
};
template <>
struct Members<ArithmeticPeak> {
    using T = ArithmeticPeak;
    static constexpr auto list = members<T>(member<&T::name>("name"), member<&T::gops>("gops"),
                                            member<&T::product_types>("product_types"),
                                            member<&T::is_of_others>("is_of_others"));
};
template <>
struct Members<DevicePeak> {
    using T = DevicePeak;
    static constexpr auto list =
        members<T>(member<&T::provider>("provider"), member<&T::gb_per_s>("gb_per_s"),
                   member<&T::arithmetic>("arithmetic"), member<&T::problem>("problem"));
};
template <>
struct Members<LoweredOutput> {
    using T = LoweredOutput;
    static constexpr auto list =
        members<T>(member<&T::name>("name"), member<&T::is_float>("is_float"),
                   member<&T::comparison>("comparison"), member<&T::answers>("answers"),
                   member<&T::changed_answers>("changed_answers"));
};
template <>
struct Members<LoweredBy> {
    using T = LoweredBy;
    static constexpr auto list =
        members<T>(member<&T::precision>("precision"), member<&T::provider>("provider"));
};
template <>
struct Members<LoweredPrecision> {
    using T = LoweredPrecision;
    static constexpr auto list = members<T>(member<&T::by>("by"), member<&T::outputs>("outputs"),
                                            member<&T::problem>("problem"));
};

template <>
struct EnumNames<CounterAccess> {
    static constexpr std::array<std::pair<CounterAccess, std::string_view>, 4> all{
        {{CounterAccess::counted, "counted"},
         {CounterAccess::forbidden, "forbidden"},
         {CounterAccess::absent, "absent"},
         {CounterAccess::too_many_threads, "too_many_threads"}}};
};
template <>
struct Members<RunCounters> {
    using T = RunCounters;
    static constexpr auto list = members<T>(
        member<&T::runs>("runs"), member<&T::seconds>("seconds"), member<&T::events>("events"),
        member<&T::cycles>("cycles"), member<&T::instructions>("instructions"),
        member<&T::cache_misses>("cache_misses"), member<&T::frontend_stalls>("frontend_stalls"),
        member<&T::restriction>("restriction"), member<&T::ghz>("ghz"),
        member<&T::highest_ghz>("highest_ghz"), member<&T::throttled>("throttled"),
        member<&T::energy>("energy"), member<&T::joules>("joules"));
};

template <>
struct Members<app::CheckedOutput> {
    using T = app::CheckedOutput;
    static constexpr auto list = members<T>(member<&T::name>("name"), member<&T::type>("type"),
                                            member<&T::comparison>("comparison"));
};
template <>
struct Members<app::OutputCheck> {
    using T = app::OutputCheck;
    static constexpr auto list =
        members<T>(member<&T::verdicts>("verdicts"), member<&T::unchecked>("unchecked"));
};

}  // namespace lapidary
