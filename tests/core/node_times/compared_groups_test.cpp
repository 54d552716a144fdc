// SPDX-License-Identifier: Apache-2.0
// Recordings that are made up: a node that became slower is named, and noise names none.
#include <gtest/gtest.h>

#include <random>

#include <lapidary/graph/graph_text.h>

#include "node_times/compared_groups.h"
#include "node_times/paired_difference.h"

namespace lapidary {
namespace {

constexpr int chain_length = 40;
constexpr std::size_t runs = 30;

Graph chain() {
    std::string text = "(v0: f32[64,64]) -> (v" + std::to_string(chain_length) + ")\n";
    for (int i = 0; i < chain_length; ++i)
        text += "v" + std::to_string(i + 1) + " = " + (i % 2 ? "Sin" : "Tanh") + "(v" +
                std::to_string(i) + ") as \"n" + std::to_string(i) + "\"\n";
    return parse_graph(text);
}

/// Each node takes a millisecond, give or take a fifth, and all of a run are slow together. `extra`
/// is added to the node of that number.
RecordedTimes recording(const Graph& graph, std::uint64_t seed, int slower = -1, double extra = 0) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> own(1, 0.2);
    std::uniform_real_distribution<double> common(0.9, 1.3);
    RecordedTimes times;
    times.name = "engine";
    times.version = "1";
    times.wall_ms.assign(runs, 0.1);
    for (const NodeId id : graph.nodes())
        times.kernels.push_back({graph.node(id).name,
                                 graph.node(id).op_type,
                                 {id},
                                 true,
                                 std::vector<double>(runs),
                                 1});
    for (std::size_t run = 0; run < runs; ++run) {
        const double factor = common(random);
        for (std::size_t k = 0; k < times.kernels.size(); ++k) {
            double ms = factor * own(random);
            if (static_cast<int>(k) == slower) ms += extra;
            times.kernels[k].ms[run] = ms;
            times.wall_ms[run] += ms;
        }
    }
    return times;
}

TEST(ComparedGroups, NameTheNodeThatBecameSlower) {
    const Graph graph = chain();
    const NodeComparison found =
        compare_recordings(graph, recording(graph, 1), recording(graph, 2, 7, 3.4));
    ASSERT_EQ(found.sentences.size(), 1u);
    EXPECT_TRUE(found.sentences[0].starts_with("B loses 3.")) << found.sentences[0];
    EXPECT_TRUE(found.sentences[0].ends_with(" in Sin (node n7)")) << found.sentences[0];
    const ComparedGroup& first = found.groups.front();
    EXPECT_EQ(first.name, "n7");
    EXPECT_TRUE(first.is_shown);
    EXPECT_LT(first.difference.low, 3.4);
    EXPECT_GT(first.difference.high, 3.4);
    EXPECT_EQ(found.pairs, runs);
    ASSERT_EQ(found.groups.size(), chain_length + 1u) << "with the time between kernels";
}

TEST(ComparedGroups, GainsAreNamedToo) {
    const Graph graph = chain();
    const NodeComparison found =
        compare_recordings(graph, recording(graph, 3, 12, 20), recording(graph, 4));
    ASSERT_EQ(found.sentences.size(), 1u);
    EXPECT_TRUE(found.sentences[0].starts_with("B gains ")) << found.sentences[0];
    EXPECT_NE(found.sentences[0].find("node n12"), std::string::npos) << found.sentences[0];
    EXPECT_TRUE(found.is_shown);
    EXPECT_LT(found.difference.high, 0);
}

TEST(ComparedGroups, NoiseNamesNone) {
    const Graph graph = chain();
    int named = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const NodeComparison found = compare_recordings(graph, recording(graph, 100 + 2 * seed),
                                                        recording(graph, 101 + 2 * seed));
        for (const ComparedGroup& group : found.groups) named += group.is_shown;
        if (seed == 0) {
            ASSERT_EQ(found.sentences.size(), 1u);
            EXPECT_TRUE(found.sentences[0].starts_with("no difference that this machine can show"))
                << found.sentences[0];
        }
    }
    EXPECT_LE(named, 4) << "of 1640 comparisons";
}

TEST(ComparedGroups, KernelsOfNoNodeAreNamedByOperator) {
    const Graph graph = chain();
    RecordedTimes a = recording(graph, 5), b = recording(graph, 6);
    b.kernels.push_back({"reorder_3", "ReorderOutput", {}, true, std::vector<double>(runs, 4), 1});
    const NodeComparison found = compare_recordings(graph, a, b);
    EXPECT_EQ(found.groups.front().name, "ReorderOutput");
    EXPECT_FALSE(found.groups.front().a_ms.has_value());
    EXPECT_NE(found.sentences[0].find("which is no node of the model"), std::string::npos)
        << found.sentences[0];
}

TEST(ComparedGroups, FewPairsShowNothing) {
    const Graph graph = chain();
    RecordedTimes a = recording(graph, 7), b = recording(graph, 8, 3, 50);
    for (RecordedTimes* times : {&a, &b}) {
        times->wall_ms.resize(3);
        for (KernelTimes& kernel : times->kernels) kernel.ms.resize(3);
    }
    const NodeComparison found = compare_recordings(graph, a, b);
    ASSERT_EQ(found.sentences.size(), 1u);
    EXPECT_NE(found.sentences[0].find("too few"), std::string::npos) << found.sentences[0];
}

TEST(PairedDifference, IsWiderAmongMany) {
    std::mt19937_64 random(9);
    std::normal_distribution<double> around(10, 1);
    std::vector<double> a(50), b(50);
    for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] = around(random);
        b[i] = around(random) + 2;
    }
    const PairedDifference one = paired_difference(a, b, {}),
                           many = paired_difference(a, b, {0, 0, 500});
    EXPECT_EQ(one.estimate.median, many.estimate.median);
    EXPECT_LT(many.estimate.low, one.estimate.low);
    EXPECT_GT(many.estimate.high, one.estimate.high);
    EXPECT_TRUE(one.is_shown);
    const std::vector<double> same(20, 5.0), later(20, 5.001), next_tick(20, 5.9);
    EXPECT_FALSE(paired_difference(same, later, {}).is_shown)
        << "within what the place of memory moves";
    EXPECT_FALSE(paired_difference(same, next_tick, {1, 0, 1}).is_shown)
        << "within a tick of the clock";
}

TEST(PairedDifference, FewPairsShowNothing) {
    EXPECT_EQ(fewest_pairs_for(1), 6u);
    EXPECT_EQ(fewest_pairs_for(100), 12u);
    const std::vector<double> a{1, 1.2, 1.1, 1.4, 1.3}, b{9, 9.1, 9.4, 9.3, 9.2};
    const PairedDifference found = paired_difference(a, b, {});
    EXPECT_FALSE(found.is_shown);
    EXPECT_NEAR(found.estimate.median, 8, 0.5);
}

TEST(KernelTimesTable, TakesMeasuredRunsAlone) {
    Profile profile;
    const auto add = [&](const std::string& name, EventKind kind, int run, std::int64_t ns) {
        Span span;
        span.label = profile.labels.add({.name = name, .op = name});
        span.kind = kind;
        span.run = run;
        span.end_ns = ns;
        (kind == EventKind::run ? profile.run_spans : profile.kernels).push_back(span);
    };
    for (int run = 0; run < 4; ++run) {
        add("run", EventKind::run, run, 1'000'000 * (run + 1));
        add("conv", EventKind::kernel, run, 100'000 * (run + 1));
        add("conv", EventKind::kernel, run, 100'000);
    }
    KernelTimesTable table;
    table.add(profile, {1, 3});
    const RecordedTimes times = table.take();
    EXPECT_EQ(times.wall_ms, (std::vector<double>{2, 4}));
    ASSERT_EQ(times.kernels.size(), 1u);
    EXPECT_EQ(times.kernels[0].calls, 2);
    EXPECT_NEAR(times.kernels[0].ms[0], 0.3, 1e-9);
    EXPECT_NEAR(times.kernels[0].ms[1], 0.5, 1e-9);
}

}  // namespace
}  // namespace lapidary
