// SPDX-License-Identifier: Apache-2.0
#include "bench/sweep/sweep_sentence.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include <lapidary/base/quantity_text.h>

#include "bench/sweep/cell_comparison.h"

namespace lapidary {
namespace {

/// One setting of a configuration, whose effect is described with the others fixed.
struct Axis {
    const char* name;
    std::function<std::int64_t(const RunConfiguration&)> value;
    std::function<void(RunConfiguration&, const RunConfiguration&)> take;  // from the second
    std::function<std::string(const RunConfiguration&)> text;
};

const std::vector<Axis>& axes() {
    using C = RunConfiguration;
    using R = RunResources;
    static const std::vector<Axis> all{
        {"the number of threads", [](const C& c) { return c.resources.threads; },
         [](C& c, const C& from) { c.resources.threads = from.resources.threads; },
         [](const C& c) {
             const int threads = c.resources.threads;
             return threads == 0
                        ? std::string("a thread per core")
                        : std::to_string(threads) + (threads == 1 ? " thread" : " threads");
         }},
        {"the execution mode",
         [](const C& c) {
             const R& r = c.resources;
             return r.mode == ExecutionMode::sequential ? -1 : r.inter_threads;
         },
         [](C& c, const C& from) {
             c.resources.mode = from.resources.mode;
             c.resources.inter_threads = from.resources.inter_threads;
         },
         [](const C& c) {
             return c.resources.mode == ExecutionMode::sequential
                        ? std::string("sequential execution")
                        : "parallel execution with " + std::to_string(c.resources.inter_threads) +
                              " at a time";
         }},
        {"spinning", [](const C& c) { return c.resources.spinning; },
         [](C& c, const C& from) { c.resources.spinning = from.resources.spinning; },
         [](const C& c) { return std::string(c.resources.spinning ? "spinning" : "no spinning"); }},
        {"the batch size", [](const C& c) { return c.batch; },
         [](C& c, const C& from) { c.batch = from.batch; },
         [](const C& c) {
             return c.batch == 0 ? std::string("the batch as it comes")
                                 : "batch " + std::to_string(c.batch);
         }},
        {"the level", [](const C& c) { return static_cast<std::int64_t>(c.level); },
         [](C& c, const C& from) { c.level = from.level; },
         [](const C& c) { return "level " + std::string(name_of(c.level)); }}};
    return all;
}

/// "8.03 ms ± 0.06".
std::string reported(const MedianEstimate& e) { return time_text(e.median, e.low, e.high); }

/// With two decimals; with three below 0.1, and near 1, since a difference must not be rounded
/// to 1.
std::string times_text(double value) {
    const int digits = value < 0.1 || (value > 0.9 && value < 1.1) ? 3 : 2;
    return fmt::format("{:.{}f}", value, digits);
}

/// "[1.80, 1.88]"
std::string bounds_text(double low, double high) {
    return fmt::format("[{}, {}]", times_text(std::min(low, high)),
                       times_text(std::max(low, high)));
}

/// A cell that differs from the chosen one only in one setting.
struct Neighbour {
    std::size_t cell;
    CellComparison compared;  // it to the chosen one
};

std::vector<Neighbour> neighbours_on(const Axis& axis, const std::vector<SweepCell>& cells,
                                     const std::vector<std::size_t>& usable, std::size_t chosen,
                                     SweepGoal goal) {
    std::vector<Neighbour> found;
    const RunConfiguration& mine = cells[chosen].configuration;
    for (const std::size_t i : usable) {
        RunConfiguration other = cells[i].configuration;
        if (i == chosen || axis.value(other) == axis.value(mine)) continue;
        axis.take(other, mine);
        if (other == mine)
            found.push_back(
                {i, compare_cells(cells[chosen].measurement, cells[i].measurement, goal)});
    }
    // The smallest value of the setting first, from which a user starts.
    std::ranges::sort(found, {},
                      [&](const Neighbour& n) { return axis.value(cells[n.cell].configuration); });
    return found;
}

/// "1.84 times as fast as 1 thread [1.80, 1.88]", "batch 2 takes 5.10 times as long [4.9, 5.3]".
std::string difference_text(const std::string& other, const CellComparison& compared, bool is_batch,
                            SweepGoal goal) {
    const std::string times = times_text(compared.ratio.median),
                      bounds = bounds_text(compared.ratio.low, compared.ratio.high);
    if (!is_batch) return fmt::format("{} times as fast as {} {}", times, other, bounds);
    if (goal == SweepGoal::latency)
        return fmt::format("{} takes {} times as long {}", other, times, bounds);
    return fmt::format("{} times as many inferences per second as {} {}", times, other, bounds);
}

/// Clauses about one setting: those that differ, are the same, or are not known.
struct Clauses {
    std::vector<std::string> differing, same, unknown;
    std::vector<std::size_t> reported;  // unknown cells that are named
};

void report_axis(const Axis& axis, const std::vector<SweepCell>& cells,
                 const std::vector<Neighbour>& neighbours, SweepGoal goal, Clauses& clauses) {
    if (neighbours.empty()) return;
    const bool is_batch = axis.name == std::string_view("the batch size");
    const auto differs = std::ranges::find_if(neighbours, [](const Neighbour& n) {
        return n.compared.standing == Standing::slower || n.compared.standing == Standing::faster;
    });
    if (differs != neighbours.end())
        clauses.differing.push_back(difference_text(axis.text(cells[differs->cell].configuration),
                                                    differs->compared, is_batch, goal));
    double widest = 0;
    bool all_same = true;
    for (const Neighbour& n : neighbours) {
        const MedianEstimate& ratio = n.compared.ratio;
        if (n.compared.standing != Standing::same) all_same = false;
        else widest = std::max({widest, ratio.high - 1, 1 - ratio.low});
        if (n.compared.standing != Standing::unknown) continue;
        const std::string other = axis.text(cells[n.cell].configuration);
        clauses.unknown.push_back(ratio.low > 1 || ratio.high < 1
                                      ? other + ", with so few runs"
                                      : fmt::format("{}, between {} and {} times as long", other,
                                                    times_text(ratio.low), times_text(ratio.high)));
        clauses.reported.push_back(n.cell);
    }
    if (all_same)
        clauses.same.push_back(fmt::format("{} makes no difference beyond noise (±{:.1f} %)",
                                           axis.name, std::ceil(1e3 * widest) / 10));
}

/// Four significant digits, written out.
std::string per_second_text(const SweepCell& cell) {
    const double value = cell.measurement.per_second;
    if (!(value >= 1e4)) return fmt::format("{:.4g}", value);
    const double step = std::pow(10.0, std::floor(std::log10(value)) - 3);
    return fmt::format("{:.0f}", std::round(value / step) * step);
}

/// " Most inferences per second: ..." or " Shortest run: ...": what the goal leaves out, where
/// batches differ.
std::string other_goal_text(const std::vector<SweepCell>& cells, std::size_t chosen,
                            std::size_t best, SweepGoal goal) {
    const bool is_throughput = goal == SweepGoal::latency;  // which figure the sentence gives
    const SweepGoal other = is_throughput ? SweepGoal::throughput : SweepGoal::latency;
    const CellComparison compared =
        compare_cells(cells[chosen].measurement, cells[best].measurement, other);
    if (best == chosen || compared.standing != Standing::faster)
        return is_throughput ? " No other setting is known to give more inferences per second."
                             : " No other setting is known to have a shorter run.";
    const SweepCell& cell = cells[best];
    const MedianEstimate& ratio = compared.ratio;
    if (is_throughput)
        return fmt::format(" Most inferences per second: {}: {}, {} times as many {}.",
                           name_of(cell.configuration), per_second_text(cell),
                           times_text(1 / ratio.median),
                           bounds_text(1 / ratio.high, 1 / ratio.low));
    return fmt::format(" Shortest run: {}: {}, {} times as long {}.", name_of(cell.configuration),
                       reported(cell.measurement.wall.median), times_text(ratio.median),
                       bounds_text(ratio.low, ratio.high));
}

/// "A / B / C and 2 more"
std::string names_of(const std::vector<SweepCell>& cells, const std::vector<std::size_t>& named,
                     const RunConfiguration& usual) {
    constexpr std::size_t most_named = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(named.size(), most_named); ++i)
        text += (i ? " / " : "") + name_of(cells[named[i]].configuration, usual);
    if (named.size() > most_named) text += fmt::format(" and {} more", named.size() - most_named);
    return text;
}

}  // namespace

std::string verdict_of(const std::vector<SweepCell>& cells, const std::vector<std::size_t>& usable,
                       const SweepRecommendation& found, SweepGoal goal,
                       std::ptrdiff_t other_goal) {
    const auto chosen = static_cast<std::size_t>(found.cell);
    const SweepCell& mine = cells[chosen];
    std::string sentence =
        name_of(mine.configuration) + ": " + reported(mine.measurement.wall.median);
    if (goal == SweepGoal::throughput)
        sentence += fmt::format(", {} inferences per second", per_second_text(mine));
    Clauses clauses;
    for (const Axis& axis : axes())
        report_axis(axis, cells, neighbours_on(axis, cells, usable, chosen, goal), goal, clauses);
    for (const std::string& text : clauses.differing) sentence += "; " + text;
    for (const std::string& text : clauses.same) sentence += "; " + text;
    if (!found.equals.empty())
        sentence +=
            fmt::format("; no slower beyond noise {} {}", found.equals.size() == 1 ? "is" : "are",
                        names_of(cells, found.equals, mine.configuration));
    for (const std::string& text : clauses.unknown) sentence += "; not known of " + text;
    std::vector<std::size_t> undistinguished;
    for (const std::size_t cell : found.undecided)
        if (std::ranges::find(clauses.reported, cell) == clauses.reported.end())
            undistinguished.push_back(cell);
    if (!undistinguished.empty())
        sentence += "; cannot be told apart from it: " +
                    names_of(cells, undistinguished, mine.configuration);
    sentence += ".";
    if (other_goal >= 0)
        sentence += other_goal_text(cells, chosen, static_cast<std::size_t>(other_goal), goal);
    return sentence;
}

}  // namespace lapidary
