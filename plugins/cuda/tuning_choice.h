// SPDX-License-Identifier: Apache-2.0
// Which of several ways is taken, by what they took in rounds that were timed beside each other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace lapidary::cuda {

// of what the usual way takes: less may be how it was measured
inline constexpr double least_gain = 0.03;

struct Quartiles {
    double lower = 0, median = 0, upper = 0;
};
/// Of one round at least.
inline Quartiles quartiles_of(std::vector<double> rounds) {
    std::ranges::sort(rounds);
    const std::size_t count = rounds.size(), quarter = count / 4;
    return {rounds[quarter], rounds[count / 2], rounds[count - 1 - quarter]};
}

/// Number of the way to take: the usual one, unless another is faster by least_gain in the middle
/// and was so in nearly all rounds: its upper quartile lies below the usual one's lower quartile.
/// Of several such ways the fastest.
inline std::size_t chosen_way(const std::vector<std::vector<double>>& rounds, std::size_t usual) {
    const Quartiles of_usual = quartiles_of(rounds[usual]);
    std::size_t best = usual;
    double least = of_usual.median;
    for (std::size_t way = 0; way < rounds.size(); ++way) {
        const Quartiles of = quartiles_of(rounds[way]);
        const bool is_faster =
            of.median <= (1 - least_gain) * of_usual.median && of.upper < of_usual.lower;
        if (!is_faster || of.median >= least) continue;
        best = way;
        least = of.median;
    }
    return best;
}

}  // namespace lapidary::cuda
