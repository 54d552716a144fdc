// SPDX-License-Identifier: Apache-2.0
// Cases of com.microsoft.nchwc::Conv, whose vector kernels are compared with the reference kernel.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/kernel_harness.h"
#include "tensor/channel_blocks.h"

namespace lapidary::test {

inline Tensor noise(Shape shape, unsigned seed) {
    std::vector<float> values(static_cast<std::size_t>(element_count(shape)));
    for (float& v : values) {
        seed = seed * 1664525u + 1013904223u;
        v = static_cast<float>(seed >> 8) / static_cast<float>(1u << 23) - 1;
    }
    return Tensor::of(std::move(shape), values);
}

/// The blocked weight as a deferred tensor, in parts as blocked_weight() makes them.
inline Tensor deferred(const Tensor& w, std::int64_t block) {
    const std::size_t part = static_cast<std::size_t>(w.dim(2) * w.dim(3) * block *
                                                      (w.dim(1) % block == 0 ? block : 1)) *
                             sizeof(float);
    return Tensor::deferred(DType::f32, w.shape(), part,
                            [w, part](std::byte* to, std::size_t begin, std::size_t end) {
                                std::memcpy(to, w.bytes().data() + begin * part,
                                            (end - begin) * part);
                            },
                            {w});
}

/// Shapes as declared: channels in whole blocks, but for plain inputs.
struct BlockedConvolutionCase {
    std::int64_t images = 1, channels, height, width, filters, kernel_height = 1, kernel_width = 1;
    std::vector<std::int64_t> strides = {1, 1}, pads = {0, 0, 0, 0}, dilations = {1, 1};
    std::int64_t group = 1;
    bool has_bias = true, has_sum = false;
    std::string activation = {};
    std::vector<float> parameters = {};
    std::string auto_pad = {};

    std::string text() const {
        std::string s = to_string(Shape{images, channels, height, width}) + " by " +
                        to_string(Shape{filters, channels / group, kernel_height, kernel_width});
        return s + " strides " + to_string(strides) + " pads " + to_string(pads) + " dilations " +
               to_string(dilations) + " group " + std::to_string(group) + " " + activation +
               auto_pad;
    }
};

/// Compares sums that were added in different orders. Partial sums of products of numbers below 1
/// are about the square root of the number of terms, which bounds their rounding.
inline void expect_same(const BlockedConvolutionCase& c, const Tensor& found,
                        const Tensor& expected) {
    ASSERT_EQ(found.shape(), expected.shape());
    const double terms =
        static_cast<double>(c.channels / c.group * c.kernel_height * c.kernel_width);
    const double tolerance = 1e-6 + 4e-8 * terms;
    const auto x = found.data<float>(), y = expected.data<float>();
    for (std::size_t i = 0; i < x.size(); ++i)
        ASSERT_NEAR(x[i], y[i], tolerance * std::max(1.0f, std::abs(y[i]))) << "element " << i;
}

inline void check(const BlockedConvolutionCase& c, std::int64_t block, const char* kernel) {
    SCOPED_TRACE(c.text() + ", blocks of " + std::to_string(block));
    std::vector<Attribute> attributes{attribute("channel_block", AttributeValue(block)),
                                      attribute("strides", AttributeValue(c.strides)),
                                      attribute("dilations", AttributeValue(c.dilations)),
                                      attribute("group", AttributeValue(c.group))};
    if (c.auto_pad.empty()) attributes.push_back(attribute("pads", AttributeValue(c.pads)));
    else attributes.push_back(attribute("auto_pad", c.auto_pad.c_str()));
    if (!c.activation.empty()) attributes.push_back(attribute("activation", c.activation.c_str()));
    if (!c.parameters.empty())
        attributes.push_back(attribute("activation_params", floats(c.parameters)));
    std::vector<RuntimeValue> inputs{
        noise({c.images, c.channels, c.height, c.width}, 1),
        noise({c.filters, c.channels / c.group, c.kernel_height, c.kernel_width}, 2),
        RuntimeValue(), RuntimeValue()};
    if (c.has_bias) inputs[2] = noise({c.filters}, 3);
    const auto run = [&](const char* name) {
        KernelRun options;
        if (name) options.kernel = name;
        options.constants = {1, 2};
        return run_kernel_tensor("com.microsoft.nchwc", "Conv", 1, inputs, attributes, options);
    };
    if (c.has_sum) inputs[3] = noise(run(nullptr).shape(), 4);
    const Tensor expected = run(nullptr), found = run(kernel);
    expect_same(c, found, expected);
    inputs[1] = deferred(inputs[1].tensor(), block);
    EXPECT_TRUE(same_contents(run(kernel), found)) << "with a deferred weight";
}

/// Checks the cases on every instruction set.
inline void check_everywhere(const std::vector<BlockedConvolutionCase>& cases, std::int64_t block,
                             const char* kernel) {
    for_each_isa([&](Isa isa) {
        SCOPED_TRACE(std::string(name_of(isa)));
        for (const BlockedConvolutionCase& c : cases) {
            check(c, block, kernel);
            if (testing::Test::HasFatalFailure()) return;
        }
    });
}

inline constexpr const char* direct = "convolution.direct";

}  // namespace lapidary::test
