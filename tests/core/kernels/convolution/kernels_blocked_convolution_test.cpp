// SPDX-License-Identifier: Apache-2.0
// The vector kernels of com.microsoft.nchwc::Conv against the reference kernel, on every
// instruction set: sizes, windows, images and sums that are computed in parts.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <lapidary/base/error.h>

#include "core/kernels/convolution/blocked_convolution_case.h"
#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

TEST(BlockedConvolution, PointwiseOfEverySize) {
    for (const std::int64_t b : {8, 16}) {
        std::vector<BlockedConvolutionCase> cases;
        for (std::int64_t width = 1; width <= 40; ++width)
            cases.push_back(
                {.channels = b, .height = 1, .width = width, .filters = (1 + width % 5) * b});
        cases.push_back({.images = 3,
                         .channels = 3 * b,
                         .height = 7,
                         .width = 7,
                         .filters = 5 * b,
                         .has_sum = true,
                         .activation = "Relu"});
        cases.push_back(
            {.channels = 2 * b, .height = 5, .width = 9, .filters = 3 * b, .has_bias = false});
        check_everywhere(cases, b, direct);
    }
}

// of so many pixels and filters that tile registers take them where the CPU has such
TEST(BlockedConvolution, PointwiseOfManyPixels) {
    check_everywhere({{.images = 2,
                       .channels = 96,
                       .height = 14,
                       .width = 14,
                       .filters = 112,
                       .has_sum = true,
                       .activation = "Relu"},
                      {.channels = 528, .height = 15, .width = 9, .filters = 144}},
                     16, direct);
}

TEST(BlockedConvolution, WindowsOfEverySizeOfImage) {
    for (const std::int64_t b : {8, 16}) {
        std::vector<BlockedConvolutionCase> cases;
        for (std::int64_t size = 1; size <= 33; ++size) {
            cases.push_back({.channels = b,
                             .height = 2 + size % 4,
                             .width = size,
                             .filters = 2 * b,
                             .kernel_height = 3,
                             .kernel_width = 3,
                             .pads = {1, 1, 1, 1}});
            cases.push_back({.channels = b,
                             .height = size,
                             .width = 1 + size % 3,
                             .filters = b,
                             .kernel_height = 3,
                             .kernel_width = 3,
                             .strides = {2, 2},
                             .pads = {1, 1, 1, 1}});
        }
        check_everywhere(cases, b, direct);
    }
}

TEST(BlockedConvolution, WindowsOfEveryKind) {
    for (const std::int64_t b : {8, 16}) {
        std::vector<BlockedConvolutionCase> cases;
        for (std::int64_t kernel : {1, 2, 3, 5, 7})
            for (std::int64_t stride : {1, 2, 3})
                for (std::int64_t dilation : {1, 2, 3}) {
                    const std::int64_t pad = (kernel - 1) * dilation / 2;
                    cases.push_back({.channels = 2 * b,
                                     .height = 11,
                                     .width = 17,
                                     .filters = 3 * b,
                                     .kernel_height = kernel,
                                     .kernel_width = kernel,
                                     .strides = {stride, stride},
                                     .pads = {pad, pad, pad, pad},
                                     .dilations = {dilation, dilation}});
                }
        cases.push_back({.channels = b,
                         .height = 9,
                         .width = 8,
                         .filters = 2 * b,
                         .kernel_height = 2,
                         .kernel_width = 5,
                         .strides = {1, 2},
                         .pads = {0, 4, 3, 1},
                         .dilations = {2, 1}});
        cases.push_back({.channels = b,
                         .height = 2,
                         .width = 3,
                         .filters = b,
                         .kernel_height = 3,
                         .kernel_width = 3,
                         .pads = {5, 4, 3, 6},
                         .dilations = {2, 3}});
        cases.push_back({.channels = b,
                         .height = 1,
                         .width = 1,
                         .filters = b,
                         .kernel_height = 1,
                         .kernel_width = 1,
                         .pads = {2, 2, 2, 2}});
        cases.push_back({.channels = b,
                         .height = 7,
                         .width = 8,
                         .filters = b,
                         .kernel_height = 3,
                         .kernel_width = 3,
                         .strides = {2, 2},
                         .auto_pad = "SAME_LOWER"});
        cases.push_back({.channels = b,
                         .height = 7,
                         .width = 8,
                         .filters = b,
                         .kernel_height = 4,
                         .kernel_width = 3,
                         .strides = {1, 2},
                         .auto_pad = "SAME_UPPER"});
        cases.push_back({.images = 2,
                         .channels = b,
                         .height = 1,
                         .width = 100,
                         .filters = b,
                         .kernel_height = 1,
                         .kernel_width = 9,
                         .strides = {1, 3},
                         .pads = {0, 4, 0, 4}});
        check_everywhere(cases, b, direct);
    }
}

// Pointwise along one axis, or pointwise with strides or padding.
TEST(BlockedConvolution, NearlyPointwise) {
    for (const std::int64_t b : {8, 16}) {
        std::vector<BlockedConvolutionCase> cases;
        for (const Shape& kernel : {Shape{1, 1}, Shape{3, 1}, Shape{1, 3}})
            for (const Shape& strides : {Shape{1, 1}, Shape{2, 1}, Shape{1, 2}, Shape{2, 2}})
                for (const Shape& pads : {Shape{0, 0, 0, 0}, Shape{0, 0, 3, 3}, Shape{1, 0, 1, 0},
                                          Shape{0, 1, 0, 1}, Shape{1, 1, 0, 0}})
                    cases.push_back({.channels = 2 * b,
                                     .height = 4,
                                     .width = 4,
                                     .filters = b,
                                     .kernel_height = kernel[0],
                                     .kernel_width = kernel[1],
                                     .strides = strides,
                                     .pads = pads});
        check_everywhere(cases, b, direct);
    }
}

/// More weights than fit in a cache: outputs hold the sums over the first inputs until the others
/// are added.
TEST(BlockedConvolution, SumsInParts) {
    check_everywhere({{.channels = 512,
                       .height = 3,
                       .width = 4,
                       .filters = 48,
                       .kernel_height = 3,
                       .kernel_width = 3,
                       .pads = {1, 1, 1, 1},
                       .has_sum = true,
                       .activation = "Relu"},
                      {.channels = 3072,
                       .height = 2,
                       .width = 3,
                       .filters = 32,
                       .has_sum = true,
                       .activation = "Sigmoid"}},
                     16, direct);
}

/// Images of more rows and pixels than one task takes.
TEST(BlockedConvolution, ImagesInParts) {
    check_everywhere(
        {{.channels = 64,
          .height = 60,
          .width = 40,
          .filters = 32,
          .kernel_height = 3,
          .kernel_width = 3,
          .pads = {1, 1, 1, 1},
          .has_sum = true},
         {.channels = 256, .height = 25, .width = 37, .filters = 80, .activation = "Relu"},
         {.channels = 16,
          .height = 1,
          .width = 3000,
          .filters = 64,
          .kernel_height = 1,
          .kernel_width = 5,
          .pads = {0, 2, 0, 2}}},
        16, direct);
}

TEST(BlockedConvolution, PlainImagesOfFewChannels) {
    for (const std::int64_t b : {8, 16}) {
        std::vector<BlockedConvolutionCase> cases;
        for (std::int64_t width = 1; width <= 34; ++width)
            cases.push_back({.channels = 1 + width % 4,
                             .height = 9,
                             .width = width,
                             .filters = (1 + width % 4) * b,
                             .kernel_height = 3,
                             .kernel_width = 3,
                             .strides = {2, 1 + width % 3},
                             .pads = {1, 1, 1, 1},
                             .activation = "Relu"});
        cases.push_back({.images = 2,
                         .channels = 3,
                         .height = 32,
                         .width = 40,
                         .filters = 4 * b,
                         .kernel_height = 7,
                         .kernel_width = 7,
                         .strides = {2, 2},
                         .pads = {3, 3, 3, 3}});
        cases.push_back({.channels = 7,
                         .height = 6,
                         .width = 6,
                         .filters = b,
                         .kernel_height = 3,
                         .kernel_width = 2,
                         .dilations = {2, 2},
                         .has_sum = true});
        cases.push_back({.channels = 3, .height = 6, .width = 6, .filters = b});
        check_everywhere(cases, b, direct);
    }
}

TEST(BlockedConvolution, SaysWhatItDoesNotTake) {
    const Tensor x = noise({1, 4, 3, 3}, 1), w = noise({4, 4, 1, 1}, 2);
    KernelRun run;
    run.kernel = direct;
    const auto message = [&](std::vector<RuntimeValue> inputs, std::vector<Attribute> attributes) {
        try {
            run_kernel("com.microsoft.nchwc", "Conv", 1, std::move(inputs), std::move(attributes),
                       run);
        } catch (const Error& e) { return std::string(e.what()); }
        return std::string();
    };
    EXPECT_NE(message({x, w}, {attribute("channel_block", 4)}).find("blocks of 4 channels"),
              std::string::npos);
    const Tensor y = noise({1, 16, 3, 3}, 1), v = noise({16, 16, 1, 1}, 2);
    EXPECT_NE(message({y, v}, {attribute("channel_block", 16), attribute("activation", "Nonsense")})
                  .find("Nonsense"),
              std::string::npos);
    EXPECT_NE(message({y, v}, {attribute("channel_block", 16), attribute("strides", ints({0, 1}))})
                  .find("strides"),
              std::string::npos);
    EXPECT_NE(
        message({y, noise({24, 16, 1, 1}, 2)}, {attribute("channel_block", 16)}).find("24 filters"),
        std::string::npos);
    EXPECT_NE(
        message({y, noise({16, 32, 1, 1}, 2)}, {attribute("channel_block", 16)}).find("do not fit"),
        std::string::npos);
    EXPECT_NE(
        message({y, noise({16, 16, 5, 5}, 2)}, {attribute("channel_block", 16)}).find("window"),
        std::string::npos);
    EXPECT_NE(message({y, v, noise({15}, 3)}, {attribute("channel_block", 16)}).find("input 2"),
              std::string::npos);
    EXPECT_NE(
        message({y, v, RuntimeValue(), noise({1, 16, 3, 4}, 3)}, {attribute("channel_block", 16)})
            .find("input 3"),
        std::string::npos);
}

}  // namespace
}  // namespace lapidary::test
