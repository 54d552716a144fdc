// SPDX-License-Identifier: Apache-2.0
// Constant nodes are constants in every session, whatever level the model is at, as in ONNX
// Runtime.
#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/exec/session.h>

namespace lapidary {
namespace {

ModelPtr model_of(const std::string& text) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 17;
    model->graph = parse_graph(text);
    return model;
}

SessionOptions one_kernel_per_node() {
    SessionOptions options;
    options.session_passes.set = SessionPasses::Set::none;
    options.resources.threads = 1;
    return options;
}

TEST(ConstantNodes, AreNoStepsAndNoBoundsComputedAtRunTime) {
    const ModelPtr model = model_of(R"((x: f32[4]) -> (y)
        low = Constant() {value_float: 0.0}
        high = Constant() {value: f32[]{6.0}}
        y = Clip(x, low, high))");
    Session session = Session::compile(model, one_kernel_per_node());
    const PlanInfo plan = session.plan();
    ASSERT_EQ(plan.steps.size(), 1u);
    EXPECT_EQ(plan.steps[0].op, "Clip");
    EXPECT_EQ(plan.steps[0].kernel.find("reference"), std::string::npos) << plan.steps[0].kernel;
    EXPECT_EQ(plan.weight_bytes, 8u);
    const RunResult result = session.run({{"x", Tensor::of<float>({4}, {-1, 3, 6, 9})}});
    EXPECT_EQ(to_doubles(result.outputs[0].second.tensor()), (std::vector<double>{0, 3, 6, 6}));
    EXPECT_EQ(model->graph.node_count(), 3u) << "the caller's model stays as it is";
}

TEST(ConstantNodes, WithinBodiesAndReadFromThem) {
    const ModelPtr model = model_of(R"((x: f32[2], c: bool[]) -> (y)
        outer = Constant() {value: f32[]{10.0}}
        y = If(c) {then_branch: graph { () -> (a)
            one = Constant() {value: f32[]{1.0}}
            b = Add(x, one)
            a = Mul(b, outer) }, else_branch: graph { () -> (d)
            d = Constant() {value_floats: [7.0, 8.0]} }})");
    Session session = Session::compile(model, one_kernel_per_node());
    EXPECT_EQ(session.plan().steps.size(), 1u);
    const auto run = [&](bool condition) {
        return to_doubles(
            session.run({{"x", Tensor::of<float>({2}, {1, 2})}, {"c", Tensor::scalar(condition)}})
                .outputs[0]
                .second.tensor());
    };
    EXPECT_EQ(run(true), (std::vector<double>{20, 30}));
    EXPECT_EQ(run(false), (std::vector<double>{7, 8}));
}

TEST(ConstantNodes, OfSeveralValuesOrNoneAreRefused) {
    for (const char* values : {"{value_float: 1.0, value_int: 2}", "{}"}) {
        const ModelPtr model =
            model_of("(x: f32[2]) -> (y)\nk = Constant() " + std::string(values) +
                     "\nc = Cast(k) {to: 1}\ny = Add(x, c)");
        EXPECT_THROW(Session::compile(model, one_kernel_per_node()), Error) << values;
    }
}

TEST(ConstantNodes, AsAnOutputOfTheGraph) {
    const ModelPtr model = model_of(R"((x: f32[2]) -> (y, k)
        k = Constant() {value: f32[2]{3.0, 4.0}}
        y = Add(x, k))");
    Session session = Session::compile(model, one_kernel_per_node());
    const RunResult result = session.run({{"x", Tensor::of<float>({2}, {1, 1})}});
    EXPECT_EQ(result.outputs[1].first, "k");
    EXPECT_EQ(to_doubles(result.outputs[1].second.tensor()), (std::vector<double>{3, 4}));
}

}  // namespace
}  // namespace lapidary
