// SPDX-License-Identifier: Apache-2.0
// The verdict of a sweep against its cells: whatever was measured, each clause of the sentence
// holds for the cells that it names, and nothing is called the same that is not known to be.
#include <algorithm>
#include <cmath>
#include <random>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lapidary/bench/sweep.h>

#include "bench/sweep/cell_comparison.h"

namespace lapidary {
namespace {

/// `spread`: of the samples, as a share; `first_round`: cells that share rounds were measured in
/// turn.
SweepCell measured(const RunConfiguration& configuration, double ms, double spread, int samples,
                   int first_round, std::mt19937& random) {
    SweepCell cell;
    cell.configuration = cell.measurement.configuration = configuration;
    cell.state = CellState::done;
    std::normal_distribution<double> noise(0, spread);
    for (int i = 0; i < samples; ++i) {
        cell.measurement.samples_ms.push_back(ms * std::exp(noise(random)));
        cell.measurement.rounds.push_back(first_round + i);
    }
    cell.measurement.wall = summarize_samples(cell.measurement.samples_ms);
    cell.measurement.per_second =
        1e3 * static_cast<double>(std::max<std::int64_t>(configuration.batch, 1)) /
        cell.measurement.wall.median.median;
    return cell;
}

double time_of(const SweepCell& cell, SweepGoal goal) {
    return goal == SweepGoal::latency ? cell.measurement.wall.median.median
                                      : 1e3 / cell.measurement.per_second;
}

/// Threads by batches by spinning, with true times, noise and numbers of samples as chance has
/// them.
std::vector<SweepCell> random_sweep(std::mt19937& random) {
    const auto uniform = [&](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random);
    };
    const double base = std::exp(uniform(-4, 7)), quiet = std::exp(uniform(-7, -0.7));
    const double thread_gain = uniform(0.85, 2), batch_cost = uniform(0.9, 2.1);
    std::vector<SweepCell> cells;
    int round = 0;
    for (const std::int64_t batch : {1, 2, 4}) {
        const int samples = std::uniform_int_distribution<int>(1, 30)(random);
        for (const int intra : {1, 2, 4})
            for (const bool spinning : {true, false}) {
                if (intra == 1 && !spinning) continue;
                const double ms = base *
                                  std::pow(batch_cost, std::log2(static_cast<double>(batch))) /
                                  std::pow(thread_gain, std::log2(static_cast<double>(intra))) *
                                  (spinning ? 1 : uniform(0.97, 1.05));
                cells.push_back(measured(
                    {.resources = {intra, 1, ExecutionMode::sequential, spinning}, .batch = batch},
                    ms, quiet * uniform(0.5, 2), samples, round, random));
            }
        round += 10'000;
    }
    return cells;
}

/// The cell that differs from the chosen one in what `setting` names alone.
const SweepCell* neighbour(const std::vector<SweepCell>& cells, const SweepCell& chosen,
                           const std::string& setting) {
    RunConfiguration wanted = chosen.configuration;
    std::smatch match;
    if (std::regex_match(setting, match, std::regex("(\\d+) threads?")))
        wanted.resources.threads = std::stoi(match[1]);
    else if (std::regex_match(setting, match, std::regex("batch (\\d+)")))
        wanted.batch = std::stoi(match[1]);
    else if (setting == "spinning" || setting == "no spinning")
        wanted.resources.spinning = setting == "spinning";
    else return nullptr;
    const auto found = std::ranges::find(cells, wanted, &SweepCell::configuration);
    return found == cells.end() ? nullptr : &*found;
}

std::vector<const SweepCell*> neighbours_on(const std::vector<SweepCell>& cells,
                                            const SweepCell& chosen, const std::string& axis) {
    std::vector<const SweepCell*> found;
    for (const SweepCell& cell : cells) {
        RunConfiguration other = cell.configuration;
        if (axis == "the number of threads")
            other.resources.threads = chosen.configuration.resources.threads;
        if (axis == "the batch size") other.batch = chosen.configuration.batch;
        if (axis == "spinning") other.resources.spinning = chosen.configuration.resources.spinning;
        if (other == chosen.configuration && cell.configuration != chosen.configuration)
            found.push_back(&cell);
    }
    return found;
}

std::vector<std::string> clauses_of(const std::string& sentence) {
    std::vector<std::string> clauses;
    for (std::size_t begin = 0; begin < sentence.size();) {
        const std::size_t end = std::min(sentence.find("; ", begin), sentence.size());
        clauses.push_back(sentence.substr(begin, end - begin));
        begin = end + 2;
    }
    return clauses;
}

/// Counts the clauses that were checked; those of paired rounds are medians of ratios, near the
/// ratio of the medians.
struct Checker {
    const std::vector<SweepCell>& cells;
    const SweepCell& chosen;
    SweepGoal goal;
    int checked = 0;

    void near(double reported, double ratio, double low, double high, const std::string& clause) {
        EXPECT_LE(low, reported * 1.006) << clause;
        EXPECT_GE(high, reported * 0.994) << clause;
        EXPECT_NEAR(std::log(reported), std::log(ratio), std::log(high / low) / 2 + 0.02) << clause;
        ++checked;
    }

    /// The clause by the pattern in which N stands for a number and B for an interval.
    static bool matches(const std::string& clause, std::string pattern, std::smatch& match) {
        const std::string number = "([\\d.e+-]+)";
        pattern = std::regex_replace(pattern, std::regex("B"), " \\[N, N\\]");
        pattern = std::regex_replace(pattern, std::regex("N"), number);
        return std::regex_match(clause, match, std::regex(pattern + "\\.?"));
    }

    void check(const std::string& clause) {
        std::smatch m;
        if (matches(clause, "N times as (fast|many inferences per second) as (.+)B", m)) {
            check_difference(clause, m[3], m[1], m[4], m[5]);
        } else if (matches(clause, "(batch \\d+) takes N times as longB", m)) {
            EXPECT_EQ(goal, SweepGoal::latency) << clause;
            check_difference(clause, m[1], m[2], m[3], m[4], true);
        } else if (matches(clause, "(.+) makes no difference beyond noise \\(±N %\\)", m)) {
            check_sameness(clause, m[1], std::stod(m[2]) / 100);
        } else if (matches(clause, "not known of (.+), between N and N times as long", m)) {
            const SweepCell* other = neighbour(cells, chosen, m[1]);
            ASSERT_NE(other, nullptr) << clause;
            const double ratio = time_of(*other, goal) / time_of(chosen, goal),
                         low = std::stod(m[2]), high = std::stod(m[3]);
            EXPECT_LE(low, std::min(1.0, ratio) * 1.02) << clause;
            EXPECT_GE(high, std::max(1.0, ratio) * 0.98) << clause;
            ++checked;
        } else if (matches(clause, "not known of (.+), with so few runs", m)) {
            const SweepCell* other = neighbour(cells, chosen, m[1]);
            ASSERT_NE(other, nullptr) << clause;
            EXPECT_LT(std::min(other->measurement.samples_ms.size(),
                               chosen.measurement.samples_ms.size()),
                      4u)
                << clause;
            ++checked;
        }
    }

    void check_difference(const std::string& clause, const std::string& setting,
                          const std::string& times, const std::string& low, const std::string& high,
                          bool as_long = false) {
        const SweepCell* other = neighbour(cells, chosen, setting);
        ASSERT_NE(other, nullptr) << clause;
        const double ratio = time_of(*other, goal) / time_of(chosen, goal);
        // How much longer the other takes, or how many times as fast the chosen one is: the same
        // quotient.
        near(std::stod(times), ratio, std::stod(low), std::stod(high), clause);
        EXPECT_TRUE(std::stod(low) >= 1 || std::stod(high) <= 1)
            << clause << ": that may be no difference";
        EXPECT_EQ(as_long, clause.find("as long") != std::string::npos) << clause;
    }

    void check_sameness(const std::string& clause, const std::string& axis, double share) {
        EXPECT_LE(share, same_speed + 0.001) << clause << ": too wide to mean it";
        const auto others = neighbours_on(cells, chosen, axis);
        EXPECT_FALSE(others.empty()) << clause;
        for (const SweepCell* other : others) {
            EXPECT_NEAR(time_of(*other, goal) / time_of(chosen, goal), 1, share + 0.02) << clause;
            EXPECT_GE(other->measurement.wall.median.samples, 6u) << clause;
        }
        ++checked;
    }
};

/// Every cell is the chosen one, as fast, not known, or slower for sure.
void check_groups(const std::vector<SweepCell>& cells, const SweepRecommendation& found,
                  SweepGoal goal) {
    const auto chosen = static_cast<std::size_t>(found.cell);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const bool equal = std::ranges::find(found.equals, i) != found.equals.end();
        const bool undecided = std::ranges::find(found.undecided, i) != found.undecided.end();
        ASSERT_FALSE(equal && undecided) << found.sentence;
        if (i == chosen) {
            ASSERT_FALSE(equal || undecided);
        } else if (!equal && !undecided) {
            EXPECT_GT(time_of(cells[i], goal), time_of(cells[chosen], goal))
                << name_of(cells[i].configuration);
        } else if (equal) {
            EXPECT_NEAR(time_of(cells[i], goal) / time_of(cells[chosen], goal), 1,
                        same_speed + 0.02);
        }
    }
}

/// "Most inferences per second: ..." names a cell that has them.
void check_other_goal(const std::vector<SweepCell>& cells, const std::string& sentence,
                      int& checked) {
    std::smatch m;
    const std::regex most(
        "Most inferences per second: (.+): ([\\d.e+-]+), ([\\d.e+-]+) times as many");
    if (!std::regex_search(sentence, m, most)) return;
    const std::string name = m[1];
    const auto named = std::ranges::find_if(
        cells, [&](const SweepCell& c) { return name_of(c.configuration) == name; });
    ASSERT_NE(named, cells.end()) << sentence;
    EXPECT_NEAR(std::stod(m[2]) / named->measurement.per_second, 1, 1e-3) << sentence;
    EXPECT_GT(std::stod(m[3]), 1) << sentence;
    ++checked;
}

TEST(SweepVerdict, EverySentenceHoldsForTheCells) {
    std::mt19937 random(42);
    int checked = 0, others = 0, declined = 0;
    for (int sweep = 0; sweep < 120; ++sweep) {
        const std::vector<SweepCell> cells = random_sweep(random);
        for (const SweepGoal goal : {SweepGoal::latency, SweepGoal::throughput}) {
            const SweepRecommendation found = recommend(cells, goal);
            if (found.cell < 0) {
                EXPECT_TRUE(found.sentence.starts_with("No recommendation")) << found.sentence;
                EXPECT_FALSE(cells_to_settle(cells, found, goal).empty());
                ++declined;
                continue;
            }
            const SweepCell& chosen = cells[static_cast<std::size_t>(found.cell)];
            check_groups(cells, found, goal);
            Checker checker{cells, chosen, goal};
            const std::size_t end = std::min(found.sentence.find(". "), found.sentence.size());
            for (const std::string& clause : clauses_of(found.sentence.substr(0, end)))
                checker.check(clause);
            EXPECT_GE(checker.checked, 2) << "threads and batches differ: " << found.sentence;
            checked += checker.checked;
            if (goal == SweepGoal::latency) check_other_goal(cells, found.sentence, others);
        }
    }
    EXPECT_GT(checked, 400);
    EXPECT_GT(others, 8);
    EXPECT_GT(declined, 2);
}

/// Few samples with wide intervals, far apart: that is a difference, and what lies close is not
/// known.
TEST(SweepVerdict, FewWideSamplesDoNotShowThatCellsAreEqual) {
    const auto cell = [](RunConfiguration configuration, double ms, double low, double high) {
        SweepCell c;
        c.configuration = c.measurement.configuration = configuration;
        c.state = CellState::done;
        c.measurement.wall.median = {ms, low, high, 5};
        c.measurement.per_second = 1e3 * static_cast<double>(configuration.batch) / ms;
        return c;
    };
    const std::vector<SweepCell> cells{
        cell({.resources = fixed_resources(1), .batch = 1}, 155, 118, 245),
        cell({.resources = fixed_resources(2), .batch = 1}, 157, 135, 216),
        cell({.resources = fixed_resources(1), .batch = 2}, 796, 624, 1300),
        cell({.resources = fixed_resources(2), .batch = 2}, 737, 706, 759),
        cell({.resources = fixed_resources(1), .batch = 4}, 672, 535, 1230),
        cell({.resources = fixed_resources(2), .batch = 4}, 607, 550, 653)};
    const SweepRecommendation found = recommend(cells, SweepGoal::latency);
    EXPECT_EQ(found.cell, 0);
    EXPECT_TRUE(found.equals.empty()) << found.sentence;
    EXPECT_EQ(found.undecided, std::vector<std::size_t>{1});
    EXPECT_EQ(cells_to_settle(cells, found, SweepGoal::latency), (std::vector<std::size_t>{0, 1}));
    for (const char* part : {"batch 2 takes 5.14 times as long [2.55, 11.02]",
                             "not known of 2 threads, between 0.55 and 1.83 times as long"})
        EXPECT_NE(found.sentence.find(part), std::string::npos) << part << " in " << found.sentence;
    EXPECT_EQ(found.sentence.find("no difference"), std::string::npos) << found.sentence;
}

TEST(SweepVerdict, LatencyAndThroughputAreDistinguished) {
    std::mt19937 random(1);
    const std::vector<SweepCell> cells{measured({.batch = 1}, 4, 0.002, 20, 0, random),
                                       measured({.batch = 8}, 16, 0.002, 20, 10'000, random)};
    const std::string latency = recommend(cells, SweepGoal::latency).sentence;
    EXPECT_NE(latency.find("batch 8 takes 4.0"), std::string::npos) << latency;
    EXPECT_NE(latency.find("Most inferences per second: 1 thread, batch 8: "), std::string::npos)
        << latency;
    const std::string throughput = recommend(cells, SweepGoal::throughput).sentence;
    EXPECT_NE(throughput.find("times as many inferences per second as batch 1"), std::string::npos)
        << throughput;
    EXPECT_NE(throughput.find("Shortest run: 1 thread, batch 1: "), std::string::npos)
        << throughput;
}

}  // namespace
}  // namespace lapidary
