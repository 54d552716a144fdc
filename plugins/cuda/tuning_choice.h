// SPDX-License-Identifier: Apache-2.0
// Chooses the fastest of several variants by times that were measured in alternating rounds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace lapidary::cuda {

// as a share of the usual variant's time; a smaller gain may be noise
inline constexpr double least_gain = 0.03;

struct Quartiles {
    double lower = 0, median = 0, upper = 0;
};
/// `rounds` must not be empty.
inline Quartiles quartiles_of(std::vector<double> rounds) {
    std::ranges::sort(rounds);
    const std::size_t count = rounds.size(), quarter = count / 4;
    return {rounds[quarter], rounds[count / 2], rounds[count - 1 - quarter]};
}

/// The number of the variant to take: the usual one, unless another is faster. Faster means that
/// its median is lower by least_gain and its upper quartile lies below the usual one's lower
/// quartile. The fastest of several such variants is taken.
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
