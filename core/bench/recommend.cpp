// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <functional>

#include <fmt/format.h>

#include <lapidary/quantity_text.h>
#include <lapidary/sweep.h>

#include "exec/parallel.h"

namespace lapidary {
namespace {

/// A median that is known less exactly than this share of it says too little to recommend its setting.
constexpr double most_half_width = 0.5;

/// One setting of a configuration, to hold the others fixed and see what it does.
struct Axis {
    const char* name;
    std::function<std::int64_t(const RunConfiguration&)> value;
    std::function<void(RunConfiguration&, const RunConfiguration&)> take;  // from the second
    std::function<std::string(const RunConfiguration&)> text;
};

const std::vector<Axis>& axes() {
    using C = RunConfiguration;
    static const std::vector<Axis> all{
        {"the number of threads", [](const C& c) { return c.intra; }, [](C& c, const C& from) { c.intra = from.intra; },
         [](const C& c) {
             return c.intra == 0 ? std::string("a thread per core")
                                 : std::to_string(c.intra) + (c.intra == 1 ? " thread" : " threads");
         }},
        {"the execution mode", [](const C& c) { return c.mode == ExecutionMode::sequential ? -1 : c.inter; },
         [](C& c, const C& from) { c.mode = from.mode, c.inter = from.inter; },
         [](const C& c) {
             return c.mode == ExecutionMode::sequential
                        ? std::string("sequential execution")
                        : "parallel execution with " + std::to_string(c.inter) + " at a time";
         }},
        {"spinning", [](const C& c) { return c.spinning; }, [](C& c, const C& from) { c.spinning = from.spinning; },
         [](const C& c) { return std::string(c.spinning ? "spinning" : "no spinning"); }},
        {"the batch size", [](const C& c) { return c.batch; }, [](C& c, const C& from) { c.batch = from.batch; },
         [](const C& c) {
             return c.batch == 0 ? std::string("the batch as it comes") : "batch " + std::to_string(c.batch);
         }},
        {"the level", [](const C& c) { return static_cast<std::int64_t>(c.level); },
         [](C& c, const C& from) { c.level = from.level; },
         [](const C& c) { return "level " + std::string(name_of(c.level)); }}};
    return all;
}

/// What a configuration takes from the machine: the less, the better among equals.
std::array<std::int64_t, 5> cost_of(const RunConfiguration& c) {
    const auto threads = [](int n) { return n > 0 ? n : default_thread_count(); };
    const bool parallel = c.mode == ExecutionMode::parallel;
    return {std::max(threads(c.intra), parallel ? threads(c.inter) : 1), parallel, c.spinning && c.intra != 1, c.batch,
            -static_cast<std::int64_t>(c.level)};
}

/// Time that the goal counts: of a run, or per inference.
double goal_ms(const Measurement& m, SweepGoal goal) {
    return goal == SweepGoal::latency ? m.wall.median.median : 1e3 / m.per_second;
}

Difference goal_difference(const Measurement& first, const Measurement& second, SweepGoal goal) {
    if (goal == SweepGoal::throughput) return difference_between(first, second, true);
    Measurement a = first, b = second;  // a run is a run, whatever it holds
    a.configuration.batch = b.configuration.batch = 0;
    return difference_between(a, b, true);
}

/// "1.84 times as fast as 1 thread [1.80, 1.88]", of the cell that differs in that setting only; nothing where there is
/// none.
std::string effect_of(const Axis& axis, const std::vector<SweepCell>& cells, const std::vector<std::size_t>& usable,
                      std::size_t chosen, SweepGoal goal) {
    const Measurement& best = cells[chosen].measurement;
    bool compared = false, differs = false;
    std::ptrdiff_t shown = -1;  // the one a user starts from: the least value of the setting
    for (const std::size_t i : usable) {
        RunConfiguration other = cells[i].configuration;
        if (i == chosen || axis.value(other) == axis.value(best.configuration)) continue;
        axis.take(other, best.configuration);
        if (!(other == best.configuration)) continue;
        compared = true;
        if (!goal_difference(cells[i].measurement, best, goal).significant) continue;
        differs = true;
        if (shown < 0 ||
            axis.value(cells[i].configuration) < axis.value(cells[static_cast<std::size_t>(shown)].configuration))
            shown = static_cast<std::ptrdiff_t>(i);
    }
    if (!compared) return {};
    if (!differs) return fmt::format("{} makes no difference beyond noise", axis.name);
    const SweepCell& other = cells[static_cast<std::size_t>(shown)];
    const MedianEstimate ratio = goal_difference(other.measurement, best, goal).ratio;
    return fmt::format("{:.2f} times as fast as {} [{:.2f}, {:.2f}]", 1 / ratio.median, axis.text(other.configuration),
                       1 / ratio.high, 1 / ratio.low);
}

/// "8.03 ms ± 0.06".
std::string told(const MedianEstimate& e) { return time_text(e.median, e.low, e.high); }

std::string sentence_of(const std::vector<SweepCell>& cells, const std::vector<std::size_t>& usable,
                        const SweepRecommendation& found, SweepGoal goal) {
    const auto chosen = static_cast<std::size_t>(found.cell);
    const Measurement& m = cells[chosen].measurement;
    std::string sentence = name_of(m.configuration) + ": " + told(m.wall.median);
    if (goal == SweepGoal::throughput) sentence += fmt::format(", {:.4g} inferences per second", m.per_second);
    std::vector<std::string> same;
    for (const Axis& axis : axes()) {
        const std::string effect = effect_of(axis, cells, usable, chosen, goal);
        if (effect.empty()) continue;
        if (effect.ends_with("noise")) same.push_back(effect);
        else sentence += ", " + effect;
    }
    for (const std::string& text : same) sentence += "; " + text;
    if (!found.equals.empty()) {
        sentence += fmt::format("; no slower beyond noise {} ", found.equals.size() == 1 ? "is" : "are");
        constexpr std::size_t most_named = 3;
        for (std::size_t i = 0; i < std::min(found.equals.size(), most_named); ++i)
            sentence += (i ? " / " : "") + name_of(cells[found.equals[i]].configuration, m.configuration);
        if (found.equals.size() > most_named) sentence += fmt::format(" and {} more", found.equals.size() - most_named);
    }
    return sentence + ".";
}

}  // namespace

SweepRecommendation recommend(const std::vector<SweepCell>& cells, SweepGoal goal, double latency_cap_ms) {
    SweepRecommendation found;
    std::vector<std::size_t> usable, within;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const Measurement& m = cells[i].measurement;
        if (cells[i].state != CellState::done || !m.error.empty() || m.wall.median.samples == 0 || !(m.per_second > 0))
            continue;
        usable.push_back(i);
        if (latency_cap_ms <= 0 || m.wall.median.median <= latency_cap_ms) within.push_back(i);
    }
    if (usable.empty()) {
        found.sentence = "Nothing was measured.";
        return found;
    }
    const auto time = [&](std::size_t i) { return goal_ms(cells[i].measurement, goal); };
    if (within.empty()) {
        const std::size_t fastest = *std::ranges::min_element(
            usable, {}, [&](std::size_t i) { return cells[i].measurement.wall.median.median; });
        found.sentence =
            fmt::format("No setting stays under {:g} ms; the nearest is {} with {}.", latency_cap_ms,
                        name_of(cells[fastest].configuration), told(cells[fastest].measurement.wall.median));
        return found;
    }
    const std::size_t fastest = *std::ranges::min_element(within, {}, time);
    const auto half_width = [&](std::size_t i) {
        const MedianEstimate& e = cells[i].measurement.wall.median;
        return (e.high - e.low) / 2 / e.median;
    };
    if (half_width(fastest) > most_half_width) {
        found.sentence = fmt::format(
            "No recommendation: the fastest, {}, is known only as {} ±{:.0f} %, and what differs by less is noise. "
            "Close other "
            "programs, or measure each setting for longer.",
            name_of(cells[fastest].configuration), time_text(cells[fastest].measurement.wall.median.median),
            100 * half_width(fastest));
        return found;
    }
    std::vector<std::size_t> equals;  // the fastest among them
    for (const std::size_t i : within) {
        // One that is hardly known differs from nothing, which does not make it as good.
        const bool is_known = half_width(i) <= most_half_width;
        if (i == fastest ||
            (is_known && !goal_difference(cells[fastest].measurement, cells[i].measurement, goal).significant))
            equals.push_back(i);
    }
    std::ranges::sort(equals, [&](std::size_t a, std::size_t b) {
        const auto x = cost_of(cells[a].configuration), y = cost_of(cells[b].configuration);
        return x != y ? x < y : time(a) < time(b);
    });
    found.cell = static_cast<std::ptrdiff_t>(equals.front());
    found.equals.assign(equals.begin() + 1, equals.end());
    found.sentence = sentence_of(cells, usable, found, goal);
    return found;
}

}  // namespace lapidary
