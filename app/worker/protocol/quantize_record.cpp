// SPDX-License-Identifier: Apache-2.0
#include "worker/protocol/quantize_record.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lapidary::app {
namespace {

constexpr std::array<std::pair<QuantizeGoal, std::string_view>, 3> goals{
    {{QuantizeGoal::accurate, "accurate"},
     {QuantizeGoal::fast, "fast"},
     {QuantizeGoal::small, "small"}}};

}  // namespace

std::string_view name_of(QuantizeGoal goal) {
    return std::ranges::find(goals, goal, &decltype(goals)::value_type::first)->second;
}

std::optional<QuantizeGoal> quantize_goal_from_name(std::string_view name) {
    const auto at = std::ranges::find(goals, name, &decltype(goals)::value_type::second);
    return at == goals.end() ? std::nullopt : std::optional(at->first);
}

bool reaches(const QuantizeTrial& trial, const AccuracyFloor& floor) {
    if (floor.measure == AccuracyFloor::Measure::sqnr) return floor.is_reached(trial.sqnr_db);
    return trial.rows > 0 &&
           floor.is_reached(static_cast<double>(trial.flips) / static_cast<double>(trial.rows));
}

QuantizedFigures figures_of(const QuantizeTrial& trial, const QuantizeRecord& record) {
    QuantizedFigures figures;
    figures.sqnr = {trial.sqnr_db, trial.low_db, trial.high_db};
    figures.worst_output_db = trial.sqnr_db;
    figures.rows = trial.rows;
    figures.flips = trial.flips;
    figures.ratio = trial.ratio;
    figures.bytes = trial.bytes;
    figures.original_bytes = record.original_bytes;
    if (record.best < 0 || &trial != &record.trials[std::size_t(record.best)]) return figures;
    for (const OutputAccuracy& output : record.outputs)
        figures.worst_output_db = std::min(figures.worst_output_db, output.sqnr_db);
    if (record.labelled && record.labelled->rows > 0) {
        figures.top1_before = share_of(record.labelled->original, record.labelled->rows);
        figures.top1_after = share_of(record.labelled->quantized, record.labelled->rows);
    }
    return figures;
}

static bool is_better(const QuantizeTrial& a, const QuantizeTrial& b, QuantizeGoal goal) {
    const double a_ratio = a.ratio ? a.ratio->median : 1, b_ratio = b.ratio ? b.ratio->median : 1;
    if (goal == QuantizeGoal::fast && a_ratio != b_ratio) return a_ratio < b_ratio;
    if (goal == QuantizeGoal::small && a.bytes != b.bytes) return a.bytes < b.bytes;
    return a.sqnr_db > b.sqnr_db;
}

/// Whether samples cannot distinguish them, and the first saves something beside the other.
static bool is_smaller_and_as_accurate(const QuantizeTrial& trial, const QuantizeTrial& other) {
    const bool is_open = trial.low_db < trial.high_db && other.low_db < other.high_db &&
                         trial.high_db >= other.low_db;
    return is_open && !is_hardly_smaller({.bytes = trial.bytes, .original_bytes = other.bytes});
}

std::ptrdiff_t best_trial(const std::vector<QuantizeTrial>& trials, QuantizeGoal goal,
                          const AccuracyFloor& floor, std::uint64_t original_bytes) {
    const auto saves = [&](const QuantizeTrial& t) {
        return original_bytes == 0 ||
               !is_hardly_smaller({.bytes = t.bytes, .original_bytes = original_bytes});
    };
    const auto any = [&](auto is_such) {
        return std::ranges::any_of(
            trials, [&](const QuantizeTrial& t) { return t.failure.empty() && is_such(t); });
    };
    const bool any_not_slower = any([](const QuantizeTrial& t) { return !t.is_slower(); });
    const bool any_saves = any(
        [&](const QuantizeTrial& t) { return saves(t) && (!any_not_slower || !t.is_slower()); });
    if (!any([&](const QuantizeTrial& t) { return reaches(t, floor); }))
        goal = QuantizeGoal::accurate;
    const auto enters = [&](const QuantizeTrial& t) {
        if (!t.failure.empty()) return false;
        if (goal != QuantizeGoal::accurate) return reaches(t, floor);
        return (!any_not_slower || !t.is_slower()) && (!any_saves || saves(t));
    };
    std::ptrdiff_t best = -1;
    for (std::size_t i = 0; i < trials.size(); ++i)
        if (enters(trials[i]) &&
            (best < 0 || is_better(trials[i], trials[std::size_t(best)], goal)))
            best = std::ptrdiff_t(i);
    if (goal != QuantizeGoal::accurate || best < 0) return best;
    const QuantizeTrial& first = trials[std::size_t(best)];
    for (std::size_t i = 0; i < trials.size(); ++i)
        if (enters(trials[i]) && is_smaller_and_as_accurate(trials[i], first) &&
            trials[i].bytes < trials[std::size_t(best)].bytes)
            best = std::ptrdiff_t(i);
    return best;
}

}  // namespace lapidary::app
