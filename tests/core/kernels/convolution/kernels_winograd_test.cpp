// SPDX-License-Identifier: Apache-2.0
// Winograd convolutions against the reference kernel, on every instruction set.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <lapidary/base/error.h>

#include "kernels/convolution/blocked_weight.h"
#include "kernels/convolution/winograd_cost.h"
#include "support/kernel_harness.h"
#include "tensor/channel_blocks.h"

namespace lapidary::test {
namespace {

Tensor noise(Shape shape, unsigned seed, float scale = 1) {
    std::vector<float> values(static_cast<std::size_t>(element_count(shape)));
    for (float& v : values) {
        seed = seed * 1664525u + 1013904223u;
        v = (static_cast<float>(seed >> 8) / static_cast<float>(1u << 23) - 1) * scale;
    }
    return Tensor::of(std::move(shape), values);
}

struct Case {
    Shape x;  // in whole blocks
    std::int64_t outputs;
    std::vector<std::int64_t> pads = {1, 1, 1, 1};
    bool has_bias = true, has_sum = false;
    std::string activation = {};
    bool static_shapes = true;
};

/// The largest difference from the reference in units of the output's range.
double error_of(const Case& c, std::int64_t block) {
    const std::int64_t inputs = c.x[1], height = c.x[2] + c.pads[0] + c.pads[2] - 2,
                       width = c.x[3] + c.pads[1] + c.pads[3] - 2;
    const Tensor x = noise(c.x, 1),
                 w = blocked_weight(noise({c.outputs, inputs, 3, 3}, 2,
                                          1 / std::sqrt(9 * static_cast<float>(inputs))),
                                    block, true);
    std::vector<RuntimeValue> values{
        x, w, c.has_bias ? RuntimeValue(noise({c.outputs}, 3)) : RuntimeValue()};
    if (c.has_sum) values.emplace_back(noise({c.x[0], c.outputs, height, width}, 4));
    std::vector<Attribute> attributes{attribute("channel_block", AttributeValue(block)),
                                      attribute("pads", ints(c.pads)),
                                      attribute("kernel_shape", ints({3, 3}))};
    if (!c.activation.empty()) attributes.push_back(attribute("activation", c.activation.c_str()));
    const KernelRun run{
        .kernel = "convolution.winograd", .constants = {1, 2}, .static_shapes = c.static_shapes};
    const Tensor y = run_kernel_tensor("com.microsoft.nchwc", "Conv", 1, values, attributes, run);
    const Tensor expected = run_kernel_tensor("com.microsoft.nchwc", "Conv", 1, values, attributes);
    EXPECT_EQ(y.shape(), expected.shape());
    if (y.shape() != expected.shape()) return 1;
    if (y.size() == 0) return 0;
    const auto a = y.data<float>(), b = expected.data<float>();
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!std::isfinite(a[i])) return 1e9;
        most = std::max(most, static_cast<double>(std::abs(a[i] - b[i])));
    }
    const auto [low, high] = std::ranges::minmax_element(b);
    return most / std::max<double>(*high - *low, 1e-3);
}

TEST(WinogradKernels, EverySizeOfImage) {
    for_each_isa([](Isa isa) {
        for (std::int64_t size = 1; size <= 20; ++size)
            for (const std::int64_t images : {1, 3}) {
                SCOPED_TRACE(std::string(name_of(isa)) + ", " + std::to_string(images) +
                             " images of " + std::to_string(size) + " x " +
                             std::to_string(21 - size));
                EXPECT_LE(
                    error_of(
                        {{images, 32, size, 21 - size}, 48, {1, 1, 1, 1}, true, false, {}, false},
                        16),
                    1e-4);
            }
    });
}

TEST(WinogradKernels, BlocksPadsSumsAndActivations) {
    const std::vector<Case> cases{
        {{1, 32, 24, 24}, 32, {0, 0, 0, 0}},
        {{2, 32, 23, 25}, 48, {2, 1, 0, 3}, false},
        {{1, 48, 25, 22}, 16, {1, 1, 1, 1}, true, true},
        {{2, 16, 24, 24}, 80, {1, 1, 1, 1}, true, true, "Relu"},
        {{1, 64, 24, 24}, 64, {1, 1, 1, 1}, false, true, "Sigmoid"},
        {{1, 32, 60, 60}, 32, {1, 1, 1, 1}, true, false, "Relu"},
        {{0, 32, 24, 24}, 32},
    };
    for_each_isa([&](Isa isa) {
        for (const std::int64_t block : {std::int64_t{8}, std::int64_t{16}})
            for (const Case& c : cases) {
                SCOPED_TRACE(std::string(name_of(isa)) + ", " + to_string(c.x) + " to " +
                             std::to_string(c.outputs) + ", blocks of " + std::to_string(block));
                EXPECT_LE(error_of(c, block), 1e-4);
            }
    });
}

/// The bounds that are stated: 1e-4 of the range for tiles of 4 x 4, 1e-5 for those of 2 x 2.
TEST(WinogradKernels, ErrorsStayWithinTheirBounds) {
    const Isa isa = active_isa();
    for (const auto& [size, channels] :
         {std::pair<std::int64_t, std::int64_t>{56, 64}, {28, 128}, {14, 256}, {7, 512}, {2, 64}}) {
        const std::int64_t m = winograd::best_tile({1, size, size, channels, channels}, isa);
        if (m == 0) continue;
        SCOPED_TRACE("F" + std::to_string(m) + " at " + std::to_string(size));
        EXPECT_LE(error_of({{1, channels, size, size}, channels}, 16), m == 4 ? 1e-4 : 1e-5);
    }
}

TEST(WinogradKernels, CostChoosesLargeTilesForLargeImages) {
    for (const Isa isa : {Isa::avx2, Isa::avx512}) {
        EXPECT_EQ(winograd::best_tile({1, 56, 56, 64, 64}, isa), 4);
        EXPECT_EQ(winograd::best_tile({1, 28, 28, 128, 128}, isa), 4);
        EXPECT_EQ(winograd::best_tile({1, 1, 1, 512, 512}, isa), 0);
        for (const std::int64_t size : {1, 3, 7, 14, 50, 224})
            for (const std::int64_t channels : {16, 64, 512})
                for (const std::int64_t m : {2, 4}) {
                    const winograd::Problem p{1, size, size, channels, channels};
                    const std::int64_t tiles = ((size + m - 1) / m) * ((size + m - 1) / m),
                                       at_once = winograd::tiles_at_once(p, m);
                    EXPECT_GE(at_once, 1);
                    EXPECT_LE(at_once, tiles);
                }
    }
}

TEST(WinogradKernels, DeclineWithAReason) {
    const auto reason = [](const Tensor& w, std::vector<Attribute> attributes,
                           std::set<std::size_t> constants) -> std::string {
        attributes.push_back(attribute("channel_block", 16));
        try {
            run_kernel("com.microsoft.nchwc", "Conv", 1, {noise({1, 32, 56, 56}, 1), w},
                       std::move(attributes),
                       {.kernel = "convolution.winograd", .constants = std::move(constants)});
        } catch (const Error& e) { return e.what(); }
        return {};
    };
    const Tensor w = noise({32, 32, 3, 3}, 2), one = noise({32, 32, 1, 1}, 2);
    EXPECT_EQ(reason(w, {}, {1}), "");
    EXPECT_NE(reason(w, {}, {}).find("run time"), std::string::npos);
    EXPECT_NE(reason(one, {}, {1}).find("3 x 3"), std::string::npos);
    EXPECT_NE(reason(w, {attribute("strides", ints({2, 2}))}, {1}).find("strides"),
              std::string::npos);
    EXPECT_NE(reason(w, {attribute("dilations", ints({1, 2}))}, {1}).find("dilations"),
              std::string::npos);
}

}  // namespace
}  // namespace lapidary::test
