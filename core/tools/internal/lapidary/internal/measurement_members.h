// SPDX-License-Identifier: Apache-2.0
// Measurements and sweeps described member by member (members.h).
#pragma once

#include <string_view>

#include <lapidary/internal/members.h>
#include <lapidary/bench/sweep.h>

namespace lapidary {

template <>
struct EnumNames<ExecutionMode> {
    static constexpr std::array<std::pair<ExecutionMode, std::string_view>, 2> all{
        {{ExecutionMode::sequential, "sequential"}, {ExecutionMode::parallel, "parallel"}}};
};
template <>
struct EnumNames<Level> {
    static constexpr std::array values{Level::disabled, Level::basic, Level::extended, Level::all};
    // no option has it; passes and rewrites do
    static constexpr std::array in_bytes{Level::session, Level::user};
};
template <>
struct EnumNames<SessionPasses::Set> {
    using Set = SessionPasses::Set;
    static constexpr std::array<std::pair<Set, std::string_view>, 3> all{
        {{Set::none, "none"}, {Set::preparing, "preparing"}, {Set::all, "all"}}};
};
template <>
struct EnumNames<SweepGoal> {
    static constexpr std::array<std::pair<SweepGoal, std::string_view>, 2> all{
        {{SweepGoal::latency, "latency"}, {SweepGoal::throughput, "throughput"}}};
};
template <>
struct EnumNames<CellState> {
    static constexpr std::array<std::pair<CellState, std::string_view>, 5> all{
        {{CellState::waiting, "waiting"},
         {CellState::running, "running"},
         {CellState::done, "done"},
         {CellState::failed, "failed"},
         {CellState::skipped, "skipped"}}};
};

template <>
struct Members<MedianEstimate> {
    using T = MedianEstimate;
    static constexpr auto list =
        members<T>(member<&T::median>("median"), member<&T::low>("low"), member<&T::high>("high"),
                   member<&T::samples>("samples"));
};
template <>
struct Members<SessionPasses> {
    using T = SessionPasses;
    static constexpr auto list =
        members<T>(member<&T::set>("set"), member<&T::disabled>("disabled"));
};
template <>
struct Members<RunResources> {
    using T = RunResources;
    static constexpr auto list =
        members<T>(member<&T::threads>("intra"), member<&T::inter_threads>("inter"),
                   member<&T::mode>("execution"), member<&T::spinning>("spinning"),
                   member<&T::config>("config").if_changed());
};
template <>
struct Members<RunConfiguration> {
    using T = RunConfiguration;
    static constexpr auto list =
        members<T>(member<&T::level>("level"), inlined<&T::resources>(), member<&T::batch>("batch"),
                   member<&T::session_passes>("session_passes"));
};
template <>
struct Members<MeasureOptions> {
    using T = MeasureOptions;
    static constexpr auto list =
        members<T>(member<&T::seconds>("seconds"), member<&T::precision>("precision"),
                   member<&T::warmups>("warmups"), member<&T::runs>("runs"),
                   member<&T::seed>("seed"), unsent<&T::is_enough>(), unsent<&T::budget_seconds>());
};
template <>
struct Members<SampleSummary> {
    using T = SampleSummary;
    static constexpr auto list = members<T>(
        member<&T::median>("median"), member<&T::mean>("mean"), member<&T::minimum>("minimum"),
        member<&T::maximum>("maximum"), member<&T::p50>("p50"), member<&T::p90>("p90"),
        member<&T::p95>("p95"), member<&T::p99>("p99"), member<&T::p999>("p999"),
        member<&T::runs>("runs"), member<&T::drift>("drift"), member<&T::drifts>("drifts"),
        member<&T::noisy>("noisy"), member<&T::note>("note"));
};
template <>
struct Members<Measurement> {
    using T = Measurement;
    static constexpr auto list =
        members<T>(member<&T::configuration>("configuration"), member<&T::wall>("wall_ms"),
                   member<&T::cpu_ms>("cpu_ms"), member<&T::per_second>("per_second"),
                   member<&T::load_ms>("load_ms"), member<&T::first_ms>("first_ms"),
                   member<&T::peak_mb>("peak_mb"), member<&T::samples_ms>("samples_ms").detail(),
                   member<&T::rounds>("rounds").detail(), member<&T::dropped>("dropped"),
                   member<&T::busy>("busy"), member<&T::error>("error"));
};
template <>
struct Members<Difference> {
    using T = Difference;
    static constexpr auto list =
        members<T>(member<&T::ratio>("ratio"), member<&T::significant>("significant"),
                   member<&T::sentence>("sentence"));
};
template <>
struct Members<SweepSpace> {
    using T = SweepSpace;
    static constexpr auto list =
        members<T>(member<&T::levels>("levels"), member<&T::intra>("intra"),
                   member<&T::inter>("inter"), member<&T::batches>("batches"),
                   member<&T::modes>("execution"), member<&T::spinning>("spinning"));
};
template <>
struct Members<SweepOptions> {
    using T = SweepOptions;
    static constexpr auto list =
        members<T>(member<&T::measuring>("measuring"), member<&T::budget_seconds>("budget_seconds"),
                   member<&T::goal>("goal"), member<&T::latency_cap_ms>("latency_cap_ms"),
                   member<&T::dimensions>("dimensions"), member<&T::seed>("seed"),
                   member<&T::operators>("operators"), member<&T::settle_rounds>("settle_rounds"),
                   unsent<&T::optimizing>(), unsent<&T::session_passes>(), unsent<&T::session>(),
                   unsent<&T::given>(), unsent<&T::open>());
};
template <>
struct Members<SweepCell> {
    using T = SweepCell;
    static constexpr auto list =
        members<T>(member<&T::configuration>("configuration"), member<&T::state>("state"),
                   member<&T::estimate_seconds>("estimate_seconds"),
                   member<&T::measurement>("measurement"), member<&T::reason>("reason"));
};
template <>
struct Members<OperatorScaling> {
    using T = OperatorScaling;
    static constexpr auto list =
        members<T>(member<&T::op>("op"), member<&T::ms>("ms"), member<&T::efficiency>("efficiency"),
                   member<&T::stops_at>("stops_at"));
};
template <>
struct Members<SweepRecommendation> {
    using T = SweepRecommendation;
    static constexpr auto list =
        members<T>(member<&T::cell>("cell"), member<&T::equals>("equals"),
                   member<&T::undecided>("undecided"), member<&T::sentence>("sentence"));
};
template <>
struct Members<MachineInfo> {
    using T = MachineInfo;
    static constexpr auto list = members<T>(
        member<&T::cpu>("cpu"), member<&T::isa>("isa"), member<&T::cores>("cores"),
        member<&T::memory_gb>("memory_gb"), member<&T::system>("system"), member<&T::date>("date"));
};
template <>
struct Members<SweepResult> {
    using T = SweepResult;
    static constexpr auto list =
        members<T>(member<&T::cells>("cells"), member<&T::scaling>("scaling"),
                   member<&T::recommendation>("recommendation"), member<&T::machine>("machine"),
                   member<&T::complete>("complete"));
};

}  // namespace lapidary
