// SPDX-License-Identifier: Apache-2.0
// What the Compare page computes and draws, without the page.
#include <QPainter>

#include <lapidary/proof/choose_compute.h>

#include "compare/compare_digest.h"
#include "compare/compute_price.h"
#include "compare/difference_tables.h"
#include "compare/distribution_view.h"
#include "compare/module_waterfall.h"
#include "compare/signed_text.h"
#include "compare/summary_cards.h"
#include "compare/waterfall_delegate.h"
#include "views/window_fixture.h"
#include "workbench/jobs/comparison.h"

namespace lapidary::views {
namespace {

TEST(Waterfall, BarsLeadFromOneSumToTheOther) {
    const Column<OperatorDifference> columns[] = {
        {"d", [](const OperatorDifference& r) -> QVariant { return r.difference(); }}};
    RowsModel<OperatorDifference> model(columns);
    WaterfallDelegate delegate(model, 0);
    model.setRows(
        std::vector<OperatorDifference>{{"a", 1, 1, 10, 4}, {"b", 1, 1, 1, 3}, {"c", 1, 1, 2, 2}});
    EXPECT_EQ(delegate.barOf(0), std::pair(1.0, 0.0));             // 0 to -6
    EXPECT_NEAR(delegate.barOf(1).second, 2.0 / 6, 1e-12);         // -6 to -4
    EXPECT_EQ(delegate.barOf(2).first, delegate.barOf(2).second);  // nothing
    model.sort(0, Qt::DescendingOrder);
    // follows the new order: 0 to 2 first
    EXPECT_GT(delegate.barOf(0).second, delegate.barOf(0).first);
}

TEST(ComputePrice, SaysSpeedLossAndAnswers) {
    auto exact = std::make_shared<app::Variant>(), rounded = std::make_shared<app::Variant>();
    exact->recipe = rounded->recipe = app::Recipe::plain(Level::all);
    rounded->recipe.runs_on.emplace().compute = Compute::fp16;
    app::ComparisonRecord record;
    record.a = exact;
    record.b = rounded;
    EXPECT_TRUE(computePriceSentence(record).isEmpty()) << "no outputs were compared";
    record.outputs_compared = true;
    record.outputs = {{"logits", {true, "", 10, 0, 1e-3, 1e-3, 10, 61, 1}, 4, 0}};
    EXPECT_EQ(computePriceSentence(record),
              QStringLiteral("fp16: SQNR 61.0 dB, no answer changed."));
    record.difference.emplace();
    record.difference->significant = true;
    record.difference->ratio.median = 0.5;
    record.outputs[0].changed_answers = 1;
    EXPECT_EQ(computePriceSentence(record),
              QStringLiteral("fp16: 2.00 × as fast, SQNR 61.0 dB, 1 of 4 answers changed."));
    std::swap(record.a, record.b);
    EXPECT_TRUE(computePriceSentence(record).startsWith(QStringLiteral("fp16: 0.50 × as fast")));
    record.outputs.push_back({"present.0.key", {true, "", 10, 0, 1e-3, 1e-3, 10, 70, 1}, 0, 0});
    record.outputs[0].answers = record.outputs[0].changed_answers = 0;
    EXPECT_FALSE(computePriceSentence(record).contains(QStringLiteral("answer")));
    auto run = std::make_shared<app::RunRecord>();
    run->lowered.emplace().problem = nothing_rounded_text();
    record.run_a = run;  // the rounded one is A now
    EXPECT_EQ(computePriceSentence(record),
              QStringLiteral("fp16: no weight is large enough; nothing is computed differently."));
    EXPECT_EQ(roundedOnOneSide(record), Compute::fp16);
    rounded->recipe.level = Level::basic;
    EXPECT_TRUE(computePriceSentence(record).isEmpty()) << "the levels differ too";
    EXPECT_EQ(roundedOnOneSide(record), Compute::exact);
}

TEST(SummaryFigures, SayThatTheChangeIsOfPairs) {
    app::Variant variant;
    app::ComparisonRecord record;
    record.measured_a.emplace().wall.median = {1.95, 1.9, 2, 12};
    record.measured_b.emplace().wall.median = {1.43, 1.4, 1.5, 12};
    record.difference = Difference{{0.774, 0.75, 0.8, 12}, true, {}};
    const auto latency = [&] { return summaryFigures(variant, variant, &record, {}).front(); };
    EXPECT_TRUE(latency().worth.startsWith(QStringLiteral("of pairs: ")));
    EXPECT_TRUE(latency().tip.contains(QStringLiteral("The change is that of pairs")));
    record.measured_b->wall.median.samples = 4;
    EXPECT_TRUE(latency().worth.startsWith(QStringLiteral("significant: "))) << "no pairs";
}

TEST(OutputDifferences, RoundedWeightsHaveAVerdictOfTheirOwn) {
    OutputDifferences table;
    const OutputComparison logits{"logits", {false, "far", 10, 2, 0.25, 1e-3, 10, 50, 1}, 4, 1};
    OutputComparison integers = logits, far = logits, cache = logits;
    integers.comparison.max_abs = 2;
    far.comparison.sqnr_db = 40;
    cache.answers = cache.changed_answers = 0;
    const auto text = [&](int row, int column) {
        return table.model()->index(row, column).data().toString();
    };
    table.setRows({logits, integers, far, cache}, true, Compute::fp16);
    EXPECT_EQ(text(0, 1), QStringLiteral("≈ within fp16 rounding"));
    EXPECT_EQ(text(0, 2), QStringLiteral("1 of 4"));
    EXPECT_EQ(text(1, 1), QStringLiteral("✗ differs"));
    EXPECT_EQ(text(2, 1), QStringLiteral("✗ differs"));
    EXPECT_EQ(text(3, 2), QStringLiteral("–"));
    table.setRows({far}, true, Compute::bf16);
    EXPECT_EQ(text(0, 1), QStringLiteral("≈ within bf16 rounding"));
    table.setRows({logits}, true);
    EXPECT_EQ(text(0, 1), QStringLiteral("✗ differs"));
}

TEST(CompareDigest, RunsThatWereHeldUpDoNotCount) {
    const ModelPtr model = std::make_shared<const Model>(build_sample("mlp"));
    const auto side = [&model](std::int64_t last) {
        auto profile = std::make_shared<Profile>();
        profile->runs = 5;
        std::int64_t at = 0;
        for (int run = 0; run < 5; ++run) {
            const std::int64_t length = run == 4 ? last : 1'000'000;
            Span wall;
            wall.run = run;
            wall.begin_ns = at;
            wall.end_ns = at + length;
            profile->run_spans.push_back(wall);
            wall.label = profile->labels.add({.name = "Relu", .op = "Relu"});
            wall.node = model->graph.nodes().front();
            profile->kernels.push_back(wall);
            at += length + 1000;
        }
        auto record = std::make_shared<app::RunRecord>();
        record->model = record->executed = model;
        record->summary = summarize(*profile);
        record->profile = profile;
        return record;
    };
    auto record = std::make_shared<app::ComparisonRecord>();
    auto variant = std::make_shared<app::Variant>();
    record->a = record->b = variant;
    record->run_a = side(1'000'000);
    record->run_b = side(500'000'000);  // the machine did something else
    const CompareDigestPtr digest = digestComparison(record, model);
    EXPECT_EQ(digest->run_a, record->run_a);
    EXPECT_EQ(digest->run_b, record->run_b) << "all runs are kept; what counts is the typical one";
    EXPECT_NEAR(digest->run_b->summary.wall_ms, 1, 1e-6);
    EXPECT_NEAR(digest->scale.profiled_b_ms, 1, 1e-6);
    ASSERT_FALSE(digest->operators.empty());
    for (const OperatorDifference& row : digest->operators)
        EXPECT_NEAR(row.difference(), 0, 1e-6) << row.op;
    ASSERT_FALSE(digest->nodes.empty());
    for (const NodeDifference& row : digest->nodes) {
        EXPECT_NEAR(row.difference(), 0, 1e-6) << row.name;
        ASSERT_TRUE(row.interval) << row.name;
        EXPECT_NEAR(row.interval->first, 0, 1e-6)
            << row.name << ": of the four runs that are alike";
        EXPECT_NEAR(row.interval->second, 0, 1e-6) << row.name;
    }
}

TEST(ModuleDifferences, LeadFromAToBAndMergeWhatIsNoise) {
    const auto node = [](const char* name, double a, double b, double reach) {
        NodeDifference row;
        row.node = NodeId(std::uint32_t(std::hash<std::string>()(name) % 1000 + 1));
        row.name = name;
        row.a_ms = a;
        row.b_ms = b;
        row.interval = std::pair(b - a - reach, b - a + reach);
        return row;
    };
    std::vector<NodeDifference> nodes{
        node("/net/stem/conv", 4, 1, 0.5), node("/net/stem/relu", 1, 1, 0.1),
        node("/net/body/conv", 3, 3.1, 1), node("/net/neck/conv", 2, 2.05, 1),
        node("/net/head/fc", 1, 2, 0.2)};
    NodeDifference made;  // stands for no original node
    made.b_ms = 0.5;
    nodes.push_back(made);
    const auto rows = moduleDifferences(nodes, {12, 10.5});
    using Kind = ModuleDifference::Kind;
    std::vector<Kind> kinds;
    for (const ModuleDifference& row : rows) kinds.push_back(row.kind);
    ASSERT_EQ(kinds, (std::vector{Kind::start, Kind::module, Kind::module, Kind::noise, Kind::rest,
                                  Kind::overhead, Kind::end}));
    EXPECT_EQ(rows[1].name, "stem") << "the largest difference first";
    EXPECT_NEAR(rows[1].difference(), -3, 1e-9);
    EXPECT_EQ(rows[1].count, 2u);
    EXPECT_EQ(rows[2].name, "head");
    EXPECT_EQ(rows[3].count, 2u) << "body and neck";
    double sum = rows.front().a_ms;
    for (const ModuleDifference& row : rows) sum += row.kind == Kind::start ? 0 : row.difference();
    EXPECT_NEAR(sum, 10.5, 1e-9) << "the bars lead from A to B";
    EXPECT_TRUE(
        moduleDifferences({node("conv", 1, 2, 0.1), node("relu", 1, 1, 0.1)}, {2, 3}).empty())
        << "names without scopes";
}

TEST(ModuleWaterfall, BarsBeginWhereTheLastEnded) {
    using Kind = ModuleDifference::Kind;
    ModuleWaterfall view;
    view.setRows(std::make_shared<const std::vector<ModuleDifference>>(
        std::vector<ModuleDifference>{{Kind::start, {}, 0, 10, 10, {}},
                                      {Kind::module, "a", 1, 5, 3, std::pair(-2.1, -1.9)},
                                      {Kind::noise, {}, 3, 4, 4.5, {}},
                                      {Kind::end, {}, 0, 8.5, 8.5, {}}}));
    const ModuleBars& bars = view.bars();
    EXPECT_EQ(bars.barOf(0).first, 0) << "a whole begins at the left end";
    EXPECT_EQ(bars.barOf(0).second, 1);
    EXPECT_EQ(bars.barOf(1).first, bars.barOf(0).second);
    EXPECT_EQ(bars.barOf(2).first, bars.barOf(1).second);
    EXPECT_GT(bars.barOf(2).second, bars.barOf(2).first) << "slower leads back";
    EXPECT_NEAR(bars.barOf(3).second, bars.barOf(2).second, 1e-9);
    EXPECT_FALSE(view.grab().toImage().isNull());
}

TEST(Distribution, CountsEveryRoundOnce) {
    std::vector<RoundSample> samples;
    for (int i = 0; i < 200; ++i) samples.push_back({i, 10, 9 + 0.01 * (i % 20)});
    samples.push_back({200, 10, 500});  // far out: counted at the edge
    const Histogram histogram = histogramOf(samples);
    int sum = 0;
    for (const int count : histogram.counts) sum += count;
    EXPECT_EQ(sum, 201);
    EXPECT_LT(histogram.low, -0.09);
    EXPECT_GE(histogram.high, 0);
    EXPECT_LT(histogram.high, 1);
    EXPECT_TRUE(histogramOf({}).counts.empty());
}

TEST(SignedText, SaysTheSignAndWhetherItIsBetter) {
    EXPECT_EQ(signedMilliseconds(-1.24), QStringLiteral("✓ −1.24 ms"));
    EXPECT_EQ(signedPercent(0.118), QStringLiteral("✗ +11.8 %")) << "more time is worse";
    EXPECT_EQ(signedPercent(0.118, false), QStringLiteral("✓ +11.8 %"))
        << "more throughput is better";
    EXPECT_EQ(signedBytes(1'200'000), QStringLiteral("✗ +1.20 MB"));
    EXPECT_EQ(signedCount(0), QStringLiteral("0"));
    EXPECT_EQ(signedCount(-135), QStringLiteral("−135")) << "fused nodes are no gain";
    EXPECT_EQ(signedCount(128), QStringLiteral("+128"));
    EXPECT_EQ(percentInterval(-0.129, -0.106), QStringLiteral("−12.9 % to −10.6 %"));
}

}  // namespace
}  // namespace lapidary::views
