// SPDX-License-Identifier: Apache-2.0
// Repetitions in a sequence: "abcabcab" is one of period 3.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace lapidary::drawing {

/// text[i] equals text[i + period] for i from `first` up to `end - period`, no such stretch around
/// it is longer, its length is at least two periods, and no shorter period does.
struct Repetition {
    std::uint32_t first = 0, end = 0, period = 0;
    friend bool operator==(const Repetition&, const Repetition&) = default;
};

/// All of them, by period, then from the left (Main and Lorentz, 1984: O(n log n) but for sorting).
std::vector<Repetition> find_repetitions(std::span<const std::uint32_t> text);

}  // namespace lapidary::drawing
