// SPDX-License-Identifier: Apache-2.0
// Whether a model became slower than is allowed: a gate for continuous integration that does not
// open for want of knowledge.
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

/// `ratio`: of times, now by then. Passes where the whole 95 % interval is at most `most_per_cent`
/// above 1, fails where all of it is above that; each is wrong in one case of forty at most where
/// the interval is as good as it says.
GateVerdict judge_regression(const MedianEstimate& ratio, double most_per_cent);

struct GateResult {                                 // what the gate found, and on what that rests
    GateVerdict verdict = GateVerdict::unresolved;  // of the ratio's interval
    MedianEstimate ratio;                           // second by first
    /// More samples of the second cannot decide: the first is not known well enough, or the limit
    /// is below what two starts of a program differ by. Only of what is no pair.
    bool is_final = false;
    /// "+13 % [+9.1, +17]: more than the 5 % allowed", "...: cannot be resolved against the 5 %
    /// allowed: ...".
    std::string sentence;
};
/// The second held against the first; `paired` as of difference_between(). One that was not
/// measured is unresolved.
GateResult hold_to_limit(const Measurement& first, const Measurement& second, bool paired,
                         double most_per_cent);

}  // namespace lapidary
