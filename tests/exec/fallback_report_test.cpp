// SPDX-License-Identifier: Apache-2.0
// A run that a fast kernel handed to the reference kernel is reported: by plan, profile, totals and
// trace.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include <lapidary/graph/graph_text.h>
#include <lapidary/exec/session.h>
#include <lapidary/profile/trace_file.h>

#include "support/test_data.h"

namespace lapidary::test {
namespace {

ModelPtr model_of(const std::string& text) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 18;
    model->graph = parse_graph(text, {.opset = 18});
    return model;
}

Tensor counted(Shape shape) {
    Tensor tensor(DType::f32, std::move(shape));
    float next = 0;
    for (float& x : tensor.mutable_data<float>()) x = next++;
    return tensor;
}

// An axis between the reduced ones keeps the fast loops away; they take the middle axis alone.
const char* const reductions = R"((x: f32[2,3,4]) -> (a, b)
    a = ReduceMean(x, outer: i64[2]{0, 2}) as "apart"
    b = ReduceMean(x, middle: i64[1]{1}) as "together"
)";
const char* const apart = "axes that stay lie between the reduced ones";

RunResult profiled(Session& session, const NamedValues& inputs, int repetitions = 1) {
    RunOptions options;
    options.profile = true;
    options.repetitions = repetitions;
    return session.run(inputs, options);
}

const NodeTotal& total_of(const ProfileSummary& summary, const std::string& name) {
    for (const NodeTotal& node : summary.nodes)
        if (node.name == name) return node;
    throw std::runtime_error("no node " + name);
}

class FallbackReport : public testing::TestWithParam<ExecutionMode> {
protected:
    SessionOptions options() const {
        SessionOptions o;
        o.resources.threads = 2;
        o.resources.inter_threads = 2;
        o.resources.mode = GetParam();
        return o;
    }
};

TEST_P(FallbackReport, NamesNodeKernelAndReason) {
    Session session = Session::compile(model_of(reductions), options());
    for (const StepInfo& step : session.plan().steps)
        EXPECT_EQ(step.fallback, "") << "nothing ran yet";
    const RunResult result = profiled(session, {{"x", counted({2, 3, 4})}}, 3);
    const ProfileSummary summary = summarize(*result.profile);
    const NodeTotal &handed = total_of(summary, "apart"), &kept = total_of(summary, "together");
    EXPECT_EQ(handed.fallback, apart);
    EXPECT_EQ(handed.fallback_calls, 3);
    EXPECT_EQ(handed.calls, 3);
    EXPECT_FALSE(handed.kernel.starts_with("reference."))
        << "the kernel that was chosen: " << handed.kernel;
    EXPECT_EQ(fallback_text(handed), std::string("ran on the reference kernel: ") + apart);
    EXPECT_EQ(kept.fallback, "");
    EXPECT_EQ(kept.fallback_calls, 0);
    EXPECT_EQ(fallback_text(kept), "");
    for (const StepInfo& step : session.plan().steps)
        EXPECT_EQ(step.fallback, step.name == "apart" ? apart : "");
    EXPECT_EQ(result.outputs[0].second.tensor().shape(), (Shape{1, 3, 1}));
}

INSTANTIATE_TEST_SUITE_P(, FallbackReport,
                         testing::Values(ExecutionMode::sequential, ExecutionMode::parallel));

TEST(FallbackOfSomeRuns, CountsThemAlone) {
    Session session =
        Session::compile(model_of("(x: f32[n,4]) -> (y)\n y = Softmax(x) {axis: 1} as \"soft\"\n"));
    const RunResult usual = profiled(session, {{"x", counted({2, 4})}});
    EXPECT_EQ(usual.profile->fallback(usual.profile->kernels.at(0)), "");
    const RunResult empty = profiled(session, {{"x", counted({0, 4})}});
    const Span& call = empty.profile->kernels.at(0);
    EXPECT_EQ(empty.profile->fallback(call), "an input has no elements");
    Profile both = *usual.profile;
    both.kernels.push_back(call);
    both.kernels.back().label = both.labels.add(empty.profile->text(call));
    const ProfileSummary summary = summarize(both);
    EXPECT_EQ(fallback_text(summary.nodes.at(0)),
              "ran on the reference kernel: an input has no elements (1 of 2 calls)");
}

TEST(FallbackInTraces, IsReadAsItWasWritten) {
    Session session = Session::compile(model_of(reductions));
    const RunResult result = profiled(session, {{"x", counted({2, 3, 4})}});
    const TemporaryFolder folder;
    save_chrome_trace(*result.profile, folder / "trace.json");
    std::ostringstream text;
    text << std::ifstream(folder / "trace.json").rdbuf();
    EXPECT_NE(text.str().find(R"("ran_on_reference_kernel":")" + std::string(apart)),
              std::string::npos);
    const Profile read = load_trace(folder / "trace.json").profile;
    ASSERT_EQ(read.kernels.size(), result.profile->kernels.size());
    for (std::size_t i = 0; i < read.kernels.size(); ++i)
        EXPECT_EQ(read.fallback(read.kernels[i]),
                  result.profile->fallback(result.profile->kernels[i]))
            << read.name(read.kernels[i]);
}

// Bodies of control flow have plans of their own.
TEST(FallbackInBodies, IsReported) {
    Session session = Session::compile(model_of(R"((c: bool[], x: f32[2,3,4]) -> (r)
        r = If(c) {then_branch: graph { () -> (y)  y = ReduceMean(x, axes: i64[2]{0, 2}) as "inside" },
                   else_branch: graph { () -> (z)  z = ReduceMean(x, axes: i64[2]{0, 1}) }} as "choice"
    )"));
    const RunResult result =
        profiled(session, {{"c", Tensor::scalar(true)}, {"x", counted({2, 3, 4})}});
    int found = 0;
    for (const Span& span : result.profile->kernels)
        if (result.profile->fallback(span) == apart) {
            ++found;
            EXPECT_EQ(span.depth, 1);
            const std::string& name = result.profile->name(span);
            EXPECT_NE(name.find("inside"), std::string::npos) << name;
        }
    EXPECT_EQ(found, 1);
}

// Reference kernels that are chosen when the session is made: the operator has no other, or each
// declined the node.
const char* const chosen = R"((x: u8[1,1,4,4], v: f32[2,3], c: bool[]) -> (a, b, d, r)
    a = Resize(x, _, s: f32[4]{1, 1, 2, 2}) {mode: "cubic"} as "declined"
    b = ReverseSequence(v, l: i64[3]{1, 2, 1}) as "alone"
    d = Softmax(v) as "fast"
    r = If(c) {then_branch: graph { () -> (y)  y = Neg(v) }, else_branch: graph { () -> (z)  z = Abs(v) }} as "choice"
)";
const char* const no_faster = "there is no faster kernel for ReverseSequence";

NamedValues inputs_of_chosen() {
    Tensor x(DType::u8, {1, 1, 4, 4});
    std::ranges::fill(x.mutable_data<std::uint8_t>(), std::uint8_t{7});
    return {{"x", x}, {"v", counted({2, 3})}, {"c", Tensor::scalar(true)}};
}

TEST(FallbackAtPlanning, IsReportedFromTheStart) {
    Session session = Session::compile(model_of(chosen));
    std::map<std::string, std::string> planned;
    for (const StepInfo& step : session.plan().steps) planned[step.name] = step.fallback;
    EXPECT_EQ(planned.at("alone"), no_faster);
    EXPECT_NE(planned.at("declined").find("pool.resize_bytes: cubic filters have more than 2 taps"),
              std::string::npos)
        << planned.at("declined");
    EXPECT_NE(planned.at("declined").find("pool.resize: "), std::string::npos)
        << planned.at("declined");
    EXPECT_EQ(planned.at("fast"), "");
    EXPECT_EQ(planned.at("choice"), "") << "its time is that of its bodies";
    const RunResult result = profiled(session, inputs_of_chosen(), 2);
    const ProfileSummary summary = summarize(*result.profile);
    EXPECT_EQ(fallback_text(total_of(summary, "alone")),
              std::string("ran on the reference kernel: ") + no_faster);
    EXPECT_EQ(total_of(summary, "alone").fallback_calls, 2);
    EXPECT_EQ(total_of(summary, "declined").fallback, planned.at("declined"));
    EXPECT_EQ(fallback_text(total_of(summary, "fast")), "");
    EXPECT_EQ(fallback_text(total_of(summary, "choice")), "");
}

TEST(FallbackAtPlanning, IsNotReportedWhereReferenceKernelsWereAskedFor) {
    SessionOptions options;
    options.reference_kernels = true;
    Session session = Session::compile(model_of(chosen), options);
    for (const StepInfo& step : session.plan().steps) EXPECT_EQ(step.fallback, "") << step.name;
    const RunResult result = profiled(session, inputs_of_chosen());
    for (const Span& span : result.profile->kernels)
        EXPECT_EQ(result.profile->fallback(span), "") << result.profile->name(span);
}

}  // namespace
}  // namespace lapidary::test
