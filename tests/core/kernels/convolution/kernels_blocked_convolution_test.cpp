// SPDX-License-Identifier: Apache-2.0
// The vector kernels of com.microsoft.nchwc::Conv against the reference kernel, on every
// instruction set.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include <lapidary/base/error.h>

#include "support/kernel_harness.h"
#include "tensor/channel_blocks.h"

namespace lapidary::test {
namespace {

using F = std::vector<float>;

Tensor noise(Shape shape, unsigned seed) {
    F values(static_cast<std::size_t>(element_count(shape)));
    for (float& v : values) {
        seed = seed * 1664525u + 1013904223u;
        v = static_cast<float>(seed >> 8) / static_cast<float>(1u << 23) - 1;
    }
    return Tensor::of(std::move(shape), values);
}

/// The blocked weight as one that is nowhere yet, in the parts that blocked_weight() has.
Tensor deferred(const Tensor& w, std::int64_t block) {
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
struct Case {
    std::int64_t images = 1, channels, height, width, filters, kernel_height = 1, kernel_width = 1;
    std::vector<std::int64_t> strides = {1, 1}, pads = {0, 0, 0, 0}, dilations = {1, 1};
    std::int64_t group = 1;
    bool has_bias = true, has_sum = false;
    std::string activation = {};
    F parameters = {};
    std::string auto_pad = {};

    std::string text() const {
        std::string s = to_string(Shape{images, channels, height, width}) + " by " +
                        to_string(Shape{filters, channels / group, kernel_height, kernel_width});
        return s + " strides " + to_string(strides) + " pads " + to_string(pads) + " dilations " +
               to_string(dilations) + " group " + std::to_string(group) + " " + activation +
               auto_pad;
    }
};

/// Sums of products of numbers below 1 in another order: rounding of partial sums, which are as
/// large as some square roots of terms.
void expect_same(const Case& c, const Tensor& found, const Tensor& expected) {
    ASSERT_EQ(found.shape(), expected.shape());
    const double terms =
        static_cast<double>(c.channels / c.group * c.kernel_height * c.kernel_width);
    const double tolerance = 1e-6 + 4e-8 * terms;
    const auto x = found.data<float>(), y = expected.data<float>();
    for (std::size_t i = 0; i < x.size(); ++i)
        ASSERT_NEAR(x[i], y[i], tolerance * std::max(1.0f, std::abs(y[i]))) << "element " << i;
}

void check(const Case& c, std::int64_t block, const char* kernel) {
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

void check_everywhere(const std::vector<Case>& cases, std::int64_t block, const char* kernel) {
    for_each_isa([&](Isa isa) {
        SCOPED_TRACE(std::string(name_of(isa)));
        for (const Case& c : cases) {
            check(c, block, kernel);
            if (testing::Test::HasFatalFailure()) return;
        }
    });
}

constexpr const char* direct = "convolution.direct";

TEST(BlockedConvolution, PointwiseOfEverySize) {
    for (const std::int64_t b : {8, 16}) {
        std::vector<Case> cases;
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

TEST(BlockedConvolution, WindowsOfEverySizeOfImage) {
    for (const std::int64_t b : {8, 16}) {
        std::vector<Case> cases;
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
        std::vector<Case> cases;
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

// What is pointwise along one axis, or but for stride or padding.
TEST(BlockedConvolution, NearlyPointwise) {
    for (const std::int64_t b : {8, 16}) {
        std::vector<Case> cases;
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

TEST(BlockedConvolution, ActivationsAfterSums) {
    const std::pair<const char*, F> activations[] = {
        {"Relu", {}}, {"Clip", {-0.25f, 0.5f}},     {"LeakyRelu", {0.3f}}, {"Sigmoid", {}},
        {"Tanh", {}}, {"HardSigmoid", {0.3f, 0.4f}}};
    for (const std::int64_t b : {8, 16}) {
        std::vector<Case> cases;
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

/// More weights than stay in a cache: outputs hold what the first inputs gave until the others are
/// added.
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
        std::vector<Case> cases;
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

TEST(BlockedConvolution, OneFilterPerChannel) {
    for (const std::int64_t b : {8, 16}) {
        std::vector<Case> cases;
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

/// What is no number stays none through the bounds of Relu and Clip, whatever the instruction set
/// makes of the larger of it and 0.
TEST(BlockedConvolution, BoundsKeepWhatIsNoNumber) {
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
