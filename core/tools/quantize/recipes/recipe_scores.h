// SPDX-License-Identifier: Apache-2.0
// What recipes reached on several splits of the samples, and which of them may still be the best: a
// race (Maron and Moore 1994), in which all are judged on the same samples and those that are
// clearly behind are judged no further.
#pragma once

#include <cstddef>
#include <vector>

namespace lapidary {

class RecipeScores {
public:
    /// A recipe more, which took part in nothing yet. Returns its number.
    std::size_t add_recipe();
    /// The next split of the recipe: SQNR over all its samples, and that of each sample alone, in
    /// order.
    void add_split(std::size_t recipe, double db, const std::vector<double>& sample_db);

    std::size_t splits(std::size_t recipe) const { return scores_[recipe].splits.size(); }
    /// SQNR over its splits together: the mean of their noise, each taken by its signal, so that
    /// one split whose samples lie beyond what the others gave counts as it does in use. Of a
    /// recipe without splits: least of all.
    double pooled_db(std::size_t recipe) const;
    /// One of its splits is 3 dB or more below the one in the middle.
    bool has_poor_split(std::size_t recipe) const;

    /// How much better `first` is than `second` by the samples that judged both, in standard errors
    /// of the mean difference. Where less than two samples tell, `clear`.
    double gain(std::size_t first, std::size_t second) const;
    static constexpr double clear = 4;

    /// Those judged on `splits` splits that may still be the best, the best of them first. Where
    /// few samples judge, the three best that are at most 2 dB behind; else all but those that are
    /// clearly at most a tenth of a dB better than the best, equal ones among them. Recipe 0, what
    /// was asked for, stays unless the best is clearly better.
    std::vector<std::size_t> contenders(std::size_t splits) const;

private:
    struct Score {
        std::vector<double> splits, samples;
    };
    struct Difference {
        std::size_t samples = 0;
        double mean = 0, error = 0;  // of the mean; dB
    };
    Difference difference(std::size_t first, std::size_t second) const;
    bool is_out(std::size_t recipe, std::size_t rank, std::size_t best) const;

    std::vector<Score> scores_;
};

}  // namespace lapidary
