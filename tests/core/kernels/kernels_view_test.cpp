// SPDX-License-Identifier: Apache-2.0
// movement.view, movement.concat and movement.split against the reference kernels, refusals
// included.
#include <gtest/gtest.h>

#include <numeric>

#include <lapidary/base/error.h>

#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

Tensor count_up(Shape shape) {
    Tensor t(DType::f32, std::move(shape));
    std::iota(t.mutable_data<float>().begin(), t.mutable_data<float>().end(), 0.0f);
    return t;
}
Tensor list(std::vector<std::int64_t> values) {
    return Tensor::of<std::int64_t>({static_cast<std::int64_t>(values.size())}, values);
}

// Results or the message of the refusal.
std::string outcome(std::string_view op, int version, const std::vector<RuntimeValue>& inputs,
                    const std::vector<Attribute>& attributes, KernelRun run) {
    try {
        std::string text;
        for (const RuntimeValue& v : run_kernel("", op, version, inputs, attributes, run)) {
            text += v.describe();
            if (v.is_tensor() && v.tensor().dtype() == DType::f32)
                for (float f : v.tensor().data<float>()) text += " " + std::to_string(f);
        }
        return text;
    } catch (const Error& e) { return e.message(); }
}

void expect_same(std::string_view op, int version, const std::string& kernel,
                 const std::vector<RuntimeValue>& inputs,
                 const std::vector<Attribute>& attributes = {}, KernelRun run = {}) {
    const std::string expected = outcome(op, version, inputs, attributes, run);
    for (bool constant : {false, true}) {
        run.kernel = kernel;
        run.constants.clear();
        for (std::size_t i = 1; constant && i < inputs.size() && op != "Concat"; ++i)
            run.constants.insert(i);
        EXPECT_EQ(outcome(op, version, inputs, attributes, run), expected)
            << op << " opset " << version;
    }
}

TEST(View, AgreesWithTheReference) {
    const Tensor x = count_up({1, 3, 1, 4});
    for (const auto& target : std::vector<std::vector<std::int64_t>>{
             {12}, {0, -1}, {3, 4}, {5, -1}, {-1, -1}, {2, 3}, {1, 1, 1, 1, 1, 12, 1, 1}, {}})
        expect_same("Reshape", 14, "movement.view", {x, list(target)});
    expect_same("Reshape", 14, "movement.view", {x, Tensor::of<std::int64_t>({1, 1}, {12})});
    expect_same("Reshape", 14, "movement.view", {x, Tensor::of<float>({1}, {12})});
    expect_same("Reshape", 14, "movement.view", {count_up({0, 3}), list({3, 0})},
                {attribute("allowzero", 1)});
    for (int axis : {-5, -4, -1, 0, 2, 4, 5})
        expect_same("Flatten", 13, "movement.view", {x}, {attribute("axis", axis)});
    for (const auto& axes :
         std::vector<std::vector<std::int64_t>>{{0}, {-2}, {0, 2}, {1}, {0, 0}, {7}, {}}) {
        expect_same("Squeeze", 13, "movement.view", {x, list(axes)});
        expect_same("Squeeze", 11, "movement.view", {x}, {attribute("axes", ints(axes))});
        expect_same("Unsqueeze", 13, "movement.view", {x, list(axes)});
        expect_same("Unsqueeze", 11, "movement.view", {x}, {attribute("axes", ints(axes))});
    }
    expect_same("Squeeze", 13, "movement.view", {x});
    expect_same("Unsqueeze", 13, "movement.view", {x});
    expect_same("Identity", 16, "movement.view", {x});
    expect_same("Identity", 16, "movement.view", {Sequence{}});
    const Tensor words = Tensor::of<std::string>({2}, {"a", "b"});
    KernelRun run;
    run.kernel = "movement.view";
    EXPECT_EQ(values_of<std::string>(run_kernel_tensor("", "Identity", 16, {words}, {}, run)),
              (std::vector<std::string>{"a", "b"}));
}

TEST(View, DropoutOnlyOutsideOfTraining) {
    const Tensor x = count_up({2, 3});
    expect_same("Dropout", 10, "movement.view", {x});
    KernelRun run;
    run.kernel = "movement.view";
    run.constants = {1, 2};
    EXPECT_EQ(run_kernel_tensor("", "Dropout", 13, {x, Tensor::scalar(0.5f), Tensor::scalar(false)},
                                {}, run)
                  .data<float>()[5],
              5.f);
    EXPECT_THROW(
        run_kernel("", "Dropout", 13, {x, Tensor::scalar(0.5f), Tensor::scalar(true)}, {}, run),
        Error);
    run.constants = {};
    EXPECT_THROW(
        run_kernel("", "Dropout", 13, {x, Tensor::scalar(0.5f), Tensor::scalar(false)}, {}, run),
        Error);
    run.outputs = 2;
    EXPECT_THROW(run_kernel("", "Dropout", 13, {x}, {}, run), Error);
}

TEST(View, ConcatAgreesWithTheReference) {
    for (int axis : {-3, -1, 0, 1, 2, 3}) {
        expect_same("Concat", 13, "movement.concat",
                    {count_up({2, 3, 5}), count_up({2, 3, 5}), count_up({2, 3, 5})},
                    {attribute("axis", axis)});
        expect_same("Concat", 13, "movement.concat", {count_up({1, 1, 5}), count_up({1, 1, 7})},
                    {attribute("axis", axis)});
    }
    expect_same("Concat", 13, "movement.concat", {count_up({2, 0, 5}), count_up({2, 3, 5})},
                {attribute("axis", 1)});
    expect_same("Concat", 13, "movement.concat", {count_up({0, 2}), count_up({0, 3})},
                {attribute("axis", 1)});
    expect_same("Concat", 13, "movement.concat", {count_up({300, 700}), count_up({300, 41})},
                {attribute("axis", 1)});
    expect_same("Concat", 13, "movement.concat",
                {count_up({2, 2}), Tensor::of<std::int64_t>({2}, {1, 2})}, {attribute("axis", 0)});
    expect_same("Concat", 13, "movement.concat", {Tensor::scalar(1.f), Tensor::scalar(2.f)},
                {attribute("axis", 0)});
}

TEST(View, SplitAgreesWithTheReference) {
    KernelRun three;
    three.outputs = 3;
    for (int axis : {-3, -2, -1, 0, 1, 2, 4}) {
        expect_same("Split", 13, "movement.split", {count_up({3, 6, 9})}, {attribute("axis", axis)},
                    three);
        expect_same("Split", 13, "movement.split", {count_up({6, 6, 6}), list({1, 0, 5})},
                    {attribute("axis", axis)}, three);
        expect_same("Split", 11, "movement.split", {count_up({6, 6, 6})},
                    {attribute("axis", axis), attribute("split", ints({4, 1, 1}))}, three);
        expect_same("Split", 11, "movement.split", {count_up({6, 6, 6})},
                    {attribute("axis", axis), attribute("split", ints({4, 1}))}, three);
        expect_same("Split", 18, "movement.split", {count_up({7, 7, 7})},
                    {attribute("axis", axis), attribute("num_outputs", 3)}, three);
        expect_same("Split", 18, "movement.split", {count_up({7, 7, 7})},
                    {attribute("axis", axis), attribute("num_outputs", 4)}, three);
    }
    expect_same("Split", 13, "movement.split", {count_up({6}), list({7, -1, 0})}, {}, three);
    expect_same("Split", 13, "movement.split", {count_up({6}), list({INT64_MAX, INT64_MAX, 8})}, {},
                three);
    three.unwanted_outputs = {1};
    expect_same("Split", 13, "movement.split", {count_up({6, 100})}, {attribute("axis", 0)}, three);
    three.static_shapes = false;
    expect_same("Split", 13, "movement.split", {count_up({6, 100})}, {attribute("axis", 0)}, three);
}

}  // namespace
}  // namespace lapidary::test
