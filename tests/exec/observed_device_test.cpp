// SPDX-License-Identifier: Apache-2.0
// Values on a device are seen by observers as those of the CPU are, and may be replaced: inspect
// and diverge give for a split session what they give for one of the CPU alone.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/exec/session.h>
#include <lapidary/exec/step_observer.h>
#include <lapidary/inspect/first_difference.h>
#include <lapidary/inspect/inspect_values.h>

#include "split_sessions.h"

namespace lapidary::test {
namespace {

using Operators = std::vector<std::string>;

const std::vector<Operators> operator_choices{{"Relu"},        {"Mul"},
                                              {"Relu", "Mul"}, {"Relu", "Add"},
                                              {"Mul", "Neg"},  {"Relu", "Mul", "Add", "Neg"}};

ModelPtr scaled_by(const std::string& second) {
    return model_of(
        "(x: f32[2,3]) -> (y)\n"
        "a = Relu(x) as \"relu\"\n"
        "b = Mul(a, w: f32[3]{1.0, " +
        second +
        ", 3.0}) as \"scale\"\n"
        "c = Add(b, a) as \"sum\"\n"
        "y = Neg(c) as \"negate\"");
}

NamedValues six_numbers() { return {{"x", Tensor::of<float>({2, 3}, {1, 2, 3, -4, 5, 6})}}; }

SessionOptions cpu_alone() {
    SessionOptions options;
    options.session_passes.set = SessionPasses::Set::none;
    return options;
}

std::string names_in(const Operators& operators) {
    std::string text;
    for (const std::string& name : operators) text += name + " ";
    return text;
}

std::map<std::string, InspectedValue> values_by_name(const SessionOptions& session,
                                                     ValueChoice choice) {
    InspectOptions options;
    options.choice = std::move(choice);
    options.session = session;
    options.keeps = true;
    std::map<std::string, InspectedValue> values;
    for (InspectedValue& value : inspect_values(scaled_by("2.0"), six_numbers(), options).values)
        EXPECT_TRUE(values.emplace(value.full_name(), value).second) << value.full_name();
    return values;
}

TEST(ObservedDevice, InspectionsAreThoseOfTheCpu) {
    for (const ValueChoice& choice :
         {ValueChoice{.values = {"*"}}, ValueChoice{.nodes = {"relu", "scale", "sum"}}}) {
        const auto alone = values_by_name(cpu_alone(), choice);
        for (const Operators& operators : operator_choices) {
            const auto split = values_by_name(one_kernel_per_node(taking(operators)), choice);
            ASSERT_EQ(split.size(), alone.size()) << names_in(operators);
            for (const auto& [name, expected] : alone) {
                ASSERT_TRUE(split.contains(name)) << name << " with " << names_in(operators);
                const InspectedValue& found = split.at(name);
                EXPECT_EQ(found.node, expected.node) << names_in(operators);
                EXPECT_EQ(found.op, expected.op) << names_in(operators);
                ASSERT_TRUE(found.kept.is_tensor()) << name;
                EXPECT_TRUE(same_contents(found.kept.tensor(), expected.kept.tensor())) << name;
            }
        }
    }
}

Divergence divergence_with(const SessionOptions& of_b, const std::string& second) {
    const DivergenceSide a{scaled_by("2.0"), cpu_alone(), nullptr};
    const DivergenceSide b{scaled_by(second), of_b, nullptr};
    return find_first_difference(a, b, six_numbers());
}

TEST(ObservedDevice, TheFirstDifferenceIsNamed) {
    for (const Operators& operators : operator_choices) {
        const Divergence found = divergence_with(one_kernel_per_node(taking(operators)), "2.5");
        EXPECT_EQ(found.verdict, DivergenceVerdict::differs) << names_in(operators);
        ASSERT_EQ(found.causes.size(), 1u) << names_in(operators);
        EXPECT_EQ(found.causes[0].node_a, "scale") << names_in(operators);
        EXPECT_EQ(found.causes[0].node_b, "scale") << names_in(operators);
        EXPECT_EQ(found.causes[0].nodes_b.size(), 1u) << names_in(operators);
        EXPECT_EQ(found.values.size(), 4u) << names_in(operators);
    }
}

TEST(ObservedDevice, ASessionOnADeviceComputesTheSame) {
    for (const Operators& operators : operator_choices)
        EXPECT_EQ(divergence_with(one_kernel_per_node(taking(operators)), "2.0").verdict,
                  DivergenceVerdict::same)
            << names_in(operators);
}

/// Has readers of the only Relu read `value`.
class Replacing : public StepObserver {
public:
    explicit Replacing(Tensor value) : value_(std::move(value)) {}
    void node_ran(ObservedGraph& graph, const Node& node) override {
        if (node.op_type == "Relu") graph.replace(node.outputs[0], value_);
    }

private:
    Tensor value_;
};

TEST(ObservedDevice, LaterNodesReadWhatReplacesAValueThere) {
    Session session = Session::compile(scaled_by("2.0"),
                                       one_kernel_per_node(taking({"Relu", "Mul", "Add", "Neg"})));
    Replacing ones(Tensor::of<float>({2, 3}, {1, 1, 1, 1, 1, 1}));
    RunOptions running;
    running.observer = &ones;
    const RunResult result = session.run(six_numbers(), running);
    EXPECT_EQ(to_doubles(result.outputs.at(0).second.tensor()),
              (std::vector<double>{-2, -3, -4, -2, -3, -4}));
    Replacing wider(Tensor::of<float>({6}, {1, 1, 1, 1, 1, 1}));
    running.observer = &wider;
    EXPECT_THROW(session.run(six_numbers(), running), Error);
}

}  // namespace
}  // namespace lapidary::test
