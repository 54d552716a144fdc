// SPDX-License-Identifier: Apache-2.0
#include "cli/quantize/quantize_auto.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lapidary/base/error.h>

namespace lapidary::cli {
namespace {

/// One of the models between which the best is chosen.
struct Finalist {
    QuantizeResult made;
    std::size_t trial = 0;  // index into all trials
};

bool keeps_convolutions_float(const QuantizeOptions& options) {
    return std::ranges::find(options.keep_float, "Conv") != options.keep_float.end();
}

class AutoSearch {
public:
    AutoSearch(const ModelPtr& model, const QuantizeCommandOptions& options,
               const SampleSourcePtr& samples, const Progress& progress, const TrialSeen& on_trial)
        : model_(model), options_(options), samples_(samples), progress_(progress),
          on_trial_(on_trial) {}

    SearchResult run() {
        search(QuantizeMode::static_qdq);
        if (progress_.cancel.is_cancelled()) return kept(0);
        try {
            search(QuantizeMode::dynamic);
            return chosen();
        } catch (const Error& error) {
            if (error.code() != ErrorCode::cancelled)
                finalists_[0].made.notes.push_back(
                    std::string("mode dynamic was not tried whole: ") + error.what());
            out_.stopped = true;
            return kept(0);
        }
    }

private:
    void search(QuantizeMode mode) {
        QuantizeOptions options = options_.quantize;
        options.mode = mode;
        const std::string prefix = std::string(name_of(mode)) + ": ";
        const std::size_t first = out_.trials.size();
        std::size_t reported = first;
        std::optional<Finalist> float_convolutions;
        double float_convolutions_db = 0;
        SearchResult found = search_recipes(
            *model_, options, samples_, options_.budget / 2, progress_,
            [&](const RecipeTrial& trial, const QuantizeResult* made) {
                RecipeTrial named = trial;
                named.name = prefix + trial.name;
                const bool is_kind = made && made->quantized > 0 &&
                                     keeps_convolutions_float(trial.options) &&
                                     !keeps_convolutions_float(options_.quantize);
                if (is_kind && (!float_convolutions || trial.sqnr_db > float_convolutions_db)) {
                    float_convolutions = Finalist{*made, reported};
                    float_convolutions_db = trial.sqnr_db;
                }
                ++reported;
                if (on_trial_) on_trial_(named, made);
            });
        const std::size_t best = first + found.best_trial;
        for (RecipeTrial& trial : found.trials) {
            trial.name = prefix + trial.name;
            out_.trials.push_back(std::move(trial));
        }
        out_.stopped = out_.stopped || found.stopped;
        finalists_.push_back({std::move(found.best), best});
        if (float_convolutions && float_convolutions->trial != best)
            finalists_.push_back(std::move(*float_convolutions));
    }

    SearchResult chosen() {
        progress_.step("timing the best of each mode");
        std::vector<ModelPtr> models{model_};
        for (const Finalist& finalist : finalists_)
            models.push_back(std::make_shared<const Model>(finalist.made.model));
        const auto times = measured_in_turn(models, *split_samples(samples_).evaluation_samples,
                                            options_.quantize.calibration.threads, progress_);
        std::vector<QuantizedFigures> figures;
        std::vector<std::string> words;
        for (std::size_t i = 0; i < finalists_.size(); ++i) {
            const RecipeTrial& trial = out_.trials[finalists_[i].trial];
            QuantizedFigures& one = figures.emplace_back(lapidary::figures_of(trial.accuracy));
            one.sqnr = estimate_of(trial);
            one.bytes = trial.weight_bytes;
            one.original_bytes = constant_bytes(*model_);
            if (times[0] && times[i + 1])
                one.ratio = difference_between(*times[0], *times[i + 1], true).ratio;
            words.push_back(fmt::format(
                "{} {:.1f} dB, {:.2f} times smaller{}", trial.name, one.sqnr.db,
                one.bytes > 0
                    ? static_cast<double>(one.original_bytes) / static_cast<double>(one.bytes)
                    : 1,
                one.ratio ? fmt::format(", {:.2f} times the float model's time", one.ratio->median)
                          : ""));
        }
        const AccuracyFloor floor = options_.floor.value_or(usual_floor(options_.quantize));
        const std::size_t best = best_of(figures, floor, options_.floor.has_value());
        finalists_[best].made.notes.push_back(
            fmt::format("both modes were searched: {}", fmt::join(words, "; ")));
        return kept(best);
    }

    SearchResult kept(std::size_t finalist) {
        out_.best = std::move(finalists_[finalist].made);
        out_.best_trial = finalists_[finalist].trial;
        return std::move(out_);
    }

    const ModelPtr& model_;
    const QuantizeCommandOptions& options_;
    const SampleSourcePtr& samples_;
    const Progress& progress_;
    const TrialSeen& on_trial_;
    SearchResult out_;
    std::vector<Finalist> finalists_;  // the best of mode static first
};

}  // namespace

SearchResult search_both_modes(const ModelPtr& model, const QuantizeCommandOptions& options,
                               const SampleSourcePtr& samples, const Progress& progress,
                               const TrialSeen& on_trial) {
    return AutoSearch(model, options, samples, progress, on_trial).run();
}

}  // namespace lapidary::cli
