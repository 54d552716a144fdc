// SPDX-License-Identifier: Apache-2.0
// Activations that the vector kernels of com.microsoft.nchwc::Conv apply to their sums.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/kernels/convolution/blocked_convolution_case.h"
#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

TEST(BlockedConvolution, ActivationsAfterSums) {
    const std::pair<const char*, std::vector<float>> activations[] = {
        {"Relu", {}}, {"Clip", {-0.25f, 0.5f}},     {"LeakyRelu", {0.3f}}, {"Sigmoid", {}},
        {"Tanh", {}}, {"HardSigmoid", {0.3f, 0.4f}}};
    for (const std::int64_t b : {8, 16}) {
        std::vector<BlockedConvolutionCase> cases;
        for (const auto& [name, parameters] : activations)
            for (std::int64_t kernel : {1, 3})
                cases.push_back({.channels = 2 * b,
                                 .height = 5,
                                 .width = 19,
                                 .filters = 3 * b,
                                 .kernel_height = kernel,
                                 .kernel_width = kernel,
                                 .pads = {kernel / 2, kernel / 2, kernel / 2, kernel / 2},
                                 .has_sum = true,
                                 .activation = name,
                                 .parameters = parameters});
        check_everywhere(cases, b, direct);
    }
}

/// NaN stays NaN through Relu and Clip, whatever the maximum instruction of an instruction set
/// makes of it.
TEST(BlockedConvolution, BoundsKeepNaN) {
    struct Kind {
        const char* kernel;
        std::int64_t channels, group, size;
    };
    for (const std::int64_t b : {8, 16})
        for (const Kind& kind : {Kind{direct, 2 * b, 1, 1}, Kind{direct, b, 1, 3},
                                 Kind{direct, 3, 1, 3}, Kind{"convolution.depthwise", b, b, 3}})
            for (const char* activation : {"Relu", "Clip"}) {
                const std::int64_t pad = kind.size / 2;
                Tensor x = noise({1, kind.channels, 5, 21}, 1);
                const std::span<float> elements = x.mutable_data<float>();
                for (std::size_t i = 7; i < elements.size(); i += elements.size() / 3)
                    elements[i] = std::nanf("");
                std::vector<Attribute> attributes{attribute("channel_block", AttributeValue(b)),
                                                  attribute("group", AttributeValue(kind.group)),
                                                  attribute("pads", ints({pad, pad, pad, pad})),
                                                  attribute("activation", activation)};
                if (std::string_view(activation) == "Clip")
                    attributes.push_back(attribute("activation_params", floats({-0.5f, 0.5f})));
                const std::vector<RuntimeValue> inputs{
                    x, noise({b, kind.channels / kind.group, kind.size, kind.size}, 2)};
                KernelRun run;
                const Tensor expected =
                    run_kernel_tensor("com.microsoft.nchwc", "Conv", 1, inputs, attributes, run);
                run.kernel = kind.kernel;
                run.constants = {1};
                for_each_isa([&](Isa isa) {
                    SCOPED_TRACE(std::string(kind.kernel) + ", window of " +
                                 std::to_string(kind.size) + ", " + activation + ", " +
                                 std::string(name_of(isa)));
                    const Tensor found = run_kernel_tensor("com.microsoft.nchwc", "Conv", 1, inputs,
                                                           attributes, run);
                    std::size_t none = 0;
                    for (std::size_t i = 0; i < expected.data<float>().size(); ++i) {
                        none += std::isnan(expected.data<float>()[i]);
                        ASSERT_EQ(std::isnan(found.data<float>()[i]),
                                  std::isnan(expected.data<float>()[i]))
                            << "element " << i;
                    }
                    EXPECT_GT(none, 0u);
                    EXPECT_LT(none, expected.data<float>().size());
                });
            }
}

}  // namespace
}  // namespace lapidary::test
