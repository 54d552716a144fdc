// SPDX-License-Identifier: Apache-2.0
// The scores of recipes on several splits of the samples, and which recipes may still be the best.
// This is a race (Maron and Moore 1994): all are judged on the same samples, and those that are
// clearly behind are not judged further.
#pragma once

#include <cstddef>
#include <vector>

namespace lapidary {

class RecipeScores {
public:
    /// Adds a recipe without scores. Returns its number.
    std::size_t add_recipe();
    /// Adds the score of the recipe's next split: SQNR over all its samples, and SQNR of each
    /// sample, in order.
    void add_split(std::size_t recipe, double db, const std::vector<double>& sample_db);

    std::size_t splits(std::size_t recipe) const { return scores_[recipe].splits.size(); }
    /// SQNR over all splits of the recipe: the mean of their noise, each relative to its signal. A
    /// split whose samples lie beyond the calibrated ranges therefore counts as much as it does in
    /// use. The lowest possible value for a recipe without splits.
    double pooled_db(std::size_t recipe) const;
    /// True if one of its splits is at least 3 dB below the median.
    bool has_poor_split(std::size_t recipe) const;

    /// How much better `first` is than `second` on the samples that judged both, in standard errors
    /// of the mean difference. `clear` if fewer than two samples judged both.
    double gain(std::size_t first, std::size_t second) const;
    static constexpr double clear = 4;

    /// The recipes judged on `splits` splits that may still be the best, the best one first. With
    /// few samples: the three best, if at most 2 dB behind. Else all except those that are clearly
    /// at most 0.1 dB better than the best one, equal ones included. Recipe 0, the requested one,
    /// stays unless the best is clearly better.
    std::vector<std::size_t> contenders(std::size_t splits) const;

private:
    struct Score {
        std::vector<double> splits, samples;
    };
    struct Difference {
        std::size_t samples = 0;
        double mean = 0, error = 0;  // error: of the mean; in dB
    };
    Difference difference(std::size_t first, std::size_t second) const;
    bool is_out(std::size_t recipe, std::size_t rank, std::size_t best) const;

    std::vector<Score> scores_;
};

}  // namespace lapidary
