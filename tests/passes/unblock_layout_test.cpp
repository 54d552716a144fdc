// SPDX-License-Identifier: Apache-2.0
// The blocked layout and back: every fixture of block_channels, and what only other writers make.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/passes/optimize.h>

#include "graph/verify.h"
#include "ops/channel_block.h"
#include "passes/layout/unblock_layout.h"
#include "support/pass_harness.h"
#include "support/test_data.h"

namespace lapidary::test {
namespace {

bool has_blocked(const Model& model) { return channel_block_of(model) != 0; }

class UnblockFixture : public testing::TestWithParam<PassCase> {};

TEST_P(UnblockFixture, UndoesBlockChannels) {
    const PassCase& c = GetParam();
    const Model before = model_of(c.before, c.opset);
    OptimizeOptions options;
    options.level = Level::all;
    options.only_passes = {"block_channels"};
    options.channel_block = c.block;
    Model model = optimize(before, options).model;
    const bool was_blocked = has_blocked(model);
    EXPECT_EQ(unblock_layout(model).empty(), !was_blocked);
    EXPECT_FALSE(has_blocked(model));
    EXPECT_TRUE(model.metadata.empty());
    EXPECT_FALSE(model.opset_imports.contains(std::string(nchwc_domain)));
    verify(model);
    EXPECT_EQ(compare_runs(before, model, {1e-4, 1e-4}, 1, c.dimensions), "");
    EXPECT_EQ(unblock_layout(model), "");
    for (ValueId v : before.graph.outputs())
        EXPECT_EQ(model.graph.value(model.graph.find_value(before.graph.value(v).name)).type,
                  before.graph.value(v).type);
}

INSTANTIATE_TEST_SUITE_P(Fixtures, UnblockFixture,
                         testing::ValuesIn(read_pass_cases(fixtures_folder() / "passes" /
                                                           "layout")),
                         [](const auto& info) { return "case" + std::to_string(info.index); });

/// What block_channels makes of `before` with these blocks, undone.
std::string there_and_back(const char* before, int block) {
    OptimizeOptions options;
    options.level = Level::all;
    options.only_passes = {"block_channels"};
    options.channel_block = block;
    Model model = optimize(model_of(before), options).model;
    EXPECT_TRUE(has_blocked(model));
    unblock_layout(model);
    return structure_of(model.graph);
}

TEST(UnblockLayout, GivesTheSameGraph) {
    for (const char* text : {
             "(x: f32[1,3,12,12]) -> (y)\nc = Conv(x, w: f32[12,3,3,3], b: f32[12])\nr = "
             "Relu(c)\nm = MaxPool(r) "
             "{kernel_shape: [2,2]}\nd = Conv(m, v: f32[20,12,3,3])\ns = Sigmoid(d)\ny = Conv(s, "
             "u: f32[8,20,3,3])",
             "(x: f32[1,12,8,8]) -> (y)\nc = Conv(x, w: f32[12,1,3,3], b: f32[12]) {group: 12, "
             "pads: [1,1,1,1]}\na = "
             "Add(c, x)\ny = Conv(a, v: f32[16,12,3,3])",
             "(x: f32[n,3,16,16]) -> (y)\nc = Conv(x, w: f32[28,3,3,3])\ng = GlobalMaxPool(c)\nh = "
             "Conv(g, v: "
             "f32[8,28,1,1])\ne = Conv(h, u: f32[28,8,1,1])\ns = Sigmoid(e)\nm = Mul(s, c)\ny = "
             "Conv(m, t: "
             "f32[16,28,3,3])",
             "(x: f32[1,3,16,16]) -> (y)\nc = Conv(x, w: f32[28,3,3,3])\ng = GlobalMaxPool(c)\nh = "
             "Conv(g, v: "
             "f32[8,28,1,1])\ne = Conv(h, u: f32[28,8,1,1])\ns = Sigmoid(e)\nm = Mul(c, s)\ny = "
             "Conv(m, t: "
             "f32[16,28,3,3])",
             "(x: f32[1,3,16,16]) -> (y)\nc = Conv(x, w: f32[16,3,3,3])\nd = Conv(x, v: "
             "f32[12,3,3,3])\nj = Concat(c, "
             "d) {axis: 1}\ny = Conv(j, u: f32[8,28,3,3])",
             "(x: f32[1,9,9,12]) -> (y)\nt = Transpose(x) {perm: [0,3,1,2]}\nc = Conv(t, w: "
             "f32[12,12,3,3])\ny = "
             "Transpose(c) {perm: [0,2,3,1]}",
         })
        for (int block : {8, 16}) {
            SCOPED_TRACE(text);
            EXPECT_EQ(there_and_back(text, block), structure_of(model_of(text).graph)) << block;
        }
}

TEST(UnblockLayout, RefusesWhatHasNoPlainForm) {
    const auto refusal = [](const char* text) {
        Model model = model_of(text);
        state_channel_block(model, 8);  // no shape shows the block
        try {
            unblock_layout(model);
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::not_supported);
            EXPECT_TRUE(has_blocked(model)) << "the model must stay as it was";
            return std::string(error.what());
        }
        return std::string("no refusal");
    };
    EXPECT_NE(refusal("(x: f32[1,16,4,4], w: f32[16,16,1,1]) -> (y)\nr = "
                      "com.microsoft.nchwc::ReorderInput(x)\nc = "
                      "com.microsoft.nchwc::Conv(r, w)\ny = com.microsoft.nchwc::ReorderOutput(c) "
                      "{channels: 16}")
                  .find("its weight is no constant"),
              std::string::npos);
    // Only a depthwise weight of one tap, neither padded nor strided, may be computed: it is a
    // factor.
    constexpr std::pair<const char*, const char*> no_factors[] = {
        {"16,1,1,1", "group: 8"},
        {"16,2,1,1", "group: 16"},
        {"16,1,3,1", "group: 16"},
        {"16,1,1,3", "group: 16"},
        {"16,1,1,1", "group: 16, pads: [1,1,1,1]"},
        {"16,1,1,1", "group: 16, strides: [2,2]"}};
    for (const auto& [weight, attributes] : no_factors) {
        const std::string text = fmt::format(
            "(x: f32[1,16,4,4], w: f32[{}]) -> (y)\n"
            "r = com.microsoft.nchwc::ReorderInput(x)\n"
            "c = com.microsoft.nchwc::Conv(r, w) {{{}}}\n"
            "y = com.microsoft.nchwc::ReorderOutput(c) {{channels: 16}}",
            weight, attributes);
        EXPECT_NE(refusal(text.c_str()).find("its weight is no constant"), std::string::npos)
            << text;
    }
    EXPECT_NE(refusal("(x: f32[1,16,4,4]) -> (y)\nr = com.microsoft.nchwc::ReorderInput(x)\ns = "
                      "Softmax(r) {axis: "
                      "1}\ny = com.microsoft.nchwc::ReorderOutput(s) {channels: 16}")
                  .find("(Softmax): it reads blocked channels"),
              std::string::npos);
    EXPECT_NE(refusal("(x: f32[1,16,4,4]) -> (r)\nr = com.microsoft.nchwc::ReorderInput(x)")
                  .find("leaves its graph"),
              std::string::npos);
    EXPECT_NE(refusal("(x: f32[1,c,4,4]) -> (y)\nr = com.microsoft.nchwc::ReorderInput(x)\ny = "
                      "com.microsoft.nchwc::ReorderOutput(r) {channels: 16}")
                  .find("the channels of \"x\" are not known"),
              std::string::npos);
}

/// Filled channels that an operator reads, reorders that drop channels, two readers in plain order.
TEST(UnblockLayout, KeepsReordersThatChangeValues) {
    for (const char* text : {
             "(x: f32[1,12,4,4]) -> (y)\nr = com.microsoft.nchwc::ReorderInput(x)\nc = "
             "com.microsoft.nchwc::Conv(r, w: "
             "f32[16,16,1,1], b: f32[16], r)\ny = com.microsoft.nchwc::ReorderOutput(c) {channels: "
             "16}",
             "(x: f32[1,16,4,4]) -> (y, z)\nr = com.microsoft.nchwc::ReorderInput(x)\nc = "
             "com.microsoft.nchwc::Conv(r, "
             "w: f32[16,16,1,1]) {activation: \"HardSwish\"}\ny = "
             "com.microsoft.nchwc::ReorderOutput(c) {channels: "
             "9}\nz = com.microsoft.nchwc::ReorderOutput(c) {channels: 5, channels_last: 1}",
             "(x: f32[1,16,4,4], b: f32[16]) -> (y)\nr = com.microsoft.nchwc::ReorderInput(x)\nc = "
             "com.microsoft.nchwc::Conv(r, w: f32[16,16,1,1], b)\ny = "
             "com.microsoft.nchwc::ReorderOutput(c) {channels: "
             "13}",
             "(x: f32[1,16,4,4]) -> (y, z)\nr = com.microsoft.nchwc::ReorderInput(x)\nc = "
             "com.microsoft.nchwc::Conv(r, "
             "w: f32[16,16,1,1])\ny = com.microsoft.nchwc::ReorderOutput(c) {channels: 16}\nz = "
             "com.microsoft.nchwc::ReorderOutput(c) {channels: 16}",
         }) {
        SCOPED_TRACE(text);
        Model before = model_of(text);
        before.metadata = {{std::string(channel_block_key), "8"}};
        Model after = before;
        EXPECT_NE(unblock_layout(after), "");
        verify(after);
        EXPECT_EQ(compare_runs(before, after, {1e-5, 1e-5}), "");
    }
}

}  // namespace
}  // namespace lapidary::test
