// SPDX-License-Identifier: Apache-2.0
// Operators on blocked channels against the plain ones, through reorders, for several block sizes.
#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/exec/session.h>

#include "kernels/convolution/blocked_weight.h"
#include "ops/channel_block.h"
#include "support/kernel_harness.h"
#include "tensor/channel_blocks.h"

namespace lapidary::test {
namespace {

using F = std::vector<float>;

/// Values that look random but are the same each time.
Tensor noise(Shape shape, unsigned seed) {
    F values(static_cast<std::size_t>(element_count(shape)));
    for (float& v : values) {
        seed = seed * 1664525u + 1013904223u;
        v = static_cast<float>(seed >> 8) / static_cast<float>(1u << 23) - 1;
    }
    return Tensor::of(std::move(shape), values);
}

void expect_near(const Tensor& a, const Tensor& b, float tolerance = 2e-5f) {
    ASSERT_EQ(a.shape(), b.shape());
    const auto x = a.data<float>(), y = b.data<float>();
    for (std::size_t i = 0; i < x.size(); ++i)
        ASSERT_NEAR(x[i], y[i], tolerance) << "element " << i;
}

Tensor run_blocked(const char* op, std::int64_t block, std::vector<RuntimeValue> inputs,
                   std::vector<Attribute> attributes = {}) {
    attributes.push_back(attribute("channel_block", AttributeValue(block)));
    return run_kernel_tensor("com.microsoft.nchwc", op, 1, std::move(inputs),
                             std::move(attributes));
}

Tensor to_blocks(const Tensor& x, std::int64_t block) {
    return run_blocked("ReorderInput", block, {x});
}
Tensor from_blocks(const Tensor& x, std::int64_t channels, std::int64_t block) {
    return run_blocked("ReorderOutput", block, {x},
                       {attribute("channels", AttributeValue(channels))});
}

struct ConvCase {
    const char* name;
    Shape x, w;
    std::vector<Attribute> attributes = {};
    bool has_bias = true, has_sum = false;
    std::string activation = {};
    F parameters = {};
};

std::vector<ConvCase> conv_cases() {
    return {
        {"few input channels, read in plain order",
         {2, 3, 7, 6},
         {20, 3, 3, 3},
         {attribute("pads", ints({1, 1, 1, 1}))}},
        {"input and filter tails",
         {1, 20, 6, 5},
         {18, 20, 3, 2},
         {attribute("strides", ints({2, 1}))}},
        {"no bias, dilated",
         {1, 16, 9, 9},
         {16, 16, 3, 3},
         {attribute("dilations", ints({2, 3})), attribute("pads", ints({2, 0, 1, 3}))},
         false},
        {"same padding",
         {1, 16, 7, 7},
         {32, 16, 3, 3},
         {attribute("auto_pad", "SAME_LOWER"), attribute("strides", ints({2, 2}))}},
        {"pointwise", {2, 32, 4, 3}, {24, 32, 1, 1}},
        {"depthwise with a tail",
         {1, 20, 6, 6},
         {20, 1, 3, 3},
         {attribute("group", 20), attribute("pads", ints({1, 1, 1, 1}))}},
        {"groups", {2, 32, 5, 5}, {48, 16, 3, 3}, {attribute("group", 2)}, true, false, "Relu"},
        {"sum", {1, 16, 5, 5}, {20, 16, 3, 3}, {}, true, true},
        {"sum before the activation", {1, 4, 5, 5}, {16, 4, 3, 3}, {}, true, true, "Relu"},
        {"sigmoid, whose fill is not zero",
         {1, 3, 5, 5},
         {18, 3, 1, 1},
         {},
         true,
         false,
         "Sigmoid"},
        {"bounds", {1, 16, 5, 5}, {16, 16, 1, 1}, {}, true, false, "Clip", {-0.25f, 0.5f}},
        {"leak", {1, 16, 5, 5}, {16, 16, 1, 1}, {}, false, true, "LeakyRelu", {0.3f}},
        {"no images", {0, 16, 5, 5}, {16, 16, 1, 1}, {}, true, false, "Tanh"},
    };
}

Tensor plain_conv(const ConvCase& c, const Tensor& x, const Tensor& w, const Tensor& bias,
                  const Tensor& sum) {
    std::vector<RuntimeValue> inputs{x, w};
    if (bias) inputs.emplace_back(bias);
    Tensor y = run_kernel_tensor("", "Conv", 11, inputs, c.attributes);
    if (sum) y = run_kernel_tensor("", "Add", 14, {y, sum});
    if (c.activation == "Clip")
        return run_kernel_tensor(
            "", "Clip", 6, {y},
            {attribute("min", c.parameters[0]), attribute("max", c.parameters[1])});
    if (c.activation == "LeakyRelu")
        return run_kernel_tensor("", "LeakyRelu", 6, {y}, {attribute("alpha", c.parameters[0])});
    return c.activation.empty() ? y : run_kernel_tensor("", c.activation, 13, {y});
}

TEST(BlockedKernels, ConvolutionEqualsPlainConvolution) {
    for (const std::int64_t block : {std::int64_t{4}, std::int64_t{8}, std::int64_t{16}})
        for (const ConvCase& c : conv_cases()) {
            SCOPED_TRACE(std::string(c.name) + ", blocks of " + std::to_string(block));
            const Tensor x = noise(c.x, 1), w = noise(c.w, 2),
                         bias = c.has_bias ? noise({c.w[0]}, 3) : Tensor();
            ConvCase bare = c;
            bare.activation.clear();
            const Tensor sum =
                c.has_sum ? noise(plain_conv(bare, x, w, bias, {}).shape(), 4) : Tensor();
            const Tensor expected = plain_conv(c, x, w, bias, sum);

            std::vector<Attribute> attributes = c.attributes;
            std::int64_t group = 1;
            for (Attribute& a : attributes)
                if (a.name == "group") group = std::get<std::int64_t>(a.value);
            const bool is_depthwise = group > 1 && c.w[1] == 1,
                       reads_plain = group == 1 && c.x[1] < block;
            for (Attribute& a : attributes)
                if (a.name == "group" && is_depthwise) a.value = rounded_to_block(group, block);
            if (!c.activation.empty())
                attributes.push_back(attribute("activation", c.activation.c_str()));
            if (!c.parameters.empty())
                attributes.push_back(attribute("activation_params", floats(c.parameters)));
            std::vector<RuntimeValue> inputs{
                reads_plain ? x : to_blocks(x, block),
                blocked_weight(w, block, !reads_plain && !is_depthwise)};
            inputs.emplace_back(bias ? RuntimeValue(filled_to_block(bias, block)) : RuntimeValue());
            if (sum) inputs.emplace_back(to_blocks(sum, block));
            const Tensor y = run_blocked("Conv", block, inputs, attributes);
            EXPECT_EQ(y.dim(1), rounded_to_block(c.w[0], block));
            expect_near(from_blocks(y, c.w[0], block), expected);
        }
}

TEST(BlockedKernels, PoolsEqualPlainPools) {
    struct Case {
        const char* op;
        std::vector<Attribute> attributes;
    };
    const std::vector<Case> cases{
        {"MaxPool",
         {attribute("kernel_shape", ints({3, 2})), attribute("strides", ints({2, 2})),
          attribute("pads", ints({1, 0, 1, 1}))}},
        {"MaxPool",
         {attribute("kernel_shape", ints({2, 2})), attribute("strides", ints({3, 3})),
          attribute("ceil_mode", 1), attribute("dilations", ints({2, 1}))}},
        {"AveragePool",
         {attribute("kernel_shape", ints({3, 3})), attribute("pads", ints({1, 1, 1, 1}))}},
        {"AveragePool",
         {attribute("kernel_shape", ints({3, 3})), attribute("pads", ints({1, 1, 1, 1})),
          attribute("count_include_pad", 1)}},
        {"AveragePool",
         {attribute("kernel_shape", ints({2, 2})), attribute("auto_pad", "SAME_UPPER"),
          attribute("strides", ints({2, 2}))}},
        {"GlobalMaxPool", {}},
        {"GlobalAveragePool", {}},
    };
    const Tensor x = noise({2, 20, 7, 8}, 7);
    for (const std::int64_t block : {std::int64_t{4}, std::int64_t{8}, std::int64_t{16}})
        for (const Case& c : cases) {
            SCOPED_TRACE(std::string(c.op) + ", blocks of " + std::to_string(block));
            const Tensor y = run_blocked(c.op, block, {to_blocks(x, block)}, c.attributes);
            expect_near(from_blocks(y, 20, block),
                        run_kernel_tensor("", c.op, 12, {x}, c.attributes));
        }
}

TEST(BlockedKernels, UpsampleEqualsResize) {
    const Tensor x = noise({1, 12, 3, 4}, 8), scales = Tensor::of<float>({4}, {1, 1, 3, 2});
    const auto same = [&](const char* mode, const char* coordinates) {
        const Tensor y =
            run_blocked("Upsample", 8, {to_blocks(x, 8)},
                        {attribute("scales", ints({1, 1, 3, 2})), attribute("mode", mode),
                         attribute("coordinate_transformation_mode", coordinates)});
        expect_near(from_blocks(y, 12, 8),
                    run_kernel_tensor("", "Resize", 13, {x, RuntimeValue(), scales},
                                      {attribute("mode", mode),
                                       attribute("coordinate_transformation_mode", coordinates),
                                       attribute("nearest_mode", "floor")}));
    };
    same("nearest", "asymmetric");
    same("linear", "asymmetric");
    same("linear", "align_corners");
    same("linear", "half_pixel");
}

TEST(BlockedKernels, OrderOfElements) {
    const Tensor x = Tensor::of<float>({1, 3, 1, 2}, {1, 2, 3, 4, 5, 6});
    const Tensor blocked = to_blocks(x, 2);
    EXPECT_EQ(blocked.shape(), (Shape{1, 4, 1, 2}));
    EXPECT_EQ(values_of<float>(blocked), (F{1, 3, 2, 4, 5, 0, 6, 0}));
    EXPECT_EQ(values_of<float>(from_blocks(blocked, 3, 2)), (F{1, 2, 3, 4, 5, 6}));
    // Channels last.
    const Tensor last =
        run_kernel_tensor("", "Transpose", 13, {x}, {attribute("perm", ints({0, 2, 3, 1}))});
    EXPECT_EQ(
        values_of<float>(run_blocked("ReorderInput", 2, {last}, {attribute("channels_last", 1)})),
        (F{1, 3, 2, 4, 5, 0, 6, 0}));
    const Tensor back = run_blocked("ReorderOutput", 2, {blocked},
                                    {attribute("channels", 3), attribute("channels_last", 1)});
    EXPECT_EQ(back.shape(), (Shape{1, 1, 2, 3}));
    EXPECT_EQ(values_of<float>(back), values_of<float>(last));
    // Weights: two filters of three inputs, one tap.
    const Tensor w = Tensor::of<float>({2, 3, 1, 1}, {1, 2, 3, 4, 5, 6});
    EXPECT_EQ(values_of<float>(blocked_weight(w, 2, true)), (F{1, 4, 2, 5, 3, 6, 0, 0}));
    EXPECT_EQ(values_of<float>(blocked_weight(w, 2, false)), (F{1, 4, 2, 5, 3, 6}));
    EXPECT_EQ(values_of<float>(unblocked_weight(blocked_weight(w, 2, true), 2, true)),
              (F{1, 2, 3, 0, 4, 5, 6, 0}));
}

TEST(BlockedKernels, RefuseWhatDoesNotFit) {
    const Tensor w = noise({8, 8, 1, 1}, 1);
    EXPECT_THROW(run_blocked("MaxPool", 8, {noise({1, 12, 4, 4}, 1)},
                             {attribute("kernel_shape", ints({2, 2}))}),
                 Error);
    EXPECT_THROW(run_blocked("Conv", 8, {noise({1, 8, 4, 4}, 1), noise({12, 8, 1, 1}, 1)}), Error);
    EXPECT_THROW(
        run_blocked("Conv", 8, {noise({1, 8, 4, 4}, 1), w, RuntimeValue(), noise({1, 8, 4, 5}, 1)}),
        Error);
    EXPECT_THROW(
        run_blocked("Conv", 8, {noise({1, 8, 4, 4}, 1), w}, {attribute("activation", "Nonsense")}),
        Error);
    EXPECT_THROW(
        run_blocked("ReorderOutput", 8, {noise({1, 8, 4, 4}, 1)}, {attribute("channels", 9)}),
        Error);
    EXPECT_THROW(run_blocked("ReorderInput", 8, {noise({8, 4, 4}, 1)}), Error);
    EXPECT_THROW(run_blocked("Upsample", 8, {noise({1, 8, 4, 4}, 1)},
                             {attribute("scales", ints({1, 2, 2, 2}))}),
                 Error);
    EXPECT_THROW(run_blocked("MaxPool", 0, {noise({1, 8, 4, 4}, 1)},
                             {attribute("kernel_shape", ints({2, 2}))}),
                 Error);
}

Model model_from(const char* text) {
    Model model;
    model.opset_imports = {{"", 17}, {"com.microsoft.nchwc", 1}};
    model.graph = parse_graph(text);
    return model;
}

TEST(ChannelBlock, OfAModel) {
    Model plain = model_from("(x: f32[2]) -> (y)\ny = Relu(x)");
    EXPECT_EQ(channel_block_of(plain), 0);
    Model eight = model_from(
        "(x: f32[1,3,4,4]) -> (y)\nc = com.microsoft.nchwc::Conv@1(x, w: f32[24,3,1,1])\ny = "
        "com.microsoft.nchwc::ReorderOutput@1(c) {channels: 20}");
    EXPECT_EQ(channel_block_of(eight), 8);
    Model sixteen = model_from(
        "(x: f32[1,3,4,4]) -> (y)\nc = com.microsoft.nchwc::Conv@1(x, w: f32[16,3,1,1])\ny = "
        "com.microsoft.nchwc::ReorderOutput@1(c) {channels: 6}");
    EXPECT_EQ(channel_block_of(sixteen), 16);
    Model open =
        model_from("(x: f32[1,16,4,4]) -> (y)\ny = com.microsoft.nchwc::ReorderInput@1(x)");
    // this CPU's says nothing of the one it was saved on
    EXPECT_THROW(channel_block_of(open), Error);
    for (const std::int64_t block : {8, 16}) {
        Model stated = open;
        state_channel_block(stated, block);
        EXPECT_EQ(channel_block_of(stated), block);
        EXPECT_THROW(state_channel_block(block == 8 ? sixteen : eight, block), Error);
        EXPECT_THROW(state_channel_block(stated, 4), Error);
    }
    open.metadata = {{std::string(channel_block_key), "4"}};
    EXPECT_EQ(channel_block_of(open), 4);
    open.metadata = {{std::string(channel_block_key), "lots"}};
    EXPECT_THROW(channel_block_of(open), Error);
}

TEST(ChannelBlock, IsFoundFromWhatConvolutionsReadAndReordersGive) {
    const auto block_of = [](const char* text) { return channel_block_of(model_from(text)); };
    // 20 channels are 24 or 32, found behind a pool and an addition
    EXPECT_EQ(
        block_of("(x: f32[1,3,4,4], z: f32[1,32,2,2]) -> (y)\nc = com.microsoft.nchwc::Conv@1(x, "
                 "w: f32[32,3,1,1])\n"
                 "p = com.microsoft.nchwc::MaxPool@1(c) {kernel_shape: [3,3]}\na = Add(p, z)\ny = "
                 "com.microsoft.nchwc::ReorderOutput@1(a) {channels: 20}"),
        16);
    EXPECT_EQ(block_of("(x: f32[1,20,4,4]) -> (y)\nr = com.microsoft.nchwc::ReorderInput@1(x)\nc = "
                       "com.microsoft.nchwc::Conv@1(r, w: f32[32,32,1,1])\n"
                       "y = com.microsoft.nchwc::ReorderOutput@1(c) {channels: 32}"),
              16);
    EXPECT_EQ(
        block_of(
            "(x: f32[1,12,4,4]) -> (y)\nc = com.microsoft.nchwc::Conv@1(x, w: f32[32,12,1,1])\ny = "
            "com.microsoft.nchwc::ReorderOutput@1(c) {channels: 32}"),
        16);
    EXPECT_EQ(block_of("(x: f32[1,24,4,4]) -> (y)\nr = com.microsoft.nchwc::ReorderInput@1(x)\nc = "
                       "com.microsoft.nchwc::Conv@1(r, w: f32[32,24,1,1])\n"
                       "y = com.microsoft.nchwc::ReorderOutput@1(c) {channels: 32}"),
              8);
    const Model neither = model_from(
        "(x: f32[1,3,4,4]) -> (y)\nc = com.microsoft.nchwc::Conv@1(x, w: f32[20,3,1,1])\ny = "
        "com.microsoft.nchwc::ReorderOutput@1(c) {channels: 20}");
    try {
        channel_block_of(neither);
        FAIL();
    } catch (const Error& error) { EXPECT_EQ(error.code(), ErrorCode::invalid_model); }
}

/// A file laid out for another CPU runs: kernels get the block of the model, inside subgraphs too.
TEST(ChannelBlock, ReachesKernelsOfSubgraphs) {
    Model model = model_from(
        "(x: f32[1,4,1,2], c: bool[]) -> (y)\ny = If(c) {then_branch: graph { () -> (b)\nr = "
        "com.microsoft.nchwc::ReorderInput@1(x)\nb = Identity(r) }, "
        "else_branch: graph { () -> (e)\ne = Identity(x) }}");
    model.metadata = {{std::string(channel_block_key), "2"}};
    Session session = Session::compile(std::make_shared<const Model>(model));
    Tensor c(DType::boolean, {});
    c.mutable_data<bool>()[0] = true;
    const auto result =
        session.run({{"x", Tensor::of<float>({1, 4, 1, 2}, {1, 2, 3, 4, 5, 6, 7, 8})}, {"c", c}});
    EXPECT_EQ(values_of<float>(result.outputs[0].second.tensor()), (F{1, 3, 2, 4, 5, 7, 6, 8}));
    EXPECT_FALSE(model.graph.node(model.graph.nodes()[0])
                     .graph_attribute("then_branch")
                     ->node(NodeId(0))
                     .has_attribute(channel_block_attribute));
}

}  // namespace
}  // namespace lapidary::test
