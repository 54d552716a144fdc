// SPDX-License-Identifier: Apache-2.0
// The members of measurements and sweeps under the names they have in JSON: one list for both
// directions.
#pragma once

#include <string_view>

#include <lapidary/bench/sweep.h>

namespace lapidary {

/// Times of samples: left out of short texts.
struct IsSamples {};

// visit(name, member) for each member.

template <typename V, typename T>
requires std::is_same_v<std::remove_const_t<T>, MedianEstimate>
void members_of(T& e, V&& visit) {
    visit("median", e.median), visit("low", e.low), visit("high", e.high),
        visit("samples", e.samples);
}

template <typename V, typename T>
requires std::is_same_v<std::remove_const_t<T>, SessionPasses>
void members_of(T& p, V&& visit) { visit("set", p.set), visit("disabled", p.disabled); }

template <typename V, typename T>
requires std::is_same_v<std::remove_const_t<T>, RunConfiguration>
void members_of(T& c, V&& visit) {
    visit("level", c.level), visit("intra", c.intra), visit("inter", c.inter),
        visit("execution", c.mode), visit("spinning", c.spinning), visit("batch", c.batch);
    visit("session_passes", c.session_passes);
}

template <typename V, typename T>
requires std::is_same_v<std::remove_const_t<T>, MeasureOptions>
void members_of(T& o, V&& visit) {
    visit("seconds", o.seconds), visit("precision", o.precision), visit("warmups", o.warmups),
        visit("runs", o.runs), visit("seed", o.seed);
}

template <typename V, typename T>
requires std::is_same_v<std::remove_const_t<T>, SampleSummary>
void members_of(T& s, V&& visit) {
    visit("median", s.median), visit("mean", s.mean), visit("minimum", s.minimum),
        visit("maximum", s.maximum);
    visit("p50", s.p50), visit("p90", s.p90), visit("p95", s.p95), visit("p99", s.p99),
        visit("p999", s.p999), visit("runs", s.runs);
    visit("drift", s.drift), visit("drifts", s.drifts), visit("noisy", s.noisy),
        visit("note", s.note);
}

template <typename V, typename T>
requires std::is_same_v<std::remove_const_t<T>, Measurement>
void members_of(T& m, V&& visit) {
    visit("configuration", m.configuration), visit("wall_ms", m.wall), visit("cpu_ms", m.cpu_ms),
        visit("per_second", m.per_second);
    visit("load_ms", m.load_ms), visit("first_ms", m.first_ms), visit("peak_mb", m.peak_mb);
    visit("samples_ms", m.samples_ms, IsSamples{}), visit("rounds", m.rounds, IsSamples{});
    visit("dropped", m.dropped), visit("busy", m.busy), visit("error", m.error);
}

template <typename V, typename T>
requires std::is_same_v<std::remove_const_t<T>, Difference>
void members_of(T& d, V&& visit) {
    visit("ratio", d.ratio), visit("significant", d.significant), visit("sentence", d.sentence);
}

template <typename V, typename T>
requires std::is_same_v<std::remove_const_t<T>, SweepSpace>
void members_of(T& s, V&& visit) {
    visit("levels", s.levels), visit("intra", s.intra), visit("inter", s.inter),
        visit("batches", s.batches), visit("execution", s.modes), visit("spinning", s.spinning);
}

template <typename V, typename T>
requires std::is_same_v<std::remove_const_t<T>, SweepOptions>
void members_of(T& o, V&& visit) {
    visit("measuring", o.measuring), visit("budget_seconds", o.budget_seconds),
        visit("goal", o.goal), visit("latency_cap_ms", o.latency_cap_ms);
    visit("dimensions", o.dimensions), visit("seed", o.seed), visit("operators", o.operators),
        visit("settle_rounds", o.settle_rounds);
}

template <typename V, typename T>
requires std::is_same_v<std::remove_const_t<T>, SweepCell>
void members_of(T& c, V&& visit) {
    visit("configuration", c.configuration), visit("state", c.state),
        visit("estimate_seconds", c.estimate_seconds), visit("measurement", c.measurement);
    visit("reason", c.reason);
}

template <typename V, typename T>
requires std::is_same_v<std::remove_const_t<T>, OperatorScaling>
void members_of(T& o, V&& visit) {
    visit("op", o.op), visit("ms", o.ms), visit("efficiency", o.efficiency),
        visit("stops_at", o.stops_at);
}

template <typename V, typename T>
requires std::is_same_v<std::remove_const_t<T>, SweepRecommendation>
void members_of(T& r, V&& visit) {
    visit("cell", r.cell), visit("equals", r.equals), visit("undecided", r.undecided),
        visit("sentence", r.sentence);
}

template <typename V, typename T>
requires std::is_same_v<std::remove_const_t<T>, MachineInfo>
void members_of(T& m, V&& visit) {
    visit("cpu", m.cpu), visit("isa", m.isa), visit("cores", m.cores),
        visit("memory_gb", m.memory_gb), visit("system", m.system), visit("date", m.date);
}

template <typename V, typename T>
requires std::is_same_v<std::remove_const_t<T>, SweepResult>
void members_of(T& r, V&& visit) {
    visit("cells", r.cells), visit("scaling", r.scaling), visit("recommendation", r.recommendation),
        visit("machine", r.machine), visit("complete", r.complete);
}

}  // namespace lapidary
