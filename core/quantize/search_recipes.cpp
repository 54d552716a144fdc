// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>

#include <lapidary/error.h>
#include <lapidary/quantize.h>
#include <lapidary/sensitivity.h>

#include "graph/copy_model.h"

namespace lapidary {
namespace {

struct Recipe {
    std::string name;
    QuantizeOptions options;
};

std::vector<Recipe> recipes_of(const QuantizeOptions& asked) {
    std::vector<Recipe> recipes{{"as asked for", asked}};
    const auto add = [&](std::string name, auto change) {
        QuantizeOptions options = asked;
        change(options);
        recipes.push_back({std::move(name), std::move(options)});
    };
    if (asked.mode == QuantizeMode::half) return recipes;
    if (asked.mode == QuantizeMode::weights) {
        if (asked.storage != WeightStorage::blocks) return recipes;
        add("compensated rounding", [](QuantizeOptions& o) { o.compensated_rounding = true; });
        add("symmetric blocks", [](QuantizeOptions& o) { o.symmetric_blocks = !o.symmetric_blocks; });
        return recipes;
    }
    add("compensated rounding", [](QuantizeOptions& o) { o.compensated_rounding = true; });
    add("equalized, compensated", [](QuantizeOptions& o) { o.equalize = o.compensated_rounding = true; });
    add("smoothed by input, compensated", [](QuantizeOptions& o) {
        o.smoothing_by_input = o.compensated_rounding = true;
    });
    for (double share : {0.5, 0.65, 0.8})
        add("smoothed " + std::to_string(share).substr(0, 4) + ", compensated", [&](QuantizeOptions& o) {
            o.smoothing = share;
            o.compensated_rounding = true;
        });
    if (asked.mode == QuantizeMode::dynamic)
        add("convolutions float, compensated", [](QuantizeOptions& o) {
            o.keep_float.push_back("Conv");
            o.compensated_rounding = true;
        });
    if (asked.mode != QuantizeMode::static_qdq) return recipes;
    add("extremes, compensated", [](QuantizeOptions& o) {
        o.range = RangeMethod::minmax;
        o.compensated_rounding = true;
    });
    add("extremes", [](QuantizeOptions& o) { o.range = RangeMethod::minmax; });
    add("equalized", [](QuantizeOptions& o) { o.equalize = true; });
    return recipes;
}

/// Every fifth sample judges; which of the five is the split.
class RecipeSearch {
public:
    RecipeSearch(const Model& model, const QuantizeOptions& options, SampleSourcePtr samples, double budget_seconds,
                 const Progress& progress, const TrialSeen& on_trial)
        : model_(model),
          threads_(options.calibration.threads),
          samples_(std::move(samples)),
          budget_(budget_seconds),
          progress_(progress),
          on_trial_(on_trial),
          recipes_(recipes_of(options)),
          original_(std::make_shared<const Model>(copy_model(model, progress.cancel))) {}

    SearchResult run() {
        try {
            try_all();
            keep_worst_float();
            judge_closest();
        } catch (const Error& error) {
            if (error.code() != ErrorCode::cancelled || out_.trials.empty()) throw;
            out_.stopped = true;
        }
        choose();
        return std::move(out_);
    }

private:
    static constexpr std::size_t judged_again = 3;
    static constexpr double close_to_best = 2;  // dB
    static constexpr double clear_gain = 4, least_gain = 1;  // standard errors, by samples
    static constexpr std::size_t most_ranked = 12;  // nodes: each is quantized alone
    static constexpr std::size_t most_kept_float = 3;  // tried, until one is small enough
    static constexpr double most_given_back = 0.1;  // of the bytes saved: what quantizes nothing loses nothing

    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    }
    bool is_over() const { return budget_ > 0 && seconds() >= budget_; }
    bool gives_back_too_much(std::uint64_t bytes) const {
        const auto first = static_cast<double>(out_.trials[0].weight_bytes);
        const double saved = std::max(0.0, static_cast<double>(constant_bytes(model_)) - first);
        return static_cast<double>(bytes) > first + most_given_back * saved;
    }

    QuantizeResult made(std::size_t recipe, std::size_t split) {
        return quantize_model(model_, recipes_[recipe].options, split_samples(samples_, split).learned.get(),
                              {progress_.cancel, {}});
    }

    QuantizedAccuracy accuracy_of(const QuantizeResult& made, std::size_t split) {
        const Progress judging{made.cancelled ? CancelToken() : progress_.cancel, {}};
        auto accuracy = evaluate_quantized(original_, std::make_shared<const Model>(copy_model(made.model, {})),
                                           *split_samples(samples_, split).judged, threads_, judging);
        if (out_.warnings.empty()) out_.warnings = accuracy.warnings;
        return accuracy;
    }

    void try_all() {
        for (std::size_t i = 0; i < recipes_.size(); ++i) {
            if (i > 0 && is_over()) {
                out_.stopped = true;
                return;
            }
            progress_.step(recipes_[i].name, static_cast<double>(i) / static_cast<double>(recipes_.size()));
            try_recipe(i);
        }
    }

    void try_recipe(std::size_t i) {
        RecipeTrial trial;
        trial.name = recipes_[i].name;
        trial.options = recipes_[i].options;
        std::optional<QuantizeResult> result;
        try {
            result = made(i, 0);
            trial.weight_bytes = constant_bytes(result->model);
            if (i > 0 && gives_back_too_much(trial.weight_bytes)) {
                trial.failure = "not taken: its constants give more than a tenth of what was saved back";
                result.reset();
            } else {
                trial.accuracy = accuracy_of(*result, 0);
                trial.sqnr_db = trial.accuracy.sqnr_db();
            }
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled || i == 0) throw;
            trial.failure = error.what();
            result.reset();
        }
        const bool is_best = result && (i == 0 || trial.sqnr_db > best_db_);
        if (is_best) {
            best_db_ = trial.sqnr_db;
            out_.best = std::move(*result);
            out_.best_trial = i;
        }
        sample_db_.push_back(trial.accuracy.sample_db);
        out_.trials.push_back(std::move(trial));
        if (on_trial_) on_trial_(out_.trials.back(), is_best ? &out_.best : result ? &*result : nullptr);
    }

    /// The best once more, with the node float that costs most of what is lost and is small enough.
    void keep_worst_float() {
        const QuantizeOptions& asked = recipes_[0].options;
        const bool places_nodes = asked.mode == QuantizeMode::dynamic || asked.mode == QuantizeMode::static_qdq;
        if (!places_nodes || out_.stopped || is_over() || out_.best.quantized < 2 || out_.best.quantized > most_ranked)
            return;
        progress_.step("looking for the most sensitive node");
        SensitivityOptions how;
        how.samples = 4;
        how.measured = how.checked = 0;
        if (budget_ > 0) how.budget_seconds = std::max(0.001, budget_ - seconds());  // 0 would be no limit
        const QuantizeOptions best = recipes_[out_.best_trial].options;
        std::vector<NodeSensitivity> groups;
        try {
            groups = rank_sensitivity(model_, asked, samples_, how, {progress_.cancel, {}}).groups;
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) throw;
            return;  // nothing to rank: what there is stays the best
        }
        for (std::size_t i = 0; i < std::min(most_kept_float, groups.size()) && !is_over(); ++i) {
            Recipe recipe{i == 0 ? "most sensitive node float" : "a sensitive node float", best};
            std::ranges::copy(groups[i].names, std::back_inserter(recipe.options.keep_float));
            recipes_.push_back(std::move(recipe));
            try_recipe(recipes_.size() - 1);
            if (out_.trials.back().failure.empty()) return;
        }
    }

    /// The best, those close to it, and what was asked for where the best is not clearly better.
    std::vector<std::size_t> to_judge_again() const {
        std::vector<std::size_t> close;
        const double best = out_.trials[out_.best_trial].sqnr_db;
        for (std::size_t i = 0; i < out_.trials.size(); ++i)
            if (out_.trials[i].failure.empty() && out_.trials[i].sqnr_db >= best - close_to_best) close.push_back(i);
        std::ranges::stable_sort(close, std::greater<>(), [&](std::size_t i) { return out_.trials[i].sqnr_db; });
        if (close.size() > judged_again) close.resize(judged_again);
        if (std::ranges::find(close, 0u) == close.end() && gain_of(out_.best_trial) < clear_gain) {
            if (close.size() == judged_again) close.pop_back();
            close.push_back(0);
        }
        return close;
    }

    /// Over what was asked for, sample by sample: the mean in standard errors.
    double gain_of(std::size_t trial) const {
        const std::vector<double>&found = sample_db_[trial], &asked = sample_db_[0];
        const std::size_t count = std::min(found.size(), asked.size());
        if (count < 2) return clear_gain;  // there is nothing to tell by
        double mean = 0, squares = 0;
        for (std::size_t i = 0; i < count; ++i) mean += (found[i] - asked[i]) / static_cast<double>(count);
        for (std::size_t i = 0; i < count; ++i) squares += std::pow(found[i] - asked[i] - mean, 2);
        const double error = std::sqrt(squares / static_cast<double>(count * (count - 1)));
        return error > 0 ? mean / error : mean > 0 ? clear_gain : 0;
    }

    /// A few are judged on other splits too: one fifth of few samples decides by chance.
    void judge_closest() {
        if (out_.stopped || samples_->size() < judged_every) return;
        const std::vector<std::size_t> close = to_judge_again();
        if (close.size() < 2) return;
        std::vector<double> sums;
        for (std::size_t i : close) {
            double sum = out_.trials[i].sqnr_db;
            for (std::size_t split : {1, 2, 3, 4}) {
                if (is_over()) return;
                progress_.step(recipes_[i].name + ", again", static_cast<double>(split) / judged_every);
                const QuantizedAccuracy accuracy = accuracy_of(made(i, split), split);
                sum += accuracy.sqnr_db();
                std::ranges::copy(accuracy.sample_db, std::back_inserter(sample_db_[i]));
            }
            sums.push_back(sum / judged_every);
        }
        for (std::size_t k = 0; k < close.size(); ++k) {
            out_.trials[close[k]].sqnr_db = sums[k];
            out_.trials[close[k]].splits = judged_every;
        }
        winner_ = close[static_cast<std::size_t>(std::ranges::max_element(sums) - sums.begin())];
    }

    void choose() {
        const std::size_t chosen = winner_.value_or(out_.best_trial);
        if (chosen != 0 && !out_.stopped && gain_of(chosen) < least_gain) winner_ = 0;
        if (!winner_ || *winner_ == out_.best_trial) return;
        out_.best = quantize_model(model_, recipes_[*winner_].options, split_samples(samples_).learned.get());
        out_.best_trial = *winner_;
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
    double best_db_ = 0;  // of out_.best
    std::vector<std::vector<double>> sample_db_;  // of each trial, over the splits it was judged on
    std::optional<std::size_t> winner_;
};

}  // namespace

SearchResult search_recipes(const Model& model, const QuantizeOptions& options, SampleSourcePtr samples,
                            double budget_seconds, const Progress& progress, const TrialSeen& on_trial) {
    if (!samples || samples->size() < 2)
        fail_input("recipes are judged on samples that gave no ranges: at least 2 are needed");
    return RecipeSearch(model, options, std::move(samples), budget_seconds, progress, on_trial).run();
}

}  // namespace lapidary
