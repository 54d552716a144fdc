// SPDX-License-Identifier: Apache-2.0
// The vector kernels of com.microsoft.nchwc::Conv for groups of channels and for one filter per
// channel.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/kernels/convolution/blocked_convolution_case.h"
#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

TEST(BlockedConvolution, GroupsAndBatches) {
    for (const std::int64_t b : {8, 16})
        check_everywhere({{.images = 2,
                           .channels = 4 * b,
                           .height = 6,
                           .width = 5,
                           .filters = 6 * b,
                           .kernel_height = 3,
                           .kernel_width = 3,
                           .pads = {1, 1, 1, 1},
                           .group = 2,
                           .has_sum = true},
                          {.images = 3,
                           .channels = 3 * b,
                           .height = 4,
                           .width = 4,
                           .filters = 3 * b,
                           .group = 3,
                           .activation = "Relu"},
                          {.images = 0, .channels = b, .height = 4, .width = 4, .filters = b}},
                         b, direct);
}

TEST(BlockedConvolution, OneFilterPerChannel) {
    for (const std::int64_t b : {8, 16}) {
        std::vector<BlockedConvolutionCase> cases;
        for (std::int64_t size = 1; size <= 40; ++size)
            for (std::int64_t stride : {1, 2, 3}) {
                const std::int64_t kernel = 3 + 2 * (size % 2), pad = kernel / 2;
                cases.push_back({.channels = 2 * b,
                                 .height = 3 + size % 4,
                                 .width = size,
                                 .filters = 2 * b,
                                 .kernel_height = kernel,
                                 .kernel_width = kernel,
                                 .strides = {stride, stride},
                                 .pads = {pad, pad, pad, pad},
                                 .group = 2 * b,
                                 .has_bias = size % 3 != 0,
                                 .activation = "Clip",
                                 .parameters = {0, 6}});
            }
        for (std::int64_t kernel : {1, 2, 3, 4, 7})
            for (std::int64_t dilation : {1, 2, 3})
                cases.push_back({.images = 2,
                                 .channels = b,
                                 .height = 13,
                                 .width = 14,
                                 .filters = b,
                                 .kernel_height = kernel,
                                 .kernel_width = kernel,
                                 .pads = {2 * dilation, 1, 0, 3 * dilation},
                                 .dilations = {dilation, dilation},
                                 .group = b,
                                 .has_sum = kernel % 2 == 0,
                                 .activation = "Relu"});
        cases.push_back({.images = 3,
                         .channels = 4 * b,
                         .height = 5,
                         .width = 3,
                         .filters = 4 * b,
                         .group = 4 * b,
                         .has_bias = false,
                         .activation = "Sigmoid"});
        cases.push_back({.channels = b,
                         .height = 2,
                         .width = 3,
                         .filters = b,
                         .kernel_height = 3,
                         .kernel_width = 3,
                         .pads = {5, 4, 3, 6},
                         .dilations = {2, 3},
                         .group = b});
        cases.push_back({.channels = b,
                         .height = 70,
                         .width = 9,
                         .filters = b,
                         .kernel_height = 5,
                         .kernel_width = 3,
                         .pads = {2, 1, 2, 1},
                         .group = b,
                         .has_sum = true});
        check_everywhere(cases, b, "convolution.depthwise");
    }
}

}  // namespace
}  // namespace lapidary::test
