// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <thread>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/exec/session.h>

#include "support/time_budget.h"

namespace lapidary {
namespace {

ModelPtr model_of(const std::string& text) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 17;
    model->graph = parse_graph(text);
    return model;
}

Tensor floats(Shape shape, std::vector<float> values) {
    return Tensor::of<float>(std::move(shape), values);
}

std::vector<float> first_output(const RunResult& result) {
    const auto data = result.outputs.at(0).second.tensor().data<float>();
    return {data.begin(), data.end()};
}

std::string failure_of(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& e) { return e.what(); }
    return "no error";
}

SessionOptions unfused() {
    SessionOptions options;
    options.session_passes.set = SessionPasses::Set::none;
    return options;
}

TEST(Session, RunsAndRunsAgain) {
    Session s = Session::compile(model_of("(x: f32[n]) -> (y)\na = Relu(x)\nb = Add(a, w: "
                                          "f32[1]{1.0})\nc = Mul(b, b)\ny = Neg(c)"),
                                 unfused());
    // The second run with equal shapes takes its memory from the traced pattern; results stay the
    // same.
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(first_output(s.run({{"x", floats({3}, {-1, 0, 2})}})),
                  (std::vector<float>{-1, -1, -9}));
    EXPECT_EQ(first_output(s.run({{"x", floats({1}, {1})}})), std::vector<float>{-4});
    EXPECT_EQ(s.plan().arena_bytes, 0u) << "each step overwrites the one before, in the output";
    EXPECT_EQ(s.plan().steps.size(), 4u);
    EXPECT_EQ(s.plan().steps[0].kernel, "elementwise.unary");
}

TEST(Session, PatternReusesMemory) {
    std::string text = "(x: f32[1000]) -> (y)\nv0 = Relu(x)\n";
    for (int i = 1; i < 20; ++i)
        text += "v" + std::to_string(i) + " = Neg(v" + std::to_string(i - 1) + ")\n";
    Session s = Session::compile(model_of(text + "y = Abs(v19)"), unfused());
    const Tensor x = floats({1000}, std::vector<float>(1000, 2.f));
    s.run({{"x", x}});
    EXPECT_EQ(first_output(s.run({{"x", x}})), std::vector<float>(1000, 2.f));
    EXPECT_LE(s.plan().arena_bytes, 2u * 4096u);
    SessionOptions options;
    options.reference_kernels = true;  // which write over nothing
    Session apart = Session::compile(model_of(text + "y = Abs(v19)"), options);
    apart.run({{"x", x}});
    EXPECT_EQ(first_output(apart.run({{"x", x}})), std::vector<float>(1000, 2.f));
    EXPECT_EQ(apart.plan().arena_bytes, 2u * 4032u);
    EXPECT_EQ(apart.plan().blocks.size(), 20u);
}

TEST(Session, OutputsOutliveTheSession) {
    Tensor kept;
    {
        Session s =
            Session::compile(model_of("(x: f32[2]) -> (y, x)\na = Relu(x)\ny = Identity(a)"));
        const Tensor x = floats({2}, {1, 2});
        s.run({{"x", x}});
        kept = s.run({{"x", x}}).outputs[0].second.tensor();
        s.run({{"x", floats({2}, {7, 8})}});
    }
    EXPECT_EQ(kept.data<float>()[1], 2.f);
}

TEST(Session, InnerValuesCanBeAskedFor) {
    Session s =
        Session::compile(model_of("(x: f32[2]) -> (y)\na = Relu(x)\ny = Neg(a)"), unfused());
    RunOptions options;
    options.extra_outputs = {"a"};
    const Tensor x = floats({2}, {-1, 2});
    s.run({{"x", x}});
    const RunResult r = s.run({{"x", x}}, options);
    ASSERT_EQ(r.outputs.size(), 2u);
    EXPECT_EQ(r.outputs[1].first, "a");
    EXPECT_EQ(r.outputs[1].second.tensor().data<float>()[1], 2.f);
    options.extra_outputs = {"ghost"};
    EXPECT_NE(failure_of([&] { s.run({{"x", x}}, options); }).find("\"ghost\""), std::string::npos);
}

TEST(Session, InputsAreChecked) {
    Session s = Session::compile(
        model_of("(a: f32[n,2], b: f32[n]) -> (c)\nd = Unsqueeze(b, k: i64[1]{1})\nc = Add(a, d)"));
    const Tensor a = floats({1, 2}, {1, 2}), b = floats({1}, {1});
    EXPECT_NE(failure_of([&] {
                  s.run({{"a", a}});
              }).find("no value given for input \"b\" f32[n]"),
              std::string::npos);
    EXPECT_NE(failure_of([&] {
                  s.run({{"a", a}, {"b", b}, {"z", b}});
              }).find("no input \"z\""),
              std::string::npos);
    EXPECT_NE(failure_of([&] {
                  s.run({{"a", b}, {"b", b}});
              }).find("expected f32[n,2], found f32[1]"),
              std::string::npos);
    EXPECT_NE(failure_of([&] {
                  s.run({{"a", a}, {"b", floats({2}, {1, 2})}});
              }).find("dimension \"n\" is 1"),
              std::string::npos);
    EXPECT_NE(failure_of([&] {
                  s.run({{"a", a}, {"b", Tensor::of<std::int64_t>({1}, {1})}});
              }).find("found i64[1]"),
              std::string::npos);
}

TEST(Session, MissingKernelsAreAllListed) {
    const std::string message = failure_of([] {
        Session::compile(
            model_of("(x: f32[1]) -> (y)\na = Frobnicate(x) as \"f\"\ny = my.domain::Odd(a)"));
    });
    EXPECT_NE(message.find("2 nodes have no kernel"), std::string::npos) << message;
    EXPECT_NE(message.find("node \"f\" (Frobnicate)"), std::string::npos) << message;
    EXPECT_NE(message.find("my.domain::Odd"), std::string::npos) << message;
}

TEST(Session, ControlFlowSeesOuterValues) {
    Session s = Session::compile(model_of(R"((c: bool[], x: f32[2]) -> (y)
a = Neg(x)
y = If(c) {then_branch: graph { () -> (t) t = Add(a, w: f32[1]{1.0}) }, else_branch: graph { () -> (e) e = )"
                                          R"(Identity(a) }})"));
    const Tensor x = floats({2}, {1, 2});
    for (int i = 0; i < 2; ++i) {
        EXPECT_EQ(first_output(s.run({{"c", Tensor::scalar(true)}, {"x", x}})),
                  (std::vector<float>{0, -1}));
        EXPECT_EQ(first_output(s.run({{"c", Tensor::scalar(false)}, {"x", x}})),
                  (std::vector<float>{-1, -2}));
    }
}

TEST(Session, FunctionsAreExpanded) {
    auto model = std::make_shared<Model>(
        *model_of("(x: f32[2]) -> (y, z)\ny = local::Scale(x) {by: 3.0}\nz = local::Twice(x)"));
    model->opset_imports["local"] = 1;
    Function scale;
    scale.domain = "local";
    scale.name = "Scale";
    scale.attributes = {"by"};
    scale.body = std::make_shared<Graph>(
        parse_graph("(v: ?) -> (w)\nk = Constant() {value_float: &by}\nw = Mul(v, k)"));
    Function twice;
    twice.domain = "local";
    twice.name = "Twice";
    twice.body =
        std::make_shared<Graph>(parse_graph("(v: ?) -> (w)\nw = local::Scale(v) {by: 2.0}"));
    model->functions = {scale, twice};
    Session s = Session::compile(model);
    const RunResult r = s.run({{"x", floats({2}, {1, 2})}});
    EXPECT_EQ(first_output(r), (std::vector<float>{3, 6}));
    EXPECT_EQ(r.outputs[1].first, "z");
    EXPECT_EQ(r.outputs[1].second.tensor().data<float>()[1], 4.f);
    // Every inlined node stands for the call it came from.
    for (NodeId id : s.model().graph.nodes())
        EXPECT_LT(s.model().graph.node(id).origins.at(0).index, 2u);
}

TEST(Session, ValuesOfMoreDimensionsThanItHasAreNotSupported) {
    Session s =
        Session::compile(model_of("(x: f32[2,2,2,2,2]) -> (y)\na = Unsqueeze(x, axes: "
                                  "i64[12]{0,1,2,3,4,5,6,7,8,9,10,11})\ny = Add(a, a)"));
    try {
        s.run({{"x", floats({2, 2, 2, 2, 2}, std::vector<float>(32))}});
        FAIL() << "it ran";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::not_supported);
        EXPECT_NE(std::string(e.what()).find("2,2,2,2,2] has rank 17"), std::string::npos)
            << e.what();
    }
}

TEST(Session, LimitsAreKept) {
    SessionOptions options;
    options.limits.run_bytes = 4096;
    Session s = Session::compile(model_of("(n: i64[1]) -> (y)\ny = ConstantOfShape(n) as \"big\""),
                                 options);
    EXPECT_NO_THROW(s.run({{"n", Tensor::of<std::int64_t>({1}, {100})}}));
    const std::string message = failure_of([&] {
        s.run({{"n", Tensor::of<std::int64_t>({1}, {1'000'000'000})}});
    });
    EXPECT_NE(message.find("node \"big\""), std::string::npos) << message;
    EXPECT_NE(message.find("the limit for a session is 4096"), std::string::npos) << message;
    EXPECT_NE(failure_of([&] {
                  s.run({{"n", Tensor::of<std::int64_t>({1}, {std::int64_t{1} << 62})}});
              }).find("node \"big\""),
              std::string::npos);
}

TEST(Session, AnEndlessLoopCanBeCancelled) {
    Session s = Session::compile(model_of(R"((x: f32[1]) -> (y)
y = Loop(_, go: bool[]{1}, x) {body: graph { (i: i64[], c: bool[], v: f32[1]) -> (d, w)
d = Identity(c)
w = Neg(v) }})"));
    RunOptions options;
    std::thread canceller([token = options.cancel] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        token.cancel();
    });
    const auto begin = std::chrono::steady_clock::now();
    try {
        s.run({{"x", floats({1}, {1})}}, options);
        ADD_FAILURE() << "the loop ended";
    } catch (const Error& e) { EXPECT_EQ(e.code(), ErrorCode::cancelled); }
    canceller.join();
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1) * wall_factor);
}

TEST(Session, ThreadCountDoesNotChangeResults) {
    const auto model = std::make_shared<const Model>(build_sample("lenet"));
    std::vector<float> pixels(28 * 28);
    for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<float>(i % 13) / 13;
    std::vector<std::vector<float>> results;
    for (int threads : {1, 2, 4}) {
        SessionOptions options;
        options.resources.threads = threads;
        Session s = Session::compile(model, options);
        EXPECT_EQ(s.threads(), threads);
        results.push_back(first_output(s.run({{"input", floats({1, 1, 28, 28}, pixels)}})));
    }
    for (std::size_t i = 0; i < results[0].size(); ++i) {
        EXPECT_NEAR(results[0][i], results[1][i], 1e-4f);
        EXPECT_NEAR(results[0][i], results[2][i], 1e-4f);
    }
}

}  // namespace
}  // namespace lapidary
