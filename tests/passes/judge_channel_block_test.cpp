// SPDX-License-Identifier: Apache-2.0
// Files in ONNX Runtime's layout that do not state their block: it follows from shapes and weights,
// or loading leaves it open.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/passes/optimize.h>

#include "ops/channel_block.h"
#include "ops/judge_channel_block.h"
#include "support/pass_harness.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

/// Two convolutions of whole blocks either way. `spread`: how unlike the weights of output channels
/// are.
Model convolutions(double spread, std::int64_t last_channels = 64) {
    const std::string last = std::to_string(last_channels);
    Model model = test::model_of(
        "(x: f32[1,3,8,8]) -> (y)\n"
        "a = Conv(x, w: f32[64,3,3,3]) {pads: [1,1,1,1]}\n"
        "b = Relu(a)\n"
        "c = Conv(b, v: f32[128,64,3,3]) {pads: [1,1,1,1]}\n"
        "d = Relu(c)\n"
        "e = Conv(d, u: f32[" +
        last +
        ",128,1,1])\n"
        "y = Relu(e)");
    GraphEdit edit(model.graph);
    for (const char* name : {"w", "v", "u"}) {
        const ValueId id = model.graph.find_value(name);
        Tensor weights = model.graph.value(id).constant->clone();
        const auto row = static_cast<std::size_t>(weights.size() / weights.dim(0));
        for (std::size_t i = 0; float& value : weights.mutable_data<float>()) {
            const std::size_t channel = i++ / row;
            const auto size =
                static_cast<double>(channel * 37 % 64) / 32 - 1;  // of channels 8 apart, unlike
            value *= static_cast<float>(std::exp(spread * size));
        }
        edit.set_constant(id, weights);
    }
    return model;
}

/// Laid out for that block, which the file does not state, saved and loaded.
Model loaded(const Model& model, std::int64_t block, const TemporaryFolder& folder) {
    OptimizeOptions options;
    options.level = Level::all;
    options.channel_block = block;
    Model laid_out = optimize(model, options).model;
    EXPECT_EQ(channel_block_of(laid_out), block);
    std::erase_if(laid_out.metadata,
                  [](const auto& entry) { return entry.first.starts_with("lapidary."); });
    save_model(laid_out, folder / "laid_out.onnx");
    return load_model(folder / "laid_out.onnx");
}

bool is_reported(const Model& model) {
    return std::ranges::any_of(model.warnings, [](const Warning& w) {
        return w.message.find("the file does not say which: taken as") != std::string::npos;
    });
}

TEST(JudgeChannelBlock, UnlikeChannelsShowTheBlock) {
    const Model model = convolutions(1);
    for (const std::int64_t block : {8, 16}) {
        const TemporaryFolder folder;
        const Model found = loaded(model, block, folder);
        ASSERT_EQ(channel_block_problem(found), "") << block;
        EXPECT_EQ(channel_block_of(found), block);
        EXPECT_TRUE(is_reported(found));
        EXPECT_EQ(test::compare_runs(model, found, {1e-4, 1e-4}), "") << block;
    }
}

TEST(JudgeChannelBlock, FilledChannelsShowTheBlock) {
    for (const std::int64_t block : {8, 16}) {
        const TemporaryFolder folder;
        // 28 channels take 4 blocks of 8, 2 of 16, each 32 channels.
        const Model found = loaded(convolutions(0, 28), block, folder);
        EXPECT_EQ(judge_channel_block(found).block, block);
        EXPECT_EQ(channel_block_of(found), block);
    }
}

TEST(JudgeChannelBlock, ABlockThatNothingShowsStaysOpen) {
    for (const std::int64_t block : {8, 16}) {
        const TemporaryFolder folder;
        const Model found = loaded(convolutions(0), block, folder);
        EXPECT_EQ(judge_channel_block(found).block, 0);
        EXPECT_NE(channel_block_problem(found), "");
        EXPECT_FALSE(is_reported(found));
        LoadOptions stated;
        stated.channel_block = block;
        EXPECT_EQ(channel_block_of(load_model(folder / "laid_out.onnx", stated)), block);
    }
}

/// The same convolutions with `weight(number of the kernel, row, column)` for every weight.
Model convolutions_of(float (*weight)(std::uint64_t kernel, int y, int x)) {
    Model model = convolutions(0);
    GraphEdit edit(model.graph);
    for (const char* name : {"w", "v", "u"}) {
        const ValueId id = model.graph.find_value(name);
        Tensor weights = model.graph.value(id).constant->clone();
        const auto columns = static_cast<std::size_t>(weights.dim(3)), taps = columns * columns;
        const auto values = weights.mutable_data<float>();
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = weight(i / taps, static_cast<int>(i % taps / columns),
                               static_cast<int>(i % columns));
        edit.set_constant(id, weights);
    }
    return model;
}

/// 1 or -1, pseudo-random.
float sign_of(std::uint64_t number) {
    number = (number + 1) * 0x9e3779b97f4a7c15ull;
    return ((number ^ number >> 29) * 0xbf58476d1ce4e5b9ull >> 40) % 2 == 0 ? 1.0f : -1.0f;
}

TEST(JudgeChannelBlock, NeighboursInAKernelShowTheBlock) {
    // Slopes in all directions, of the same size in every channel.
    const Model model = convolutions_of([](std::uint64_t kernel, int y, int x) {
        const float across = static_cast<float>(x - 1), down = static_cast<float>(y - 1);
        return 0.02f * (sign_of(2 * kernel) * across + sign_of(2 * kernel + 1) * down);
    });
    for (const std::int64_t block : {8, 16}) {
        const TemporaryFolder folder;
        const Model found = loaded(model, block, folder);
        ASSERT_EQ(judge_channel_block(found).block, block);
        EXPECT_NE(judge_channel_block(found).reason.find("beside each other"), std::string::npos)
            << judge_channel_block(found).reason;
        EXPECT_EQ(test::compare_runs(model, found, {1e-4, 1e-4}), "") << block;
    }
}

TEST(JudgeChannelBlock, WeightsThatAreTheSameEitherWayNeedNoAnswer) {
    const Model model = convolutions_of([](std::uint64_t, int, int) { return 0.01f; });
    for (const std::int64_t block : {8, 16}) {
        const TemporaryFolder folder;
        const Model found = loaded(model, block, folder);
        ASSERT_EQ(channel_block_problem(found), "") << block;
        EXPECT_TRUE(is_reported(found));
        EXPECT_EQ(test::compare_runs(model, found, {1e-4, 1e-4}), "") << block;
    }
}

// A reader or writer outside the layout's operators sees another order of channels.
TEST(JudgeChannelBlock, ValuesInBlocksThatLeaveTheLayoutStayOpen) {
    const std::string ones = "w: f32[32,32,1,1]";
    const auto block_of = [](const std::string& text) {
        Model model = test::model_of(text);
        GraphEdit edit(model.graph);
        const ValueId id = model.graph.find_value("w");
        Tensor weights = model.graph.value(id).constant->clone();
        std::ranges::fill(weights.mutable_data<float>(), 1.0f);
        edit.set_constant(id, weights);
        return judge_channel_block(model).block;
    };
    EXPECT_EQ(block_of("(x: f32[1,32,4,4]) -> (y)\n"
                       "r = com.microsoft.nchwc::ReorderInput@1(x)\n"
                       "a = com.microsoft.nchwc::Conv@1(r, " +
                       ones +
                       ")\n"
                       "y = com.microsoft.nchwc::ReorderOutput@1(a) {channels: 32}"),
              cpu_channel_block());
    EXPECT_EQ(block_of("(x: f32[1,32,4,4]) -> (y)\n"
                       "a = com.microsoft.nchwc::Conv@1(x, " +
                       ones +
                       ")\n"
                       "y = com.microsoft.nchwc::ReorderOutput@1(a) {channels: 32}"),
              0);
    EXPECT_EQ(block_of("(x: f32[1,32,4,4]) -> (y)\n"
                       "r = com.microsoft.nchwc::ReorderInput@1(x)\n"
                       "y = com.microsoft.nchwc::Conv@1(r, " +
                       ones + ")"),
              0);
    EXPECT_EQ(block_of("(x: f32[1,32,4,4]) -> (y)\n"
                       "r = com.microsoft.nchwc::ReorderInput@1(x)\n"
                       "a = com.microsoft.nchwc::Conv@1(r, " +
                       ones +
                       ")\n"
                       "b = Reshape(a, s: i64[4]{1,16,8,4})\n"
                       "y = com.microsoft.nchwc::ReorderOutput@1(a) {channels: 32}\n"
                       "z = Relu(b)"),
              0);
}

// A convolution of fewer channels than a block reads them in plain order, one of a block or more
// never does.
TEST(ChannelBlock, WhereAConvolutionReadsItsInputFromShowsTheBlock) {
    Model plain = test::model_of(
        "(x: f32[1,64,4,4]) -> (y)\n"
        "r = com.microsoft.nchwc::ReorderInput@1(x)\n"
        "c = com.microsoft.nchwc::Conv@1(r, v: f32[16,64,1,1])\n"
        "p = com.microsoft.nchwc::ReorderOutput@1(c) {channels: 8}\n"
        "a = com.microsoft.nchwc::Conv@1(p, w: f32[32,8,1,1])\n"
        "y = com.microsoft.nchwc::ReorderOutput@1(a) {channels: 32}");
    EXPECT_EQ(channel_block_of(plain), 16);
    // An input may be in blocks, where a part was cut out of a model.
    Model part = test::model_of(
        "(x: f32[1,16,4,4]) -> (y)\n"
        "a = com.microsoft.nchwc::Conv@1(x, w: f32[32,16,1,1])\n"
        "y = com.microsoft.nchwc::ReorderOutput@1(a) {channels: 32}");
    EXPECT_NE(channel_block_problem(part).find("every shape in the file allows both"),
              std::string::npos)
        << channel_block_problem(part);
    Model blocked = test::model_of(
        "(x: f32[1,8,4,4]) -> (y)\n"
        "r = com.microsoft.nchwc::ReorderInput@1(x)\n"
        "a = com.microsoft.nchwc::Conv@1(r, w: f32[32,8,1,1])\n"
        "y = com.microsoft.nchwc::ReorderOutput@1(a) {channels: 32}");
    EXPECT_EQ(channel_block_of(blocked), 8);
    Model grouped = test::model_of(
        "(x: f32[1,48,4,4]) -> (y)\n"
        "r = com.microsoft.nchwc::ReorderInput@1(x)\n"
        "a = com.microsoft.nchwc::Conv@1(r, w: f32[48,24,1,1]) {group: 2}\n"
        "y = com.microsoft.nchwc::ReorderOutput@1(a) {channels: 48}");
    EXPECT_EQ(channel_block_of(grouped), 8);
    // What passed a Reshape may be in any order: ONNX Runtime writes reorderings so.
    Model reshaped = test::model_of(
        "(x: f32[1,64,4]) -> (y)\n"
        "r = Reshape(x, s: i64[4]{1,64,2,2})\n"
        "a = com.microsoft.nchwc::Conv@1(r, w: f32[64,64,1,1])\n"
        "y = com.microsoft.nchwc::ReorderOutput@1(a) {channels: 64}");
    EXPECT_NE(channel_block_problem(reshaped), "");
}

}  // namespace
}  // namespace lapidary
