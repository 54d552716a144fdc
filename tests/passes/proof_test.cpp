// SPDX-License-Identifier: Apache-2.0
// Guard, bisect and cost roll-back, which check an optimization. Wrong passes exist in this file
// only.
#include <gtest/gtest.h>

#include <lapidary/proof/bisect.h>
#include <lapidary/cost/cost_rollback.h>
#include <lapidary/base/error.h>
#include <lapidary/proof/guard.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/exec/session.h>
#include <lapidary/tensor/tensor_file.h>

#include "rewrite/pipeline.h"
#include "support/pass_harness.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

using pattern::any;
using pattern::op;

template <Outcome (*rewrite)(const pattern::Match&, PassContext&)>
PassBody one_rule(const char* root, std::size_t inputs) {
    std::vector<pattern::Pattern> operands;
    for (std::size_t i = 0; i < inputs; ++i) operands.push_back(any("x" + std::to_string(i)));
    return {.rules = {{op(root, operands), rewrite}}};
}

Outcome sqrt_as_power(const pattern::Match& m, PassContext& c) {
    c.replace(m.root(), "Pow", {m.value("x0"), c.constant_scalar("half", DType::f32, 0.5)}, {});
    return applied("square root as power");
}
Outcome add_as_sub(const pattern::Match& m, PassContext& c) {
    c.replace(m.root(), "Sub", {m.value("x0"), m.value("x1")}, {});
    return applied("wrong: sum as difference");
}
Outcome sub_as_add(const pattern::Match& m, PassContext& c) {
    c.replace(m.root(), "Sum", {m.value("x0"), m.value("x1")}, {});
    return applied("difference as sum");
}
Outcome abs_as_max(const pattern::Match& m, PassContext& c) {
    const ValueId negative = c.node("Neg", {m.value("x0")});
    c.replace(m.root(), "Max", {m.value("x0"), negative}, {});
    return applied("absolute value as maximum");
}
Outcome drop_relu(const pattern::Match& m, PassContext& c) {
    if (std::string problem = c.bypass(m.root(), m.value("x0")); !problem.empty())
        return declined(problem);
    return applied("wrong: no Relu");
}

PassEntry entry(const char* name, PassBody (*make)()) {
    return {PassInfo{name, Level::basic, 0, "all", true, "", ""}, make};
}
const PassEntry powers = entry("powers", [] { return one_rule<sqrt_as_power>("Sqrt", 1); });
const PassEntry wrong_sums = entry("wrong_sums", [] { return one_rule<add_as_sub>("Add", 2); });
const PassEntry mended_sums = entry("mended_sums", [] { return one_rule<sub_as_add>("Sub", 2); });
const PassEntry maxima = entry("maxima", [] { return one_rule<abs_as_max>("Abs", 1); });
const PassEntry wrong_relus = entry("wrong_relus", [] { return one_rule<drop_relu>("Relu", 1); });

/// Of level session, and in place as those passes rewrite.
const PassEntry wrong_session_sums{
    PassInfo{"wrong_session_sums", Level::session, 0, "all", true, "", ""}, [] {
        return PassBody{.run = [](PassContext& context) {
            for (NodeId id : context.nodes()) {
                if (context.graph().node(id).op_type != "Add" || !context.may_rewrite()) continue;
                context.edit().set_operator(id, "", "Sub", context.opset());
                context.record("wrong: sum as difference, in place");
            }
        }};
    }};

OptimizeFunction optimizer_of(std::vector<PassEntry> entries) {
    return [entries = std::move(entries)](const Model& model, const OptimizeOptions& options,
                                          const Progress& progress) {
        OptimizeResult result{model, {}};
        Pipeline pipeline(result.model, options, progress, entries);
        pipeline.run();
        result.report = pipeline.take_report();
        return result;
    };
}

BisectResult bisect_with(const Model& model, std::vector<PassEntry> entries,
                         bool exhaustive = false) {
    BisectOptions options;
    options.optimizer = optimizer_of(std::move(entries));
    options.exhaustive = exhaustive;
    return bisect(model, options);
}

Model sums() {
    return test::model_of(R"((x: f32[3,4], b: f32[4]) -> (y, z)
        a = Abs(x)
        s = Sqrt(a)
        h = Add(s, b) as "sum"
        p = Abs(h)
        r = Sqrt(p)
        y = Mul(r, k: f32[4])
        z = Neg(s))");
}

TEST(Guard, ComparesEveryOutputAtEverySeed) {
    const Model model = sums();
    GuardOptions options;
    options.seeds = {1, 2, 3};
    const GuardReport same = guard(model, model, options);
    EXPECT_TRUE(same.matches);
    EXPECT_EQ(same.runs, 12u);
    ASSERT_EQ(same.outputs.size(), 2u);
    EXPECT_EQ(same.outputs[1].name, "z");
    const Model other = test::model_of(R"((x: f32[3,4], b: f32[4]) -> (y, z)
        a = Abs(x)
        s = Sqrt(a)
        y = Sub(s, b)
        z = Neg(s))");
    const GuardReport differs = guard(model, other, options);
    EXPECT_FALSE(differs.matches);
    EXPECT_FALSE(differs.outputs[0].comparison.matches);
    EXPECT_FALSE(differs.outputs[0].comparison.reason.empty());
    EXPECT_TRUE(differs.outputs[1].comparison.matches);
}

TEST(Guard, IntegersHaveToBeEqual) {
    const Model a = test::model_of("(x: i64[3]) -> (y)\n y = Add(x, k: i64[]{1})");
    const Model b = test::model_of("(x: i64[3]) -> (y)\n y = Add(x, k: i64[]{2})");
    GuardOptions options;
    options.tolerance = {0.5, 10};
    EXPECT_FALSE(guard(a, b, options).matches);
    EXPECT_TRUE(guard(a, a, options).matches);
}

TEST(Guard, ReportsWhatIsNotThereAndWhatDoesNotRun) {
    const Model both = test::model_of("(x: f32[3]) -> (y, z)\n y = Neg(x)\n z = Abs(x)");
    const Model one = test::model_of("(x: f32[3]) -> (y)\n y = Neg(x)");
    const GuardReport report = guard(both, one);
    EXPECT_TRUE(report.matches);
    EXPECT_EQ(report.dropped, std::vector<std::string>{"z"});
    const Model odd = test::model_of("(x: f32[3]) -> (y)\n y = Frobnicate(x)");
    const GuardReport failed = guard(both, odd);
    EXPECT_FALSE(failed.matches);
    EXPECT_NE(failed.failure.find("Frobnicate"), std::string::npos) << failed.failure;
    EXPECT_THROW(guard(odd, both), Error);
    GuardOptions given;
    given.inputs = {{"x", Tensor::of<float>({3}, {1, 2, 3})}};
    EXPECT_TRUE(guard(both, one, given).matches);
}

TEST(Bisect, ReachesRewritesOfSessions) {
    const BisectResult found = bisect_with(sums(), {powers, maxima, wrong_session_sums});
    EXPECT_EQ(found.rewrites, 5u);
    EXPECT_EQ(found.number, 5u);  // they run when the other passes change nothing more
    EXPECT_EQ(found.rewrite.level, Level::session);
    EXPECT_EQ(found.rewrite.rewrite.remark, "wrong: sum as difference, in place");
    ASSERT_TRUE(found.region) << found.region_problem;
    EXPECT_FALSE(found.region->report.matches);
}

TEST(Bisect, FindsTheRewriteAndCutsItsPlaceOut) {
    const BisectResult found = bisect_with(sums(), {powers, wrong_sums, maxima});
    EXPECT_EQ(found.rewrites, 5u);
    EXPECT_EQ(found.number, 3u);
    EXPECT_FALSE(found.scanned);
    EXPECT_EQ(found.rewrite.rewrite.pass, "wrong_sums");
    EXPECT_EQ(found.rewrite.rewrite.remark, "wrong: sum as difference");
    EXPECT_EQ(found.removed, std::vector<std::string>{"node \"sum\" (Add)"});
    EXPECT_EQ(found.added, std::vector<std::string>{"node \"sum\" (Sub)"});
    EXPECT_FALSE(found.whole.matches);
    EXPECT_FALSE(found.at.matches);
    ASSERT_TRUE(found.region) << found.region_problem;
    EXPECT_EQ(found.region->before.graph.node_count(), 1u);
    EXPECT_EQ(found.region->after.graph.node_count(), 1u);
    EXPECT_EQ(found.region->inputs.size(), 2u);
    EXPECT_FALSE(found.region->report.matches);

    TemporaryFolder folder;
    save_region(*found.region, folder / "culprit");
    const NamedValues inputs = load_npz(folder / "culprit/inputs.npz");
    const auto run = [&](const char* name) {
        return Session::compile(std::make_shared<const Model>(
                                    load_model(folder / (std::string("culprit/") + name))))
            .run(inputs)
            .outputs;
    };
    const NamedValues before = run("before.onnx"), after = run("after.onnx");
    ASSERT_EQ(before.size(), 1u);
    EXPECT_EQ(before[0].first, "h");
    EXPECT_EQ(after[0].first, "h");
    const auto s = to_doubles(find(inputs, "s")->tensor()),
               b = to_doubles(find(inputs, "b")->tensor());
    EXPECT_NEAR(to_doubles(before[0].second.tensor())[0], s[0] + b[0], 1e-6);
    EXPECT_NEAR(to_doubles(after[0].second.tensor())[0], s[0] - b[0], 1e-6);
}

TEST(Bisect, FindsNothingWhereAllAgrees) {
    const BisectResult found = bisect_with(sums(), {powers, maxima});
    EXPECT_EQ(found.number, 0u);
    EXPECT_EQ(found.trials, 1u);
    EXPECT_TRUE(found.whole.matches);
    EXPECT_FALSE(found.region);
}

TEST(Bisect, FindsWhatALaterRewriteMends) {
    const BisectResult quick = bisect_with(sums(), {wrong_sums, mended_sums});
    EXPECT_EQ(quick.number, 0u);
    const BisectResult all = bisect_with(sums(), {wrong_sums, mended_sums}, true);
    EXPECT_TRUE(all.scanned);
    EXPECT_EQ(all.number, 1u);
}

TEST(Bisect, RemovedNodesAreAPlaceToo) {
    const Model model =
        test::model_of("(x: f32[3]) -> (y, z)\n h = Neg(x)\n y = Relu(h) as \"relu\"\n z = Abs(y)");
    const BisectResult found = bisect_with(model, {wrong_relus});
    EXPECT_EQ(found.number, 1u);
    EXPECT_EQ(found.removed, std::vector<std::string>{"node \"relu\" (Relu)"});
    ASSERT_TRUE(found.region) << found.region_problem;
    EXPECT_FALSE(found.region->report.matches);
}

TEST(Bisect, RewritesInSubgraphsCutOutTheNodeAroundThem) {
    const Model model = test::model_of(R"((x: f32[3], c: bool[]) -> (y)
        h = Neg(x)
        i = If(c) {then_branch: graph { () -> (a)  a = Add(h, k: f32[3]) }, else_branch: graph { () -> (b)  b = )"
                                       R"(Neg(h) }} as "choice"
        y = Abs(i))");
    const BisectResult found = bisect_with(model, {maxima, wrong_sums});
    EXPECT_EQ(found.number, 2u);
    ASSERT_TRUE(found.region) << found.region_problem;
    EXPECT_EQ(found.region->before.graph.node_count(), 1u);
    EXPECT_FALSE(found.region->report.matches);
}

TEST(Bisect, ScansWhenStoppingEarlyDoesNotRepeat) {
    BisectOptions options;
    const OptimizeFunction honest = optimizer_of({powers, wrong_sums, maxima});
    options.optimizer = [&](const Model& model, const OptimizeOptions& given,
                            const Progress& progress) {
        OptimizeOptions all = given;
        if (given.stop_after && *given.stop_after > 1) all.stop_after.reset();
        return honest(model, all, progress);
    };
    const BisectResult found = bisect(sums(), options);
    EXPECT_TRUE(found.scanned);
    EXPECT_EQ(found.number, 2u);
}

double sum_of(const CostMap& map) {
    double sum = map.unattributed_ms;
    for (const auto& [id, ms] : map.ms) sum += ms;
    return sum;
}

TEST(CostRollBack, SharesTheTimeOfAFusedNodeAmongWhatItStandsFor) {
    const Model model = test::model_of(R"((x: f32[4,8]) -> (y)
        m = MatMul(x, w: f32[8,8])
        g = Sigmoid(m)
        q = Mul(m, g)
        y = Neg(q))");
    OptimizeOptions options;
    options.only_passes = {"fuse_quick_gelu"};
    const OptimizeResult result = optimize(model, options);
    ASSERT_EQ(result.model.graph.node_count(), 3u);
    Profile profile;
    profile.runs = 2;
    NodeId fused;
    for (int run = 0; run < 2; ++run) {
        Span whole;
        whole.run = run;
        whole.end_ns = 7'000'000 + run;
        profile.run_spans.push_back(whole);
    }
    for (NodeId id : result.model.graph.nodes()) {
        Span span;
        span.node = id;
        for (span.run = 0; span.run < 2; ++span.run) {
            span.end_ns = 2'000'000 * (span.run + 1);  // the first run is the typical one
            profile.kernels.push_back(span);
        }
        if (result.model.graph.node(id).op_type == "QuickGelu") fused = id;
    }
    ASSERT_TRUE(fused);
    const CostMap even = roll_back(profile, result.model.graph, model.graph, CostSplit::evenly);
    EXPECT_EQ(even.shared, 1u);
    EXPECT_EQ(even.ms.size(), 4u);
    EXPECT_NEAR(sum_of(even), 6.0, 1e-9);
    for (NodeId origin : result.model.graph.node(fused).origins)
        EXPECT_NEAR(even.ms.at(origin), 1.0, 1e-9);
    const CostMap by_work = roll_back(profile, result.model.graph, model.graph);
    EXPECT_EQ(by_work.split, CostSplit::by_work);
    EXPECT_NEAR(sum_of(by_work), 6.0, 1e-9);

    Profile original;
    original.runs = 1;
    for (NodeId id : model.graph.nodes()) {
        Span span;
        span.node = id;
        span.end_ns = 1'000'000;
        original.kernels.push_back(span);
    }
    const CostMap forward = roll_forward(original, model.graph, result.model.graph);
    EXPECT_NEAR(forward.ms.at(fused), 2.0, 1e-9);
    EXPECT_NEAR(sum_of(forward), 4.0, 1e-9);
}

TEST(CostRollBack, EstimatesWork) {
    const Model model =
        test::model_of(R"((x: f32[4,8], i: f32[1,3,8,8], n: f32[s,8]) -> (a, b, c, d)
        a = MatMul(x, w: f32[8,16])
        b = Conv(i, f: f32[4,3,3,3])
        c = Neg(x)
        d = MatMul(n, w))");
    const auto work = [&](std::size_t i) {
        return estimated_work(model.graph, model.graph.nodes()[i]);
    };
    EXPECT_EQ(work(0), 2.0 * 4 * 8 * 16);
    EXPECT_EQ(work(1), 2.0 * 27 * 4 * 36);
    EXPECT_EQ(work(2), 32.0);
    EXPECT_EQ(work(3), std::nullopt);
}

}  // namespace
}  // namespace lapidary
