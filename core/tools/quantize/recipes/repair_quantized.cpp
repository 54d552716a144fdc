// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/quantize/quantize_verdict.h>
#include <lapidary/quantize/sensitivity.h>

#include "graph/copy_model.h"

namespace lapidary {
namespace {

constexpr double least_improvement_db = 0.5;
constexpr double most_flips = 0.25;  // of the answers

class Repairing {
public:
    Repairing(const ModelPtr& model, const SampleSourcePtr& samples, const RepairOptions& how,
              const Progress& progress)
        : model_(model), samples_(samples), split_(split_samples(samples)), how_(how),
          progress_(progress) {}

    std::optional<QuantizeRepair> run(const QuantizeOptions& asked) {
        QuantizeRepair best = made(asked);
        const double before = best.accuracy.sqnr_db();
        const bool has_recipes = asked.mode != QuantizeMode::half && how_.level == Level::all;
        if (has_recipes && !how_.is_searched && !is_reached(best))
            take_better(best, searched(asked));
        if (!is_reached(best)) take_better(best, with_float_nodes(best));
        if (!(best.accuracy.sqnr_db() >= before + least_improvement_db)) return std::nullopt;
        return best;
    }

private:
    QuantizeRepair made(const QuantizeOptions& options) const {
        QuantizeRepair found;
        found.options = options;
        found.made = quantize_model(*model_, options, split_.calibration_samples.get(),
                                    {progress_.cancel, {}});
        found.accuracy = evaluate_quantized(
            model_, std::make_shared<const Model>(copy_model(found.made.model, progress_.cancel)),
            *split_.evaluation_samples, options.calibration.threads, {progress_.cancel, {}},
            how_.level);
        return found;
    }

    bool is_reached(const QuantizeRepair& found) const {
        return !fault_of(figures_of(found.accuracy), how_.floor, false);
    }

    /// Replaces `best` by the other one if only that reaches the floor, or else if it is more
    /// accurate.
    void take_better(QuantizeRepair& best, std::optional<QuantizeRepair> other) const {
        if (!other) return;
        const bool is_more_accurate = other->accuracy.sqnr_db() > best.accuracy.sqnr_db();
        if (is_reached(*other) > is_reached(best) ||
            (is_reached(*other) == is_reached(best) && is_more_accurate))
            best = std::move(*other);
    }

    std::optional<QuantizeRepair> searched(const QuantizeOptions& asked) const {
        const SearchResult found =
            search_recipes(*model_, asked, samples_, how_.budget_seconds / 2, progress_);
        if (found.best_trial == 0) return std::nullopt;
        return made(found.trials[found.best_trial].options);
    }

    std::optional<QuantizeRepair> with_float_nodes(const QuantizeRepair& found) const {
        const QuantizeOptions& options = found.options;
        try {
            SensitivityOptions ranking;
            ranking.budget_seconds = how_.budget_seconds / 2;
            ranking.level = how_.level;
            const Sensitivity ranked =
                rank_sensitivity(*model_, options, samples_, ranking, progress_);
            AccuracyFloor floor = how_.floor;
            if (floor.measure == AccuracyFloor::Measure::top1) floor = usual_floor(options);
            if (floor.measure == AccuracyFloor::Measure::sqnr &&
                floor.is_reached(found.accuracy.sqnr_db()))
                floor = {AccuracyFloor::Measure::flips, most_flips};  // SQNR is not what is wrong
            const FloorResult kept = keep_float_until(*model_, options, samples_, ranked, floor,
                                                      nullptr, progress_, how_.level);
            if (kept.kept == 0) return std::nullopt;
            return made(kept.options);
        } catch (const Error& error) {  // nothing to rank
            if (error.code() != ErrorCode::not_supported) throw;
            return std::nullopt;
        }
    }

    const ModelPtr& model_;
    const SampleSourcePtr& samples_;
    SampleSplit split_;
    const RepairOptions& how_;
    const Progress& progress_;
};

}  // namespace

std::optional<QuantizeRepair> repair_quantized(const ModelPtr& model, const QuantizeOptions& asked,
                                               const SampleSourcePtr& samples,
                                               const RepairOptions& how, const Progress& progress) {
    if (!samples || samples->size() < 2) return std::nullopt;
    return Repairing(model, samples, how, progress).run(asked);
}

bool can_be_repaired(const QuantizeOptions& options) {
    const QuantizeOptions usual;
    return options.placement == StaticPlacement::benefit && !options.equalize &&
           options.smoothing == 0 && !options.smoothing_by_input && !options.compensated_rounding &&
           options.keep_float.empty() && options.weights_alone.empty() &&
           options.range == usual.range && options.bias_correction &&
           options.symmetric_weight == usual.symmetric_weight;
}

}  // namespace lapidary
