// SPDX-License-Identifier: Apache-2.0
// Libraries of custom operators for ONNX Runtime, run without it.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

#include <lapidary/engines/custom_operators.h>
#include <lapidary/base/error.h>
#include <lapidary/base/failure.h>
#include <lapidary/ops/infer.h>
#include <lapidary/exec/session.h>

#include "ops/schemas/added_operators.h"
#include "plugins/plugin_paths.h"
#include "support/pass_harness.h"
#include "support/test_data.h"

namespace lapidary::test {
namespace {

Tensor floats(Shape shape, const std::vector<float>& values) {
    return Tensor::of<float>(std::move(shape), values);
}
Tensor longs(Shape shape, const std::vector<std::int64_t>& values) {
    return Tensor::of<std::int64_t>(std::move(shape), values);
}

class CustomOperators : public testing::Test {
protected:
    static void SetUpTestSuite() {
        setenv("LAPIDARY_TEST_CUDA_OPERATOR", "1", 1);
        library = &open_custom_operators(plugin_file("custom_operators"));
    }
    static ModelPtr model(const std::string& text) {
        Model made = model_of(text);
        for (const char* domain : {"test.lapidary", "test.lapidary.wrong", "test.first"})
            made.opset_imports[domain] = 1;
        infer_types(made);
        return std::make_shared<const Model>(std::move(made));
    }
    static NamedValues outputs_of(const std::string& text, const NamedValues& inputs) {
        Session session = Session::compile(model(text));
        return session.run(inputs).outputs;
    }
    static std::string failure_of(const std::string& text) {
        try {
            outputs_of(text, {{"x", floats({2}, {1, 2})}});
        } catch (const Error& error) { return error.what(); }
        return "it ran";
    }
    static std::string wrong(const std::string& op) {
        return "(x: f32[2]) -> (y)\ny = test.lapidary.wrong::" + op + "(x)";
    }
    static std::string refusal_of(const std::filesystem::path& file) {
        try {
            open_custom_operators(file);
        } catch (const Error& error) { return error.what(); }
        return "it was opened";
    }
    static inline const CustomOperatorLibrary* library = nullptr;
};

void expect_in(const std::string& part, const std::string& text) {
    EXPECT_NE(text.find(part), std::string::npos) << text << "\nhas no " << part;
}

TEST_F(CustomOperators, AttributesOfNumbersAndLists) {
    const char* const text =
        "(x: f32[batch]) -> (y, z)\n"
        "y = test.lapidary::Scale(x)\n"
        "z = test.lapidary::Scale(x) {factor: 3.0, offset: [0.5, 9.0]}";
    Session session = Session::compile(model(text));
    for (const std::int64_t batch : {2, 1, 3}) {
        std::vector<float> x;
        for (std::int64_t i = 0; i < batch; ++i) x.push_back(static_cast<float>(batch + i));
        const NamedValues outputs = session.run({{"x", floats({batch}, x)}}).outputs;
        for (std::size_t i = 0; i < x.size(); ++i) {
            EXPECT_EQ(outputs[0].second.tensor().data<float>()[i], 2 * x[i]);
            EXPECT_EQ(outputs[1].second.tensor().data<float>()[i], 3 * x[i] + 0.5f);
        }
    }
}

TEST_F(CustomOperators, AnyNumberOfInputsAndAText) {
    const NamedValues inputs{{"x", floats({2}, {1, 2})}, {"w", floats({2}, {3, 6})}};
    const auto sum =
        outputs_of("(x: f32[2], w: f32[2]) -> (y)\ny = test.lapidary::Sum(x, w, w)", inputs);
    EXPECT_EQ(sum[0].second.tensor().data<float>()[1], 14.0f);
    const auto mean = outputs_of(
        "(x: f32[2], w: f32[2]) -> (y)\ny = test.lapidary::Sum(x, w) {reduce: \"mean\"}", inputs);
    EXPECT_EQ(mean[0].second.tensor().data<float>()[1], 4.0f);
}

TEST_F(CustomOperators, AnOptionalInput) {
    const NamedValues inputs{{"x", longs({3}, {7, 8, 9})}, {"at", longs({2}, {2, 1})}};
    const auto some =
        outputs_of("(x: i64[3], at: i64[2]) -> (y)\ny = test.lapidary::Pick(x, at)", inputs);
    EXPECT_EQ(some[0].second.tensor().data<std::int64_t>()[0], 9);
    const auto first = outputs_of("(x: i64[3]) -> (y)\ny = test.lapidary::Pick(x)", {inputs[0]});
    EXPECT_EQ(first[0].second.tensor().data<std::int64_t>()[0], 7);
}

TEST_F(CustomOperators, VariantsByElementTypeAndInferredShapes) {
    const ModelPtr made = model("(x: f32[2,3]) -> (y)\ny = test.lapidary::Repeat(x)");
    EXPECT_EQ(to_string(made->graph.value(made->graph.outputs()[0]).type), "f32[4,3]");
    const auto repeated =
        outputs_of("(x: i64[2]) -> (y)\ny = test.lapidary::Repeat(x)", {{"x", longs({2}, {5, 6})}});
    const auto y = repeated[0].second.tensor().data<std::int64_t>();
    EXPECT_EQ((std::vector<std::int64_t>(y.begin(), y.end())),
              (std::vector<std::int64_t>{5, 6, 5, 6}));
}

TEST_F(CustomOperators, Texts) {
    const Tensor x = Tensor::of<std::string>({2}, {"facet", "Table and girdle"});
    const auto upper = outputs_of("(x: string[2]) -> (y)\ny = test.lapidary::Upper(x)", {{"x", x}});
    EXPECT_EQ(upper[0].second.tensor().data<std::string>()[1], "TABLE AND GIRDLE");
}

TEST_F(CustomOperators, FailuresNameTheOperator) {
    expect_in(
        "operator \"test.lapidary.wrong::Throws\" of \"custom_operators.so\" threw an exception: "
        "no kernel on "
        "Tuesdays",
        failure_of(wrong("Throws")));
    expect_in(
        "operator \"test.lapidary.wrong::Refuses\" of \"custom_operators.so\": it wants a better "
        "input",
        failure_of(wrong("Refuses")));
    expect_in(
        "operator \"test.lapidary.wrong::GivesNothing\" of \"custom_operators.so\" gave no output "
        "0",
        failure_of(wrong("GivesNothing")));
}

TEST_F(CustomOperators, AFunctionThatIsNotOfferedRefusesByItsName) {
    expect_in(
        "operator \"test.lapidary.wrong::Asks\" of \"custom_operators.so\": it calls "
        "KernelContext_GetResource",
        failure_of(wrong("Asks")));
}

TEST_F(CustomOperators, ACrashIsReportedWithTheOperatorsName) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto crash = [](const char* op) {
        name_foreign_crashes();
        failure_of(wrong(op));
    };
    EXPECT_EXIT(crash("Crashes"), testing::KilledBySignal(SIGSEGV),
                "crashed in operator \"test.lapidary.wrong::Crashes\" of \"custom_operators.so\"");
    EXPECT_EXIT(crash("Aborts"), testing::KilledBySignal(SIGABRT),
                "crashed in operator \"test.lapidary.wrong::Aborts\" of \"custom_operators.so\"");
}

TEST_F(CustomOperators, OnesForOtherDevicesAreLeftOut) {
    ASSERT_EQ(library->left_out.size(), 1u);
    EXPECT_EQ(library->left_out[0],
              "test.lapidary.elsewhere::OnCuda is made for CUDAExecutionProvider");
    EXPECT_EQ(library->operators.size(), 11u);  // variants of a name are one
}

TEST_F(CustomOperators, WhatCannotBeUsedIsASentence) {
    expect_in("there is no such file", refusal_of(plugin_file("none")));
    expect_in("exports no function RegisterCustomOps", refusal_of(plugin_file("no_operators")));
    expect_in("is no regular file", refusal_of("/dev/null"));
    expect_in("cannot be loaded", refusal_of(source_folder() / "README.md"));
}

TEST_F(CustomOperators, ALibraryWithARefusedOperatorLeavesNothing) {
    expect_in("which is not open to others", refusal_of(plugin_file("taken_domain")));
    EXPECT_EQ(find_added_operator("test.first", "First"), nullptr);
    expect_in("which is not open to others", refusal_of(plugin_file("taken_domain")));
}

}  // namespace
}  // namespace lapidary::test
