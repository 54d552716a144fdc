// SPDX-License-Identifier: Apache-2.0
#include "quantize/recipes/recipe_scores.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace lapidary {
namespace {

constexpr std::size_t telling_samples = 4;  // fewer give no error to go by
constexpr std::size_t most_by_rank = 3;
constexpr double close_to_best = 2;    // dB
constexpr double no_difference = 0.1;  // dB
constexpr double poor_by = 3;          // dB

}  // namespace

std::size_t RecipeScores::add_recipe() {
    scores_.emplace_back();
    return scores_.size() - 1;
}

void RecipeScores::add_split(std::size_t recipe, double db, const std::vector<double>& sample_db) {
    scores_[recipe].splits.push_back(db);
    scores_[recipe].samples.insert(scores_[recipe].samples.end(), sample_db.begin(),
                                   sample_db.end());
}

double RecipeScores::pooled_db(std::size_t recipe) const {
    const std::vector<double>& splits = scores_[recipe].splits;
    if (splits.empty()) return std::numeric_limits<double>::lowest();
    const double noise =
        std::accumulate(splits.begin(), splits.end(), 0.0,
                        [](double sum, double db) { return sum + std::pow(10, -db / 10); });
    return -10 * std::log10(noise / static_cast<double>(splits.size()));
}

bool RecipeScores::has_poor_split(std::size_t recipe) const {
    std::vector<double> splits = scores_[recipe].splits;
    if (splits.empty()) return false;
    std::ranges::sort(splits);
    return splits.front() < splits[splits.size() / 2] - poor_by;
}

RecipeScores::Difference RecipeScores::difference(std::size_t first, std::size_t second) const {
    const std::vector<double>&a = scores_[first].samples, &b = scores_[second].samples;
    Difference found{std::min(a.size(), b.size()), 0, 0};
    const auto count = static_cast<double>(found.samples);
    for (std::size_t i = 0; i < found.samples; ++i) found.mean += (a[i] - b[i]) / count;
    double squares = 0;
    for (std::size_t i = 0; i < found.samples; ++i)
        squares += std::pow(a[i] - b[i] - found.mean, 2);
    if (found.samples > 1) found.error = std::sqrt(squares / (count * (count - 1)));
    return found;
}

double RecipeScores::gain(std::size_t first, std::size_t second) const {
    const Difference found = difference(first, second);
    if (found.samples < 2) return clear;
    return found.error > 0 ? found.mean / found.error : found.mean > 0 ? clear : 0;
}

bool RecipeScores::is_out(std::size_t recipe, std::size_t rank, std::size_t best) const {
    const Difference behind = difference(best, recipe);
    if (behind.samples < telling_samples)
        return rank >= most_by_rank || pooled_db(recipe) < pooled_db(best) - close_to_best;
    return behind.mean + no_difference >= clear * behind.error;
}

std::vector<std::size_t> RecipeScores::contenders(std::size_t splits) const {
    std::vector<std::size_t> ranked;
    for (std::size_t i = 0; i < scores_.size(); ++i)
        if (splits > 0 && this->splits(i) == splits) ranked.push_back(i);
    std::ranges::stable_sort(ranked, std::greater<>(), [&](std::size_t i) { return pooled_db(i); });
    std::vector<std::size_t> found;
    for (std::size_t rank = 0; rank < ranked.size(); ++rank) {
        const std::size_t recipe = ranked[rank], best = ranked[0];
        const bool asked_stays = recipe == 0 && gain(best, recipe) < clear;
        if (rank == 0 || asked_stays || !is_out(recipe, rank, best)) found.push_back(recipe);
    }
    return found;
}

}  // namespace lapidary
