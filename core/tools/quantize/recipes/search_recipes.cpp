// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/quantize/known_trials.h>
#include <lapidary/quantize/quantize.h>
#include <lapidary/quantize/sensitivity.h>

#include "graph/copy_model.h"
#include "quantize/recipes/quantize_recipes.h"
#include "quantize/recipes/recipe_scores.h"
#include "quantize/recipes/time_limit.h"

namespace lapidary {
namespace {

/// The accuracy of a recipe on one split.
struct JudgedSplit {
    double db = 0;
    std::optional<double> error_db;
    std::size_t samples = 0;
};

/// Every fifth sample is an evaluation sample; the split says which of five.
class RecipeSearch {
public:
    RecipeSearch(const Model& model, const QuantizeOptions& options, SampleSourcePtr samples,
                 double budget_seconds, const std::vector<KnownTrial>& known,
                 const Progress& progress, const TrialSeen& on_trial)
        : model_(model), threads_(options.calibration.threads), samples_(std::move(samples)),
          budget_(budget_seconds), progress_(progress), on_trial_(on_trial),
          recipes_(recipes_of(options, model)),
          original_(std::make_shared<const Model>(copy_model(model, progress.cancel))),
          limit_(budget_seconds, progress.cancel) {
        for (const KnownTrial& trial : known) {
            if (std::ranges::find(recipes_, trial.name, &Recipe::name) == recipes_.end())
                fail_input("a trial is of the recipe " + quote(trial.name) +
                           ", which this search does not have");
            known_.emplace(trial.name, &trial);
        }
    }

    SearchResult run() {
        std::size_t winner = 0;
        try {
            try_all();
            make_best();
            winner = out_.stopped ? out_.best_trial : raced();
            winner = with_wider_ranges(with_worst_float(winner));
            choose(winner);
        } catch (const Error& error) {
            if (error.code() != ErrorCode::cancelled || out_.trials.empty()) throw;
            out_.stopped = true;  // out_.best is there
            out_.best_trial = made_trial_;
        }
        return std::move(out_);
    }

private:
    static constexpr double least_gain = 1;            // standard errors, by samples
    static constexpr std::size_t most_ranked = 12;     // nodes: each is quantized alone
    static constexpr std::size_t most_kept_float = 3;  // tried, until one is small enough
    static constexpr const char* too_large =
        "not taken: its constants give more than a tenth of what was saved back";
    // largest share of the bytes saved by the first recipe that another may give back, since one
    // that quantizes nothing has no noise
    static constexpr double most_given_back = 0.1;

    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    }
    /// True if no time is left for work of `next` seconds and for quantizing once more at the end.
    bool is_over(double next = 0) const {
        return budget_ > 0 && seconds() + next + longest_making_ >= budget_;
    }
    bool gives_back_too_much(std::uint64_t bytes) const {
        const auto first = static_cast<double>(out_.trials[0].weight_bytes);
        const double saved = std::max(0.0, static_cast<double>(constant_bytes(model_)) - first);
        return static_cast<double>(bytes) > first + most_given_back * saved;
    }

    /// The first recipe is tried without a time limit.
    const CancelToken& cancel() const {
        return out_.trials.empty() ? progress_.cancel : limit_.token();
    }
    /// True if the time limit ended it, not the caller.
    bool is_late(const Error& error) const {
        return error.code() == ErrorCode::cancelled && !progress_.cancel.is_cancelled() &&
               !out_.trials.empty();
    }

    /// Null: it was not tried before.
    const KnownTrial* known(std::size_t recipe) const {
        const auto at = known_.find(recipes_[recipe].name);
        return at == known_.end() ? nullptr : at->second;
    }
    /// Null: it was not evaluated on the split before.
    const QuantizedAccuracy* known_accuracy(std::size_t recipe, std::size_t split) const {
        const KnownTrial* const trial = known(recipe);
        return trial && split < trial->splits.size() ? &trial->splits[split] : nullptr;
    }
    /// Quantizes the best recipe so far, if it was only looked up.
    void make_best() {
        if (made_trial_ == out_.best_trial || out_.trials.empty()) return;
        out_.best = made(out_.best_trial, 0);
        made_trial_ = out_.best_trial;
    }

    QuantizeResult made(std::size_t recipe, std::size_t split) {
        const double before = seconds();
        QuantizeResult result = quantize_model(
            model_, recipes_[recipe].options,
            split_samples(samples_, split).calibration_samples.get(), {cancel(), {}});
        longest_making_ = std::max(longest_making_, seconds() - before);
        limit_.reserve(longest_making_);
        return result;
    }

    QuantizedAccuracy accuracy_of(const QuantizeResult& made, std::size_t split) {
        auto accuracy = evaluate_quantized(
            original_, std::make_shared<const Model>(copy_model(made.model, cancel())),
            *split_samples(samples_, split).evaluation_samples, threads_, {cancel(), {}});
        if (out_.warnings.empty()) out_.warnings = accuracy.warnings;
        return accuracy;
    }

    void try_all() {
        for (std::size_t i = 0; i < recipes_.size(); ++i) {
            if (i > 0 && is_over()) {
                out_.stopped = true;
                return;
            }
            progress_.step(recipes_[i].name,
                           static_cast<double>(i) / static_cast<double>(recipes_.size()));
            if (!try_recipe(i)) return;
            if (i == 0 && out_.best.masks_bounded > 0) {
                recipes_.push_back({"masks as they are", recipes_[0].options});
                recipes_.back().options.bound_masks = false;
            }
        }
    }

    /// False: the time ended before there was a result.
    bool try_recipe(std::size_t i) {
        const double before = seconds();
        RecipeTrial trial;
        trial.name = recipes_[i].name;
        trial.options = recipes_[i].options;
        std::optional<QuantizeResult> result;
        const KnownTrial* const before_this = known(i);
        try {
            // what others are compared with is made, and throws where it cannot be
            if (!before_this || i == 0) result = made(i, 0);
            trial.failure = before_this ? before_this->failure : "";
            trial.weight_bytes =
                before_this ? before_this->weight_bytes : constant_bytes(result->model);
            if (trial.failure.empty() && i > 0 && gives_back_too_much(trial.weight_bytes))
                trial.failure = too_large;
            if (trial.failure.empty()) evaluate(i, trial, result);
            else result.reset();
        } catch (const Error& error) {
            if (is_late(error)) {
                out_.stopped = true;
                return false;
            }
            if (error.code() == ErrorCode::cancelled || i == 0) throw;
            trial.failure = error.what();
            result.reset();
        }
        const bool is_best = trial.failure.empty() && (i == 0 || trial.sqnr_db > best_db_);
        if (is_best) {
            best_db_ = trial.sqnr_db;
            out_.best_trial = i;
            if (result) {
                out_.best = std::move(*result);
                made_trial_ = i;
            }
        }
        scores_.add_recipe();
        splits_.emplace_back();
        if (trial.failure.empty()) add_split(i, trial.accuracy);
        trial_seconds_.push_back(seconds() - before);
        out_.trials.push_back(std::move(trial));
        if (on_trial_)
            on_trial_(out_.trials.back(), made_trial_ == i && is_best ? &out_.best
                                          : result                    ? &*result
                                                                      : nullptr);
        return true;
    }
    /// On the first split.
    void evaluate(std::size_t recipe, RecipeTrial& trial,
                  const std::optional<QuantizeResult>& result) {
        const QuantizedAccuracy* const known = known_accuracy(recipe, 0);
        trial.accuracy = known ? *known : accuracy_of(result ? *result : made(recipe, 0), 0);
        if (known && out_.warnings.empty()) out_.warnings = known->warnings;
        trial.sqnr_db = trial.accuracy.sqnr_db();
        trial.error_db = trial.accuracy.error_db;
        trial.evaluation_samples = trial.accuracy.samples;
    }

    QuantizedAccuracy judged_again(std::size_t recipe, std::size_t split) {
        if (const QuantizedAccuracy* const known = known_accuracy(recipe, split)) return *known;
        progress_.step(recipes_[recipe].name + ", again",
                       static_cast<double>(split) / evaluation_period);
        return accuracy_of(made(recipe, split), split);
    }
    void add_split(std::size_t recipe, const QuantizedAccuracy& accuracy) {
        scores_.add_split(recipe, accuracy.sqnr_db(), accuracy.sample_db);
        splits_[recipe].push_back({accuracy.sqnr_db(), accuracy.error_db, accuracy.samples});
    }

    /// Evaluates all of them on one more split, or none, since they are compared on the same
    /// samples. False: there was no time.
    bool judge_all_again(const std::vector<std::size_t>& contenders, std::size_t split) {
        std::vector<QuantizedAccuracy> found;
        for (std::size_t recipe : contenders) {
            if (is_over(trial_seconds_[recipe])) return false;
            try {
                found.push_back(judged_again(recipe, split));
            } catch (const Error& error) {
                if (!is_late(error)) throw;
                return false;
            }
        }
        for (std::size_t k = 0; k < contenders.size(); ++k) add_split(contenders[k], found[k]);
        return true;
    }

    /// As many of the first ones as time allows on all splits from `split` on; at least two.
    void keep_in_time(std::vector<std::size_t>& contenders, std::size_t split) const {
        if (!(budget_ > 0)) return;
        const auto left = static_cast<double>(evaluation_period - split);
        const auto needed = [&] {
            return std::accumulate(
                contenders.begin(), contenders.end(), 0.0,
                [&](double sum, std::size_t i) { return sum + left * trial_seconds_[i]; });
        };
        while (contenders.size() > 2 && is_over(needed())) contenders.pop_back();
    }

    /// One fifth of few samples would decide by chance. So recipes that may be the best are
    /// evaluated on the other splits too. Returns the best of them.
    std::size_t raced() {
        const bool has_splits = samples_->size() >= evaluation_period;
        std::vector<std::size_t> contenders = scores_.contenders(1);
        for (std::size_t split = 1;
             split < evaluation_period && has_splits && contenders.size() > 1; ++split) {
            keep_in_time(contenders, split);
            if (!judge_all_again(contenders, split)) break;
            contenders = scores_.contenders(split + 1);
        }
        report_scores();
        return is_agreed(contenders.front()) ? contenders.front() : 0;
    }

    /// True if the recipe is better than the requested one.
    bool is_agreed(std::size_t recipe) const { return scores_.gain(recipe, 0) >= least_gain; }

    void report_scores() {
        for (std::size_t i = 0; i < out_.trials.size(); ++i) {
            if (scores_.splits(i) == 0) continue;
            out_.trials[i].sqnr_db = scores_.pooled_db(i);
            out_.trials[i].splits = static_cast<int>(scores_.splits(i));
            report_error(i);
        }
    }

    /// Adds the noise of all splits. Their errors are independent, since the evaluation samples
    /// differ.
    void report_error(std::size_t recipe) {
        RecipeTrial& trial = out_.trials[recipe];
        trial.evaluation_samples = 0;
        double noise = 0, squares = 0;
        bool is_known = true;
        for (const JudgedSplit& split : splits_[recipe]) {
            const double own = std::pow(10, -split.db / 10);
            noise += own;
            is_known = is_known && split.error_db.has_value();
            squares += std::pow(own * split.error_db.value_or(0), 2);
            trial.evaluation_samples += split.samples;
        }
        trial.error_db = is_known && noise > 0 && std::isfinite(noise)
                             ? std::optional(std::sqrt(squares) / noise)
                             : std::nullopt;
    }

    /// Tries the best recipe again with the node float that causes most of the noise, or, if that
    /// saves too few bytes, with only its weight quantized. Evaluated on as many splits. Returns
    /// the better one.
    std::size_t with_worst_float(std::size_t best) {
        const QuantizeOptions& asked = recipes_[0].options;
        const bool places_nodes =
            asked.mode == QuantizeMode::dynamic || asked.mode == QuantizeMode::static_qdq;
        if (!places_nodes || out_.stopped || is_over() || out_.best.quantized < 2 ||
            out_.best.quantized > most_ranked)
            return best;
        const std::vector<NodeSensitivity> groups = ranked_groups();
        for (std::size_t i = 0; i < std::min(most_kept_float, groups.size()) && !is_over(); ++i) {
            Recipe recipe{i == 0 ? "most sensitive node float" : "a sensitive node float",
                          recipes_[best].options};
            std::ranges::copy(groups[i].names, std::back_inserter(recipe.options.keep_float));
            if (!try_late(std::move(recipe))) return best;
            if (out_.trials.back().failure.empty()) return better_of(best, recipes_.size() - 1);
            if (out_.trials.back().failure != too_large ||
                asked.placement != StaticPlacement::benefit)
                continue;
            recipe = {i == 0 ? "most sensitive node with its weight alone"
                             : "a sensitive node with its weight alone",
                      recipes_[best].options};
            std::ranges::copy(groups[i].names, std::back_inserter(recipe.options.weights_alone));
            if (!try_late(std::move(recipe))) return best;
            if (out_.trials.back().failure.empty()) return better_of(best, recipes_.size() - 1);
        }
        return best;
    }

    bool try_late(Recipe recipe) {
        recipes_.push_back(std::move(recipe));
        if (try_recipe(recipes_.size() - 1)) return true;
        recipes_.pop_back();
        return false;
    }

    std::vector<NodeSensitivity> ranked_groups() {
        progress_.step("looking for the most sensitive node");
        SensitivityOptions how;
        how.samples = 4;
        how.measured = how.checked = 0;
        // 0 would be no limit
        if (budget_ > 0) how.budget_seconds = std::max(0.001, budget_ - seconds());
        try {
            return rank_sensitivity(model_, recipes_[0].options, samples_, how, {cancel(), {}})
                .groups;
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled && !is_late(error)) throw;
            return {};  // nothing to rank: what there is stays the best
        }
    }

    /// Evaluates a recipe on so many splits. False: there was no time.
    bool is_judged_on(std::size_t recipe, std::size_t splits) {
        while (scores_.splits(recipe) < splits) {
            if (is_over(trial_seconds_[recipe])) return false;
            try {
                add_split(recipe, judged_again(recipe, scores_.splits(recipe)));
            } catch (const Error& error) {
                if (!is_late(error)) throw;
                return false;
            }
        }
        report_scores();
        return true;
    }

    /// If the samples of one split lie outside of ranges from the others, so will unseen data.
    /// Tries the best recipe again with wider ranges. Returns the better of the two.
    std::size_t with_wider_ranges(std::size_t best) {
        const bool has_ranges = recipes_[best].options.mode == QuantizeMode::static_qdq;
        if (!has_ranges || recipes_[best].options.range_headroom > 0 || out_.stopped || is_over() ||
            samples_->size() < evaluation_period || !is_judged_on(best, evaluation_period) ||
            !scores_.has_poor_split(best))
            return best;
        Recipe recipe{"ranges a quarter wider", recipes_[best].options};
        recipe.options.range_headroom = 0.25;
        if (!try_late(std::move(recipe)) || !out_.trials.back().failure.empty()) return best;
        const std::size_t late = recipes_.size() - 1;
        if (!is_judged_on(late, evaluation_period)) return best;
        return scores_.pooled_db(late) > scores_.pooled_db(best) ? late : best;
    }

    /// `late` was only evaluated on the first split.
    std::size_t better_of(std::size_t best, std::size_t late) {
        if (!is_judged_on(late, scores_.splits(best))) return best;
        return scores_.pooled_db(late) > scores_.pooled_db(best) && is_agreed(late) ? late : best;
    }

    void choose(std::size_t winner) {
        if (winner == out_.best_trial) return make_best();
        out_.best = quantize_model(model_, recipes_[winner].options,
                                   split_samples(samples_).calibration_samples.get(),
                                   {progress_.cancel, {}});
        out_.best_trial = made_trial_ = winner;
    }

    const Model& model_;
    int threads_;
    SampleSourcePtr samples_;
    double budget_;
    const Progress& progress_;
    const TrialSeen& on_trial_;
    std::vector<Recipe> recipes_;
    ModelPtr original_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    SearchResult out_;
    double best_db_ = 0;  // of out_.best_trial
    // the trial that out_.best is of: the best, or one before it where the best was looked up
    std::size_t made_trial_ = 0;
    std::map<std::string, const KnownTrial*> known_;  // by name of the recipe
    RecipeScores scores_;
    std::vector<std::vector<JudgedSplit>> splits_;  // by recipe
    std::vector<double> trial_seconds_;
    double longest_making_ = 0;  // seconds
    TimeLimit limit_;
};

}  // namespace

SearchResult search_recipes(const Model& model, const QuantizeOptions& options,
                            SampleSourcePtr samples, double budget_seconds,
                            const Progress& progress, const TrialSeen& on_trial) {
    return search_known_recipes(model, options, std::move(samples), budget_seconds, {}, progress,
                                on_trial);
}

SearchResult search_known_recipes(const Model& model, const QuantizeOptions& options,
                                  SampleSourcePtr samples, double budget_seconds,
                                  const std::vector<KnownTrial>& known, const Progress& progress,
                                  const TrialSeen& on_trial) {
    if (!samples || samples->size() < 2)
        fail_input("recipes are judged on samples that gave no ranges: at least 2 are needed");
    return RecipeSearch(model, options, std::move(samples), budget_seconds, known, progress,
                        on_trial)
        .run();
}

}  // namespace lapidary
