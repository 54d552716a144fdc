// SPDX-License-Identifier: Apache-2.0
// Models of 16-bit floats in sessions, which make them float32 and optimize what that allows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <lapidary/exec/session.h>
#include <lapidary/graph/graph_text.h>

namespace lapidary {
namespace {

ModelPtr model_of(const std::string& text) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 20;
    model->graph = parse_graph(text, {.opset = 20});
    return model;
}

Session compiled(SessionPasses passes, const std::string& graph) {
    SessionOptions options;
    options.session_passes = std::move(passes);
    return Session::compile(model_of(graph), options);
}

std::vector<std::string> ops(const Session& session) {
    std::vector<std::string> out;
    for (const StepInfo& step : session.plan().steps) out.push_back(step.op);
    return out;
}

using Set = SessionPasses::Set;

// Most passes of the levels only fit float32. What a session makes float32 is optimized as a model
// of float32 is.
const std::string halves =
    "(x: f16[1,16,9,9]) -> (y)\na = Conv(x, w: f16[16,16,3,3]) {pads: [1,1,1,1]}\n"
    "b = Relu(a)\nc = Conv(b, v: f16[16,16,3,3]) {pads: [1,1,1,1]}\nd = Relu(c)\n"
    "e = Flatten(d)\nf = MatMul(e, u: f16[1296,5])\ny = Add(f, s: f16[5])\n";

TEST(WidenedLevels, LevelsFollowWhatBecameFloat32) {
    const Session session = compiled({}, halves);
    const std::vector<std::string> steps = ops(session);
    EXPECT_EQ(std::ranges::count(steps, "Relu"), 0) << "in the kernels of the convolutions";
    const auto& report = session.session_passes();
    const auto relus = std::ranges::find_if(report.passes, [](const PassRun& run) {
        return run.pass == "fuse_conv_activation" && run.level == Level::session;
    });
    ASSERT_NE(relus, report.passes.end());
    EXPECT_EQ(relus->applied, 2u);
    for (const AppliedRewrite& applied : report.rewrites) {
        EXPECT_EQ(applied.level, Level::session) << applied.rewrite.pass;
        EXPECT_FALSE(applied.rewrite.origins.empty()) << applied.rewrite.pass;
    }
    for (NodeId id : session.model().graph.nodes())
        EXPECT_FALSE(session.model().graph.node(id).origins.empty())
            << session.model().graph.node(id).describe();
}

TEST(WidenedLevels, LevelsFollowOnlyWhereSessionsFuse) {
    const auto relus = [](SessionPasses passes) {
        const std::vector<std::string> steps = ops(compiled(std::move(passes), halves));
        return std::ranges::count(steps, "Relu");
    };
    EXPECT_EQ(relus({Set::preparing, {}}), 2);
    EXPECT_EQ(relus({Set::all, {"widen_half_floats"}}), 2);
    const SessionPasses without{Set::all, {"fuse_conv_activation"}};
    const Session session = compiled(without, halves);
    EXPECT_TRUE(std::ranges::none_of(
        session.session_passes().rewrites,
        [](const AppliedRewrite& r) { return r.rewrite.pass == "fuse_conv_activation"; }));
    const Session floats = compiled({},
                                    "(x: f32[6,40]) -> (y)\na = MatMul(x, w: f32[40,20])\n"
                                    "y = Relu(a)\n");
    EXPECT_TRUE(std::ranges::all_of(floats.session_passes().passes, [](const PassRun& run) {
        return find_passes(run.pass).front()->level == Level::session;
    }));
}

TEST(WidenedLevels, LevelsAfterWideningComputeWhatTheFileSays) {
    Tensor x(DType::f16, {1, 16, 9, 9});
    for (std::size_t i = 0; i < 16 * 81; ++i)
        x.mutable_data<Half>()[i] = Half(static_cast<float>(i % 23) / 23.0f - 0.4f);
    SessionOptions reference;
    reference.reference_kernels = true;
    const ModelPtr model = model_of(halves);
    const Tensor expected =
        Session::compile(model, reference).run({{"x", x}}).outputs.front().second.tensor();
    Session fused = Session::compile(model);
    for (int run = 0; run < 3; ++run) {
        const Tensor found = fused.run({{"x", x}}).outputs.front().second.tensor();
        for (std::size_t i = 0; i < 5; ++i)
            EXPECT_NEAR(static_cast<float>(found.data<Half>()[i]),
                        static_cast<float>(expected.data<Half>()[i]),
                        0.02f * std::abs(static_cast<float>(expected.data<Half>()[i])) + 0.02f);
    }
}

TEST(WidenedLevels, ATiedHeadReadsItsTable) {
    for (const char* type : {"f16", "bf16"}) {
        const std::string t(type);
        const ModelPtr model = model_of("(ids: i64[3]) -> (y)\ne = Gather(t: " + t +
                                        "[90,40], ids)\nu = Transpose(t)\ny = MatMul(e, u)\n");
        for (const Set set : {Set::preparing, Set::all}) {
            SessionOptions options;
            options.session_passes.set = set;
            Session session = Session::compile(model, options);
            const std::vector<std::string> steps = ops(session);
            EXPECT_EQ(std::ranges::count(steps, "Transpose"), 0) << t;
            Session reference = Session::compile(model, {.reference_kernels = true});
            const NamedValues inputs{{"ids", Tensor::of<std::int64_t>({3}, {7, 0, 89})}};
            const Tensor expected = reference.run(inputs).outputs.front().second.tensor();
            for (int run = 0; run < 3; ++run) {
                const Tensor found = session.run(inputs).outputs.front().second.tensor();
                const std::vector<double> a = to_doubles(found), b = to_doubles(expected);
                ASSERT_EQ(a.size(), 270u);
                for (std::size_t i = 0; i < a.size(); ++i)
                    EXPECT_NEAR(a[i], b[i], 0.02 * std::abs(b[i]) + 0.02) << t;
            }
        }
    }
}

}  // namespace
}  // namespace lapidary
