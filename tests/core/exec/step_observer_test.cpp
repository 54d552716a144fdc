// SPDX-License-Identifier: Apache-2.0
// An observer of a run sees each value once its node has run, in bodies for each iteration, and may
// have later nodes read another value.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/exec/session.h>
#include <lapidary/exec/step_observer.h>
#include <lapidary/graph/graph_text.h>

namespace lapidary {
namespace {

ModelPtr model_of(const std::string& text) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 17;
    model->graph = parse_graph(text);
    return model;
}

Session unfused(const std::string& text, ExecutionMode mode = ExecutionMode::sequential) {
    SessionOptions options;
    options.session_passes.set = SessionPasses::Set::none;
    options.resources.mode = mode;
    return Session::compile(model_of(text), options);
}

Tensor floats(Shape shape, const std::vector<float>& values) {
    return Tensor::of<float>(std::move(shape), values);
}

/// Writes down what it sees: "path[iterations]name=first element".
class Notes : public StepObserver {
public:
    std::vector<std::string> seen, begun;
    std::function<void(ObservedGraph&, const Node&)> also;

    void graph_begins(ObservedGraph& graph) override { begun.push_back(place(graph)); }
    void node_ran(ObservedGraph& graph, const Node& node) override {
        for (ValueId id : node.outputs) {
            if (!id) continue;
            const RuntimeValue value = graph.value(id);
            seen.push_back(place(graph) + graph.graph().value(id).name + "=" +
                           std::to_string(std::lround(to_doubles(value.tensor()).at(0))));
        }
        for (ValueId id : node.inputs)
            if (id) EXPECT_FALSE(graph.value(id).is_empty()) << graph.graph().value(id).name;
        if (also) also(graph, node);
    }

private:
    static std::string place(const ObservedGraph& graph) {
        std::string text = graph.path();
        for (const std::int64_t i : graph.iterations()) text += "[" + std::to_string(i) + "]";
        return text;
    }
};

using Texts = std::vector<std::string>;

const std::string chain =
    "(x: f32[2]) -> (y)\na = Neg(x)\nb = Add(a, w: f32[2]{1.0, 1.0})\ny = Mul(b, b)";

TEST(StepObserver, SeesEachValueInTheOrderOfTheSteps) {
    for (const ExecutionMode mode : {ExecutionMode::sequential, ExecutionMode::parallel}) {
        Session session = unfused(chain, mode);
        Notes notes;
        RunOptions options;
        options.observer = &notes;
        options.repetitions = 2;
        const RunResult result = session.run({{"x", floats({2}, {3, 4})}}, options);
        EXPECT_EQ(notes.seen, (Texts{"a=-3", "b=-2", "y=4", "a=-3", "b=-2", "y=4"}));
        EXPECT_EQ(notes.begun, (Texts{"", ""}));
        EXPECT_EQ(to_doubles(result.outputs.at(0).second.tensor()), (std::vector<double>{4, 9}));
    }
}

TEST(StepObserver, SeesNothingOfOtherRuns) {
    Session session = unfused(chain);
    Notes notes;
    RunOptions options;
    options.observer = &notes;
    const NamedValues inputs{{"x", floats({2}, {3, 4})}};
    session.run(inputs);
    session.run(inputs, options);
    for (int i = 0; i < 3; ++i) session.run(inputs);
    EXPECT_EQ(notes.seen.size(), 3u);
}

TEST(StepObserver, SeesBodiesOfLoopsByIteration) {
    Session session = unfused(R"((n: i64[], x: f32[1]) -> (y)
y = Loop(n, _, x) {body: graph {
    (i: i64[], go: bool[], c: f32[1]) -> (go_on, d)
    go_on = Identity(go)
    d = Add(c, x)
}} as "again")");
    Notes notes;
    RunOptions options;
    options.observer = &notes;
    session.run({{"n", Tensor::scalar<std::int64_t>(2)}, {"x", floats({1}, {5})}}, options);
    EXPECT_EQ(notes.begun, (Texts{"", "again/body/[0]", "again/body/[1]"}));
    EXPECT_EQ(notes.seen, (Texts{"again/body/[0]go_on=1", "again/body/[0]d=10",
                                 "again/body/[1]go_on=1", "again/body/[1]d=15", "y=15"}));
}

TEST(StepObserver, HasLaterNodesReadAnotherValue) {
    Session session = unfused(chain);
    Notes notes;
    notes.also = [](ObservedGraph& graph, const Node& node) {
        if (node.op_type == "Neg") graph.replace(node.outputs[0], floats({2}, {9, 9}));
    };
    RunOptions options;
    options.observer = &notes;
    const RunResult result = session.run({{"x", floats({2}, {3, 4})}}, options);
    EXPECT_EQ(notes.seen, (Texts{"a=-3", "b=10", "y=100"}));
    EXPECT_EQ(to_doubles(result.outputs.at(0).second.tensor()), (std::vector<double>{100, 100}));
}

TEST(StepObserver, RefusesWhatCannotBeReplaced) {
    Session session = unfused(chain);
    Notes notes;
    notes.also = [](ObservedGraph& graph, const Node& node) {
        EXPECT_THROW(graph.replace(node.inputs[0], floats({2}, {0, 0})), Error);
        float there[2] = {};
        EXPECT_THROW(
            graph.replace(node.outputs[0], Tensor::borrow(DType::f32, {2}, there, nullptr)), Error);
        fail_input("enough");
    };
    RunOptions options;
    options.observer = &notes;
    const NamedValues inputs{{"x", floats({2}, {3, 4})}};
    EXPECT_THROW(session.run(inputs, options), Error);
    EXPECT_EQ(notes.seen.size(), 1u);
    EXPECT_EQ(session.run(inputs).outputs.size(), 1u);
}

}  // namespace
}  // namespace lapidary
