// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include <lapidary/base/quantity_text.h>
#include <lapidary/bench/sweep.h>

#include "base/at.h"
#include "bench/sweep/cell_comparison.h"
#include "bench/sweep/sweep_sentence.h"
#include "base/threads/session_threads.h"

namespace lapidary {
namespace {

/// A setting is not recommended if half the width of its interval is more than this share of the
/// median.
constexpr double most_half_width = 0.5;
constexpr std::size_t most_settled = 6;  // measured in turn once more: those that come closest

/// What a configuration uses of the machine. Of equally fast ones the one that uses least is best.
std::array<std::int64_t, 5> cost_of(const RunConfiguration& c) {
    const auto threads = [](int n) { return n > 0 ? n : default_thread_count(); };
    const RunResources& r = c.resources;
    return {std::max(threads(r.threads), threads(r.nodes_at_a_time())),
            r.mode == ExecutionMode::parallel, r.spinning && r.threads != 1, c.batch,
            -static_cast<std::int64_t>(c.level)};
}

/// Time that the goal counts: of a run, or per inference.
double goal_ms(const Measurement& m, SweepGoal goal) {
    return goal == SweepGoal::latency ? m.wall.median.median : 1e3 / m.per_second;
}

double half_width_of(const SweepCell& cell) {
    const MedianEstimate& e = cell.measurement.wall.median;
    return (e.high - e.low) / 2 / e.median;
}

/// Cells that can be compared, and those of them within the cap.
struct Candidates {
    std::vector<std::size_t> usable, within;
};

Candidates candidates_of(const std::vector<SweepCell>& cells, double latency_cap_ms) {
    Candidates found;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const Measurement& m = cells[i].measurement;
        if (cells[i].state != CellState::done || !m.error.empty() || m.wall.median.samples == 0 ||
            !(m.per_second > 0))
            continue;
        found.usable.push_back(i);
        if (latency_cap_ms <= 0 || m.wall.median.median <= latency_cap_ms)
            found.within.push_back(i);
    }
    return found;
}

std::size_t fastest_of(const std::vector<SweepCell>& cells, const std::vector<std::size_t>& among,
                       SweepGoal goal) {
    return *std::ranges::min_element(
        among, {}, [&](std::size_t i) { return goal_ms(cells[i].measurement, goal); });
}

/// The recommended cell, cells that are as fast, and undecided ones; without the sentence. `among`
/// must not be empty.
SweepRecommendation choose(const std::vector<SweepCell>& cells,
                           const std::vector<std::size_t>& among, SweepGoal goal) {
    SweepRecommendation found;
    const std::size_t fastest = fastest_of(cells, among, goal);
    const auto standing = [&](std::size_t to, std::size_t cell) {
        return compare_cells(cells[to].measurement, cells[cell].measurement, goal).standing;
    };
    std::vector<std::size_t> equals{fastest};
    for (const std::size_t i : among)
        if (i != fastest && standing(fastest, i) == Standing::same) equals.push_back(i);
    std::ranges::sort(equals, [&](std::size_t a, std::size_t b) {
        const auto x = cost_of(cells[a].configuration), y = cost_of(cells[b].configuration);
        return x != y ? x < y
                      : goal_ms(cells[a].measurement, goal) < goal_ms(cells[b].measurement, goal);
    });
    const auto is_beaten = [&](std::size_t cell) {
        return std::ranges::any_of(among, [&](std::size_t i) {
            return i != cell && standing(cell, i) == Standing::faster;
        });
    };
    const auto unbeaten = std::ranges::find_if_not(equals, is_beaten);
    const std::size_t chosen = unbeaten == equals.end() ? fastest : *unbeaten;
    for (const std::size_t i : among) {
        if (i == chosen) continue;
        const Standing to_it = standing(chosen, i);
        if (to_it == Standing::same) found.equals.push_back(i);
        else if (to_it == Standing::unknown) found.undecided.push_back(i);
    }
    found.cell = static_cast<std::ptrdiff_t>(chosen);
    return found;
}

/// "8.03 ms ± 0.06".
std::string time_of_cell(const SweepCell& cell) {
    const MedianEstimate& e = cell.measurement.wall.median;
    return time_text(e.median, e.low, e.high);
}

/// True if batches differ: then the best setting for latency may not be the best for throughput.
bool has_several_batches(const std::vector<SweepCell>& cells,
                         const std::vector<std::size_t>& usable) {
    std::set<std::int64_t> batches;
    for (const std::size_t i : usable) batches.insert(cells[i].configuration.batch);
    return batches.size() > 1;
}

}  // namespace

SweepRecommendation recommend(const std::vector<SweepCell>& cells, SweepGoal goal,
                              double latency_cap_ms) {
    SweepRecommendation found;
    const Candidates candidates = candidates_of(cells, latency_cap_ms);
    if (candidates.usable.empty()) {
        found.sentence = "Nothing was measured.";
        return found;
    }
    if (candidates.within.empty()) {
        const SweepCell& fastest = cells[fastest_of(cells, candidates.usable, SweepGoal::latency)];
        found.sentence =
            fmt::format("No setting stays under {:g} ms; the nearest is {} with {}.",
                        latency_cap_ms, name_of(fastest.configuration), time_of_cell(fastest));
        return found;
    }
    found = choose(cells, candidates.within, goal);
    const SweepCell& chosen = at(cells, found.cell);
    if (const double half_width = half_width_of(chosen); half_width > most_half_width) {
        found.sentence = fmt::format(
            "No recommendation: the fastest, {}, is known only as {} ±{:.0f} %, and what differs "
            "by less is noise. "
            "Close other programs, or measure each setting for longer.",
            name_of(chosen.configuration), time_of_cell(chosen), 100 * half_width);
        found.undecided.insert(found.undecided.begin(), static_cast<std::size_t>(found.cell));
        found.equals.clear();
        found.cell = -1;
        return found;
    }
    const SweepGoal other = goal == SweepGoal::latency ? SweepGoal::throughput : SweepGoal::latency;
    const std::ptrdiff_t other_cell = has_several_batches(cells, candidates.usable)
                                          ? choose(cells, candidates.within, other).cell
                                          : -1;
    found.sentence = verdict_of(cells, candidates.usable, found, goal, other_cell);
    return found;
}

std::vector<std::size_t> cells_to_settle(const std::vector<SweepCell>& cells,
                                         const SweepRecommendation& found, SweepGoal goal) {
    std::vector<std::size_t> again = found.undecided;
    std::ranges::sort(again, {},
                      [&](std::size_t i) { return goal_ms(cells[i].measurement, goal); });
    if (again.empty()) return again;
    if (found.cell >= 0) again.insert(again.begin(), static_cast<std::size_t>(found.cell));
    again.resize(std::min(again.size(), most_settled));
    return again;
}

MeasureOptions settling(const MeasureOptions& measuring, int round) {
    MeasureOptions longer = measuring;
    const int times = 1 << std::clamp(round, 1, 16);
    longer.seconds *= times;
    longer.runs *= times;
    longer.precision /= 2;
    return longer;
}

}  // namespace lapidary
