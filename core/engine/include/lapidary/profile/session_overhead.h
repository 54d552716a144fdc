// SPDX-License-Identifier: Apache-2.0
// What a session costs besides its kernels: before its runs, between the kernels of a run, and when
// it goes.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/profile/profile.h>

namespace lapidary {

/// Names of the phases of a session, in the order of time. What compile() consists of lies inside
/// of the initialization, one deeper.
inline constexpr std::string_view load_phase = "model load";
inline constexpr std::string_view optimization_phase = "graph optimization";
inline constexpr std::string_view initialization_phase = "session initialization";
inline constexpr std::string_view cleanup_phase = "session cleanup";
/// What tables call the time of a run in which no kernel ran.
inline constexpr std::string_view overhead_name = "session overhead";

/// What a session cannot time itself, as it was not there yet or is no more. Empty: not known.
struct SurroundingPhases {
    std::optional<std::int64_t> load_ns, optimization_ns, cleanup_ns;  // each at least 0
};
/// The profile with these phases around what it has: loading and optimizing right before the
/// initialization, the cleanup right behind the last event. All times are moved so that the first
/// phase begins at 0.
std::shared_ptr<const Profile> with_surrounding_phases(const Profile& profile,
                                                       const SurroundingPhases& around);

/// Ends a session and gives the nanoseconds that took: its threads, its memory and its packed
/// weights go.
template <typename Session>
std::int64_t timed_end(std::optional<Session>& session) {
    const auto begin = std::chrono::steady_clock::now();
    session.reset();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() -
                                                                begin)
        .count();
}

/// A stretch of a run in which no kernel of the main graph ran, on any thread.
struct OverheadSpan {
    std::int64_t begin_ns = 0, end_ns = 0;                          // as the spans of the profile
    int run = 0;                                                    // repetition, from 0
    std::int64_t duration_ns() const { return end_ns - begin_ns; }  // of the stretch
};
/// In time order; those of no length left out. With them the kernels fill each run: where no two
/// run side by side, both sums together are the wall time to the nanosecond.
std::vector<OverheadSpan> overhead_spans(const Profile& profile);

/// Milliseconds; empty: not in the recording. ONNX Runtime counts graph optimization as part of the
/// initialization and reports no cleanup.
struct SessionOverhead {
    /// Before the runs; cleanup after them.
    std::optional<double> load_ms, optimization_ms, initialization_ms, cleanup_ms;
    double once_ms = 0;  // all phases of the recording together, those inside of others left out
    double run_ms = 0;   // of the typical run: its overhead_spans()
    double share = 0;    // of its wall time, 0..1
};
/// Of a recording, ours or ONNX Runtime's.
SessionOverhead session_overhead(const Profile& profile);

/// A phase of a session, or a part of one.
struct PhaseTime {
    std::string name;           // "model load", "choose kernels"
    int depth = 0;              // 1: a part of the one of depth 0 before it
    std::optional<double> ms;   // empty: not in the recording
    std::int64_t begin_ns = 0;  // where `ms` is known; of several of a name the first
};
/// The four phases of a session under our names, also those that the recording lacks, with their
/// parts and with what else the recording calls a phase. Those of depth 0 add up to
/// SessionOverhead::once_ms.
std::vector<PhaseTime> phase_times(const Profile& profile);

}  // namespace lapidary
