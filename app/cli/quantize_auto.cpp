// SPDX-License-Identifier: Apache-2.0
#include "cli/quantize_auto.h"

#include <cmath>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lapidary/error.h>

#include "cli/quantize_text.h"

namespace lapidary::cli {
namespace {

constexpr double clear_gain = 3;    // dB
constexpr double no_slower = 1.05;  // of the float model's time: less is of no concern, as in slower_note()

SearchResult search_mode(const ModelPtr& model, QuantizeOptions options, QuantizeMode mode,
                         const SampleSourcePtr& samples, double budget_seconds, const Progress& progress,
                         const TrialSeen& on_trial) {
    options.mode = mode;
    const std::string prefix = std::string(name_of(mode)) + ": ";
    SearchResult found = search_recipes(*model, options, samples, budget_seconds, progress,
                                        [&](const RecipeTrial& trial, const QuantizeResult* made) {
                                            RecipeTrial named = trial;
                                            named.name = prefix + trial.name;
                                            if (on_trial) on_trial(named, made);
                                        });
    for (RecipeTrial& trial : found.trials) trial.name = prefix + trial.name;
    return found;
}

double best_db(const SearchResult& found) { return found.trials.at(found.best_trial).sqnr_db; }

std::string words_of(const SearchResult& found, const std::optional<double>& ms) {
    const std::string mode(name_of(found.trials.at(found.best_trial).options.mode));
    return fmt::format("{} {:.1f} dB{}", mode, best_db(found), ms ? fmt::format(" in {:.3g} ms a run", *ms) : "");
}

/// Whether the second of them is to be kept: what is slower than float only where both are; then what is clearly more
/// accurate; then what is smaller.
bool is_second_better(const SearchResult& first, const SearchResult& second,
                      const std::vector<std::optional<double>>& ms) {
    const auto is_fast = [&](std::size_t i) { return ms[0] && ms[i] && *ms[i] <= *ms[0] * no_slower; };
    if (is_fast(1) != is_fast(2)) return is_fast(2);
    if (std::abs(best_db(first) - best_db(second)) >= clear_gain) return best_db(second) > best_db(first);
    const auto bytes = [](const SearchResult& found) { return found.trials.at(found.best_trial).weight_bytes; };
    return bytes(second) < bytes(first);
}

}  // namespace

SearchResult search_both_modes(const ModelPtr& model, const QuantizeOptions& options, const SampleSourcePtr& samples,
                               double budget_seconds, const Progress& progress, const TrialSeen& on_trial) {
    const double each = budget_seconds / 2;
    SearchResult kept = search_mode(model, options, QuantizeMode::static_qdq, samples, each, progress, on_trial);
    if (progress.cancel.is_cancelled()) return kept;
    SearchResult other;
    std::vector<std::optional<double>> ms;
    try {
        other = search_mode(model, options, QuantizeMode::dynamic, samples, each, progress, on_trial);
        ms = measured_in_turn({model, std::make_shared<const Model>(kept.best.model),
                               std::make_shared<const Model>(other.best.model)},
                              *split_samples(samples).judged, options.calibration.threads, progress);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::cancelled)
            kept.best.notes.push_back(std::string("mode dynamic was not tried whole: ") + error.what());
        kept.stopped = true;
        return kept;
    }
    const bool takes_second = is_second_better(kept, other, ms);
    std::string note = fmt::format("both modes were searched: {}, {}", words_of(kept, ms[1]), words_of(other, ms[2]));
    const std::size_t firsts = kept.trials.size();
    std::move(other.trials.begin(), other.trials.end(), std::back_inserter(kept.trials));
    kept.stopped = kept.stopped || other.stopped;
    if (takes_second) {
        kept.best = std::move(other.best);
        kept.best_trial = firsts + other.best_trial;
    }
    kept.best.notes.push_back(std::move(note));
    return kept;
}

}  // namespace lapidary::cli
