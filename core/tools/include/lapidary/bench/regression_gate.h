// SPDX-License-Identifier: Apache-2.0
// Decides whether a model became slower than allowed: a gate for continuous integration. It does
// not pass when measurements are too imprecise to decide.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <lapidary/bench/bench.h>

namespace lapidary {

/// The answer of a gate. unresolved: the interval of the ratio contains the limit.
enum class GateVerdict : std::uint8_t { passes, fails, unresolved };
/// "passes", "fails", "unresolved".
std::string_view name_of(GateVerdict verdict);

/// `ratio`: time now by time before. Passes where the whole 95 % interval is at most
/// `most_per_cent` above 1, fails where all of it is above that; each is wrong in one case of forty
/// at most where the interval is as good as it says.
GateVerdict judge_regression(const MedianEstimate& ratio, double most_per_cent);

/// The verdict of the gate, and the ratio that it rests on.
struct GateResult {
    GateVerdict verdict = GateVerdict::unresolved;  // of the ratio's interval
    MedianEstimate ratio;                           // second by first
    /// More samples of the second cannot decide: the first is too imprecise, or the limit is below
    /// the difference between two starts of a program. Only if the measurements are not paired.
    bool is_final = false;
    /// "+13 % [+9.1, +17]: more than the 5 % allowed", "...: cannot be resolved against the 5 %
    /// allowed: ...".
    std::string sentence;
};
/// Compares the second with the first; `paired` as in difference_between(). Unresolved if one of
/// them was not measured.
GateResult hold_to_limit(const Measurement& first, const Measurement& second, bool paired,
                         double most_per_cent);

}  // namespace lapidary
