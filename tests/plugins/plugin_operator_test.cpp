// SPDX-License-Identifier: Apache-2.0
// Operators of plugins: schema, inference, kernels, and what becomes of those that misbehave.
#include <gtest/gtest.h>

#include <cmath>

#include <lapidary/base/error.h>
#include <lapidary/ops/infer.h>
#include <lapidary/engines/plugins.h>
#include <lapidary/exec/session.h>

#include "ops/schemas/added_operators.h"
#include "plugins/plugin_paths.h"
#include "support/pass_harness.h"

namespace lapidary::test {
namespace {

Tensor floats(Shape shape, const std::vector<float>& values) {
    return Tensor::of<float>(std::move(shape), values);
}

class PluginOperator : public testing::Test {
protected:
    static void SetUpTestSuite() {
        open_plugin(plugin_file("operators"));
        open_plugin(plugin_file("example_op"));
    }
    static ModelPtr model(const std::string& text) {
        Model made = model_of(text);
        made.opset_imports["test"] = 1;
        made.opset_imports["example"] = 1;
        infer_types(made);
        return std::make_shared<const Model>(std::move(made));
    }
    static std::string failure_of(const std::string& text) {
        try {
            Session session = Session::compile(model(text));
            session.run({{"x", floats({2}, {1, 2})}});
        } catch (const Error& error) { return error.what(); }
        return "it ran";
    }
};

void expect_in(const std::string& part, const std::string& text) {
    EXPECT_NE(text.find(part), std::string::npos) << text << "\nhas no " << part;
}

TEST_F(PluginOperator, TheExampleRunsThreeTimesOnChangedInputs) {
    const ModelPtr m =
        model("(x: f32[batch,3], low: f32[]) -> (y)\ny = example::ScaleClamp(x, low) {alpha: 2.0}");
    EXPECT_EQ(to_string(m->graph.value(m->graph.outputs()[0]).type), "f32[batch,3]");
    Session session = Session::compile(m);
    for (std::int64_t batch : {2, 1, 5000}) {
        std::vector<float> x;
        for (std::int64_t i = 0; i < 3 * batch; ++i)
            x.push_back(std::sin(static_cast<float>(i + batch)) * 5);
        const RunResult result =
            session.run({{"x", floats({batch, 3}, x)}, {"low", floats({}, {-1.5f})}});
        const auto y = result.outputs[0].second.tensor().data<float>();
        ASSERT_EQ(y.size(), x.size());
        for (std::size_t i = 0; i < x.size(); ++i)
            ASSERT_EQ(y[i], std::min(std::max(2 * x[i], -1.5f), 6.0f)) << i;
    }
}

TEST_F(PluginOperator, AnOmittedInputAndDefaultsAreThere) {
    Session session =
        Session::compile(model("(x: f32[2]) -> (y)\ny = example::ScaleClamp(x) {high: 1.0}"));
    const RunResult result = session.run({{"x", floats({2}, {-7, 7})}});
    EXPECT_EQ(result.outputs[0].second.tensor().data<float>()[0], -7.0f);
    EXPECT_EQ(result.outputs[0].second.tensor().data<float>()[1], 1.0f);
}

TEST_F(PluginOperator, AnyNumberOfInputsAndASecondOutput) {
    Session session =
        Session::compile(model("(x: f32[2]) -> (y, n)\ny, n = test::SumAll(x, x, x)"));
    for (int i = 1; i < 4; ++i) {
        const auto v = static_cast<float>(i);
        const RunResult result = session.run({{"x", floats({2}, {v, 2 * v})}});
        EXPECT_EQ(result.outputs[0].second.tensor().data<float>()[1], 6 * v);
        EXPECT_EQ(result.outputs[1].second.tensor().data<std::int64_t>()[0], 3);
    }
}

TEST_F(PluginOperator, ItsSchemaIsChecked) {
    const std::string unknown = failure_of("(x: f32[2]) -> (y)\ny = test::SumAll(x) {colour: 1}");
    expect_in("has no attribute", unknown);
    expect_in("strength", failure_of("(x: f32[2]) -> (y)\ny = test::NeedsStrength(x)"));
    expect_in("X must be a matrix", failure_of("(x: f32[2]) -> (y)\ny = test::OfMatrix(x)"));
}

TEST_F(PluginOperator, FailuresNameTheOperator) {
    expect_in("plugin \"test_operators\": operator \"test::Refuses\": the input is too green",
              failure_of("(x: f32[2]) -> (y)\ny = test::Refuses(x)"));
    expect_in("operator \"test::Throws\" threw an exception: out of luck",
              failure_of("(x: f32[2]) -> (y)\ny = test::Throws(x)"));
    expect_in("operator \"test::SaysNothing\": it gave no reason (code 6)",
              failure_of("(x: f32[2]) -> (y)\ny = test::SaysNothing(x)"));
    expect_in("there is no kernel for Tuesdays",
              failure_of("(x: f32[2]) -> (y)\ny = test::OnTuesday(x)"));
}

TEST_F(PluginOperator, AKernelThatMakesNoOutputFailsTheRun) {
    expect_in("operator \"test::Forgets\" gave no output 0",
              failure_of("(x: f32[2]) -> (y)\ny = test::Forgets(x)"));
}

TEST_F(PluginOperator, OutputsAreWithinTheLimits) {
    const std::string failure = failure_of("(x: f32[2]) -> (y)\ny = test::WantsTooMuch(x)");
    expect_in("1099511627776", failure);
}

TEST_F(PluginOperator, DomainsOfTheProgramAreNotOpen) {
    const auto refusal = [](std::string domain, const char* inputs) {
        try {
            AddedOperator added;
            added.schema = parse_schema(domain, "Mine", 1, inputs, "Y:T", "T=f32", "");
            added.source = "plugin \"p\"";
            add_operators({std::move(added)});
        } catch (const Error& error) { return std::string(error.what()); }
        return std::string();
    };
    expect_in("is not open to others", refusal("com.microsoft", "X:T"));
    expect_in("is not open to others", refusal("", "X:T"));
    expect_in("expected a type or a type variable for \"X\", found \"U\"", refusal("p", "X:U"));
    EXPECT_EQ(refusal("p", "X:T"), "");
    expect_in("which plugin \"p\" has defined before", refusal("p", "X:T"));
}

}  // namespace
}  // namespace lapidary::test
