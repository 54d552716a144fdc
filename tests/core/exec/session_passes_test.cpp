// SPDX-License-Identifier: Apache-2.0
// Which passes of level session a session runs, how it reports them, and what they change in its
// plan.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/exec/session.h>

namespace lapidary {
namespace {

ModelPtr model_of(const std::string& text) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 20;
    model->graph = parse_graph(text, {.opset = 20});
    return model;
}

const std::string text =
    "(x: f32[6,40]) -> (y)\na = MatMul(x, w: f32[40,20])\nb = Add(a, c: f32[20])\nd = Relu(b)\n"
    "e = Neg(d)\ny = Abs(e)\n";

Session compiled(SessionPasses passes, const std::string& graph = text) {
    SessionOptions options;
    options.session_passes = std::move(passes);
    options.enable_profiling = true;
    return Session::compile(model_of(graph), options);
}

std::vector<std::string> ops(const Session& session) {
    std::vector<std::string> out;
    for (const StepInfo& step : session.plan().steps) out.push_back(step.op);
    return out;
}

const PassRun& run_of(const Session& session, const std::string& pass) {
    return *std::ranges::find(session.session_passes().passes, pass, &PassRun::pass);
}

using Ops = std::vector<std::string>;
using Set = SessionPasses::Set;

TEST(SessionPassesOfSession, AllFuse) {
    const Session session = compiled({});
    EXPECT_EQ(ops(session), (Ops{"lapidary::Product", "lapidary::ElementwiseChain"}));
    EXPECT_EQ(run_of(session, "fuse_product_epilogue").applied, 1u);
    EXPECT_EQ(run_of(session, "fuse_elementwise_chain").applied, 1u);
    ASSERT_EQ(session.session_passes().rewrites.size(), 2u);
    EXPECT_EQ(session.session_passes().rewrites[0].rewrite.remark,
              "MatMul + Add + Relu in one kernel");
    EXPECT_EQ(session.session_passes().rewrites[0].level, Level::session);
}

TEST(SessionPassesOfSession, OnlyReadersThatAProductTakesOverMakeAMiss) {
    const auto missed = [](const std::string& readers) {
        const Session session =
            compiled({}, "(x: f32[6,40]) -> (y, z)\na = MatMul(x, w: f32[40,20])\n" + readers);
        return run_of(session, "fuse_product_epilogue").missed;
    };
    EXPECT_EQ(missed("y = Relu(a)\nz = Transpose(a) {perm: [1, 0]}"), 1u);
    EXPECT_EQ(missed("y = Softmax(a)\nz = Transpose(a) {perm: [1, 0]}"), 0u);
}

TEST(SessionPassesOfSession, OneKernelPerNodeWhereTheyOnlyPrepare) {
    const Session session = compiled({Set::preparing, {}});
    EXPECT_EQ(ops(session), (Ops{"MatMul", "Add", "Relu", "Neg", "Abs"}));
    EXPECT_EQ(run_of(session, "widen_half_floats").skipped, "");
    EXPECT_EQ(run_of(session, "fuse_product_epilogue").skipped,
              "fuses nodes, which sessions do from level extended on");
    EXPECT_EQ(ops(compiled({Set::none, {}})).size(), 5u);
}

TEST(SessionPassesOfSession, OneIsSwitchedOffByName) {
    const Session session = compiled({Set::all, {"fuse_product_epilogue", "GeluFusion"}});
    EXPECT_EQ(ops(session).front(), "MatMul");
    EXPECT_EQ(run_of(session, "fuse_product_epilogue").skipped, "switched off");
    EXPECT_THROW(compiled({Set::all, {"fuse_product_epilog"}}), Error);
}

TEST(SessionPassesOfSession, ReferenceKernelsRunTheGraphAsItStands) {
    SessionOptions options;
    options.reference_kernels = true;
    EXPECT_EQ(ops(Session::compile(model_of(text), options)).size(), 5u);
}

TEST(SessionPassesOfSession, AFusedNodeKeepsItsIdAndStandsForAll) {
    const ModelPtr model = model_of(text);
    const Session session = Session::compile(model);
    const Graph& graph = session.model().graph;
    const Node& product = graph.node(graph.nodes()[0]);
    EXPECT_EQ(product.op_type, "Product");
    EXPECT_EQ(model->graph.node(product.id).op_type, "Relu");
    std::set<std::string> origins;
    for (NodeId id : product.origins) origins.insert(model->graph.node(id).op_type);
    EXPECT_EQ(origins, (std::set<std::string>{"MatMul", "Add", "Relu"}));
}

TEST(SessionPassesOfSession, ProfilesShowWhatWasFused) {
    Session session = compiled({});
    RunOptions run;
    run.profile = true;
    Tensor x(DType::f32, {6, 40});
    for (float& v : x.mutable_data<float>()) v = 1;
    const auto profile = session.run({{"x", x}}, run).profile;
    const auto named = [&](const std::string& name) {
        return std::ranges::any_of(profile->phases,
                                   [&](const Span& phase) { return profile->name(phase) == name; });
    };
    EXPECT_TRUE(named("session passes"));
    EXPECT_TRUE(named("fuse_product_epilogue: 1 rewrite"));
    EXPECT_FALSE(named("fuse_integer_conv: 0 rewrites"));
}

TEST(SessionPassesOfSession, BodiesOwnTheConstantsTheyRead) {
    const Session session = Session::compile(
        model_of("(c: bool[], x: f32[6,40]) -> (y, k)\nk = Neg(w: f32[40,20])\n"
                 "y = If(c) {then_branch: graph { () -> (p)  a = MatMul(x, w)  p = Relu(a) }, "
                 "else_branch: graph { () -> (q)  q = MatMul(x, w) }}\n"));
    EXPECT_EQ(run_of(session, "own_captured_constants").applied, 2u);
    EXPECT_EQ(run_of(session, "fuse_product_epilogue").applied, 1u);
    EXPECT_TRUE(has_session_operators(session.model()));
}

TEST(SessionPassesOfSession, LevelsSayWhatIsRun) {
    EXPECT_EQ(session_passes_at(Level::disabled), Set::preparing);
    EXPECT_EQ(session_passes_at(Level::basic), Set::preparing);
    EXPECT_EQ(session_passes_at(Level::extended), Set::all);
    EXPECT_EQ(session_passes_at(Level::all), Set::all);
    EXPECT_EQ(session_passes_for(true, Level::disabled), Set::all);
    EXPECT_EQ(session_passes_for(false, Level::all), Set::preparing);
    EXPECT_FALSE(level_from_name("session"));
}

}  // namespace
}  // namespace lapidary
