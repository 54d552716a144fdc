// SPDX-License-Identifier: Apache-2.0
// Kernels of images with channels last on the emulated device: ragged sizes, groups, windows of one
// to three axes, split sums, in four orders of threads and every arithmetic, against the reference
// kernels of the model before the pass.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <random>

#include <lapidary/passes/device_passes.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/ops/infer.h>
#include <lapidary/exec/placement.h>

#include "passes/session/channels_last_regions.h"
#include "plugins/cuda/emulated_provider.h"
#include "support/pass_harness.h"

namespace lapidary::test {
namespace {

struct Case {
    const char* name;
    const char* graph;
    int convolutions;  // with channels last
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

constexpr Case cases[] = {
    {"Ragged",
     "(x: f32[2,5,9,7]) -> (y)\na = Conv(x, w: f32[19,5,3,3], c: f32[19]) {pads: [1,1,1,1], "
     "strides: [1,2]}\n"
     "b = Conv(a, v: f32[24,19,1,1], d: f32[24])\ne = Relu(b)\nf = Conv(e, u: f32[40,24,3,3]) "
     "{pads: [1,1,1,1]}\n"
     "g = Conv(f, t: f32[40,1,3,3], s: f32[40]) {group: 40, pads: [1,1,1,1]}\n"
     "y = Conv(g, r: f32[9,40,5,2]) {pads: [2,0,1,1], dilations: [1,2]}",
     5},
    {"Split",
     "(x: f32[1,64,4,5]) -> (y)\na = Conv(x, w: f32[64,64,3,3], c: f32[64]) {pads: [1,1,1,1]}\nb = "
     "Add(a, x)\n"
     "d = Relu(b)\ny = Conv(d, v: f32[20,64,3,3], e: f32[20]) {pads: [1,1,1,1]}",
     2},
    {"Groups",
     "(x: f32[2,32,6,7]) -> (y)\na = Conv(x, w: f32[48,16,3,3]) {group: 2, pads: [1,1,1,1]}\n"
     "b = Conv(a, v: f32[24,24,2,3], c: f32[24]) {group: 2, strides: [2,1]}\ny = Conv(b, u: "
     "f32[6,8,1,1]) {group: 3}",
     3},
    {"Large",
     "(x: f32[1,8,12,13]) -> (y)\na = Conv(x, w: f32[72,8,3,3], c: f32[72]) {pads: [1,1,1,1]}\n"
     "y = Conv(a, v: f32[80,72,3,3]) {pads: [1,1,1,1]}",
     2},
    {"Line",
     "(x: f32[2,8,50]) -> (y)\na = Conv(x, w: f32[32,8,7]) {pads: [3,3]}\nb = MaxPool(a) "
     "{kernel_shape: [3], strides: "
     "[2]}\ny = Conv(b, v: f32[5,32,3])",
     2},
    {"Volume",
     "(x: f32[1,8,5,6,7]) -> (y)\na = Conv(x, w: f32[16,8,3,3,3]) {pads: [1,1,1,1,1,1]}\n"
     "b = AveragePool(a) {kernel_shape: [2,2,2], pads: [1,0,0,0,1,0], count_include_pad: 1}\n"
     "y = Conv(b, v: f32[8,16,2,2,2])",
     2},
    {"Decoder",
     "(x: f32[2,16,5,4]) -> (y)\na = Conv(x, w: f32[16,16,3,3]) {pads: [1,1,1,1]}\n"
     "b = ConvTranspose(a, u: f32[16,6,3,4], c: f32[12]) {group: 2, strides: [2,3], pads: "
     "[1,0,0,2], output_padding: "
     "[1,0]}\nd = Conv(b, v: f32[16,12,3,3]) {auto_pad: \"SAME_LOWER\"}\ne = Conv(d, t: "
     "f32[8,16,3,3])\n"
     "f = Resize(e, _, s: f32[4]{1.0,1.0,1.5,2.0}) {mode: \"linear\", "
     "coordinate_transformation_mode: "
     "\"align_corners\"}\ng = MaxPool(f) {kernel_shape: [3,2], ceil_mode: 1, strides: [2,2]}\ny = "
     "GlobalMaxPool(g)",
     3},
};

/// Convolutions of halves in whole pieces: pooled, of one channel in a group, split.
constexpr Case in_pieces[] = {
    {"Depthwise",
     "(x: f32[2,24,9,7]) -> (y)\na = Conv(x, w: f32[40,24,1,1], c: f32[40])\nb = Clip(a, l: "
     "f32[]{0}, h: f32[]{6})\n"
     "d = Conv(b, v: f32[40,1,3,3], e: f32[40]) {group: 40, pads: [1,1,1,1], strides: [2,1]}\n"
     "f = Clip(d, l: f32[]{0}, h: f32[]{6})\ny = Conv(f, u: f32[24,40,1,1], g: f32[24])",
     3},
    {"DepthwiseLargeDilated",
     "(x: f32[1,16,11,9]) -> (y)\na = Conv(x, w: f32[16,16,1,1])\n"
     "b = Conv(a, v: f32[16,1,5,5], c: f32[16]) {group: 16, pads: [4,2,4,2], dilations: [2,1]}\nd "
     "= Add(b, a)\n"
     "y = Conv(d, u: f32[8,16,1,1])",
     3},
    {"DepthwiseSwish",
     "(x: f32[1,16,6,8]) -> (y)\na = Conv(x, w: f32[16,1,3,3], c: f32[16]) {group: 16, pads: "
     "[1,1,1,1]}\n"
     "b = HardSwish(a)\nd = Conv(b, v: f32[24,16,1,1], e: f32[24])\nf = Sigmoid(d)\ng = Mul(d, f)\n"
     "y = Conv(g, u: f32[8,24,3,3])",
     3},
    {"Segmentation",
     "(x: f32[1,16,13,14]) -> (y)\na = Conv(x, w: f32[24,16,1,1], c: f32[24])\nb = HardSwish(a)\n"
     "d = Conv(b, v: f32[24,1,5,5], e: f32[24]) {group: 24, pads: [1,1,2,2], strides: [2,2]}\n"
     "g = GlobalAveragePool(d)\nh = Conv(g, u: f32[8,24,1,1], i: f32[8])\nj = Relu(h)\n"
     "k = Conv(j, t: f32[24,8,1,1])\nl = HardSigmoid(k)\nm = Mul(d, l)\nn = Conv(m, s: "
     "f32[16,24,1,1])\n"
     "o = Resize(n, _, z: f32[4]{1.0,1.0,2.0,2.0}) {mode: \"linear\"}\n"
     "p = Conv(o, r: f32[16,1,3,3]) {group: 16, pads: [1,1,1,1]}\n"
     "y = ConvTranspose(p, q: f32[16,8,2,2]) {strides: [2,2]}",
     6},
    {"DepthwiseVolume",
     "(x: f32[1,8,4,5,6]) -> (y)\na = Conv(x, w: f32[8,1,3,2,3]) {group: 8, pads: [1,1,1,1,0,1]}\n"
     "y = Conv(a, v: f32[16,8,1,1,1])",
     2},
    {"Pools",
     "(x: f32[2,16,13,11]) -> (y)\na = Conv(x, w: f32[24,16,3,3])\n"
     "b = MaxPool(a) {kernel_shape: [3,3], strides: [2,2], pads: [1,1,1,1]}\n"
     "c = MaxPool(b) {kernel_shape: [2,2], ceil_mode: 1, strides: [1,2]}\n"
     "d = AveragePool(c) {kernel_shape: [3,2], pads: [1,1,1,0], count_include_pad: 1}\n"
     "e = AveragePool(d) {kernel_shape: [2,3], pads: [1,1,0,1]}\n"
     "f = MaxPool(e) {kernel_shape: [2,5], dilations: [2,1], pads: [1,2,1,2]}\ny = Conv(f, v: "
     "f32[8,24,1,1])",
     2},
    {"SideBySide",  // transposed
     "(x: f32[2,24,5,7]) -> (y)\na = Conv(x, w: f32[48,24,1,1], c: f32[48])\n"
     "b = ConvTranspose(a, v: f32[48,40,2,2], d: f32[40]) {strides: [2,2]}\ne = Relu(b)\n"
     "f = ConvTranspose(e, u: f32[40,16,1,2]) {strides: [1,2]}\ny = Conv(f, t: f32[8,16,3,3])",
     2},
    {"SideBySideDeep",  // in parts
     "(x: f32[1,400,3,5]) -> (y)\na = Conv(x, w: f32[392,400,1,1], c: f32[392])\n"
     "b = ConvTranspose(a, v: f32[392,8,2,2], d: f32[8]) {strides: [2,2]}\ny = Conv(b, u: "
     "f32[8,8,1,1])",
     2},
    {"SideBySideVolume",
     "(x: f32[1,16,2,3,4]) -> (y)\na = Conv(x, w: f32[16,16,1,1,1])\n"
     "b = ConvTranspose(a, v: f32[16,24,2,2,2], d: f32[24]) {strides: [2,2,2]}\ny = Conv(b, u: "
     "f32[8,24,1,1,1])",
     2},
    {"PointwiseSum",
     "(x: f32[2,72,9,8]) -> (y)\na = Conv(x, w: f32[136,72,1,1], c: f32[136])\n"
     "b = Conv(a, v: f32[72,136,1,1], d: f32[72]) {strides: [1,1]}\ne = Add(b, x)\nf = Relu(e)\n"
     "y = Conv(f, u: f32[16,72,1,1]) {strides: [2,2]}",
     3},
    {"DeepSplit",  // in several parts
     "(x: f32[1,200,5,6]) -> (y)\na = Conv(x, w: f32[72,200,3,3], c: f32[72]) {pads: [1,1,1,1], "
     "dilations: [1,1]}\n"
     "b = LeakyRelu(a) {alpha: 0.25}\nd = Conv(b, v: f32[200,72,3,3]) {pads: [2,1,2,1], dilations: "
     "[2,1]}\n"
     "e = Add(d, x)\ny = Conv(e, u: f32[8,200,1,1])",
     3},
};

/// First convolutions as models have them; those of half floats pack their images.
constexpr Case few_channels[] = {
    {"Stem",
     "(x: f32[2,3,17,15]) -> (y)\na = Conv(x, w: f32[16,3,7,7], c: f32[16]) {pads: [3,3,3,3], "
     "strides: [2,2]}\n"
     "b = Relu(a)\ny = Conv(b, v: f32[8,16,3,3]) {pads: [1,1,1,1]}",
     2},
    {"EvenPads",
     "(x: f32[1,3,12,14]) -> (y)\na = Conv(x, w: f32[24,3,6,6]) {pads: [2,2,2,2], strides: [2,2]}\n"
     "y = Conv(a, v: f32[8,24,3,3])",
     2},
    {"Patches",
     "(x: f32[2,3,16,24]) -> (y)\na = Conv(x, w: f32[16,3,8,8], c: f32[16]) {strides: [8,8]}\n"
     "y = Conv(a, v: f32[8,16,2,2])",
     2},
    {"DeepPatches",  // split along k
     "(x: f32[1,3,32,48]) -> (y)\na = Conv(x, w: f32[16,3,16,16], c: f32[16]) {strides: [16,16]}\n"
     "y = Conv(a, v: f32[8,16,2,2])",
     2},
    {"Dense",
     "(x: f32[1,3,11,9]) -> (y)\na = Conv(x, w: f32[72,3,3,3], c: f32[72]) {pads: [1,1,1,1]}\n"
     "y = Conv(a, v: f32[8,72,3,3])",
     2},
    {"OneOnALine",
     "(x: f32[3,1,70]) -> (y)\na = Conv(x, w: f32[8,1,11], c: f32[8]) {pads: [5,3], strides: [6]}\n"
     "y = Conv(a, v: f32[8,8,3])",
     2},
    {"FourUneven",
     "(x: f32[2,4,13,20]) -> (y)\na = Conv(x, w: f32[8,4,3,5]) {pads: [1,4,0,2], strides: [1,3], "
     "dilations: [2,1]}\n"
     "y = Conv(a, v: f32[16,8,3,3])",
     2},
    {"TwoInVolumes",
     "(x: f32[1,2,5,6,9]) -> (y)\na = Conv(x, w: f32[8,2,3,3,3], c: f32[8]) {pads: [1,1,1,1,1,1], "
     "strides: "
     "[1,2,2]}\ny = Conv(a, v: f32[8,8,2,2,2])",
     2},
    {"TwelveDilatedWithSum",
     "(x: f32[1,12,10,11], z: f32[1,16,8,4]) -> (y)\na = Conv(x, w: f32[16,12,2,2], c: f32[16]) "
     "{dilations: [2,3], "
     "strides: [1,2]}\nb = Add(a, z)\nd = Relu(b)\ny = Conv(d, v: f32[8,16,3,3])",
     2},
    {"BehindANorm",
     "(x: f32[2,3,14,14]) -> (y)\nm = Mul(x, s: f32[1,3,1,1])\na = Conv(m, w: f32[32,3,4,4]) "
     "{pads: [1,1,1,1], "
     "strides: [4,4]}\ny = Conv(a, v: f32[8,32,3,3])",
     2},
    {"OnePixelWide",
     "(x: f32[2,3,9,1]) -> (y)\na = Conv(x, w: f32[8,3,3,2]) {pads: [1,1,1,0], strides: [1,2]}\n"
     "y = Conv(a, v: f32[8,8,3,1])",
     2},
};

class ChannelsLast : public testing::TestWithParam<Case> {};

TEST_P(ChannelsLast, GivesWhatChannelsFirstGave) {
    const ChannelsLastAtAnyCost at_any_cost;
    Model made = model_of(GetParam().graph);
    infer_types(made);
    const auto before = std::make_shared<const Model>(made);
    apply_session_passes_for(device_passes_f16, made,
                             {SessionPasses::Set::preparing, {"store_half_floats"}});
    const auto after = std::make_shared<const Model>(std::move(made));
    const Session placed = Session::compile(after, emulated_options({}));
    int convolutions = 0;
    for (const NodePlacement& node : placed.placement().nodes)
        convolutions += node.op == "Conv (channels last)" ? 1 : 0;
    EXPECT_EQ(convolutions, GetParam().convolutions);
    const NamedValues inputs = generate_inputs(*before, {}, {.seed = 3});
    const NamedValues expected = Session::compile(before, reference_options()).run(inputs).outputs;
    constexpr std::pair<const char*, Tolerance> precisions[] = {{"exact", exact_arithmetic},
                                                                {"tf32", {1e-2, 2e-3, true}},
                                                                {"fp16", {1e-2, 2e-3, true}},
                                                                {"bf16", {5e-2, 1e-2, true}}};
    for (int order : {0, 1, 2, 3})
        for (const auto& [precision, tolerance] : precisions)
            EXPECT_EQ(compare_with(expected, after, inputs,
                                   {.order = order, .precision = precision}, tolerance),
                      "")
                << precision << ", order " << order;
    // stored as halves: in pieces of 8 channels where they are multiples of it
    for (int order : {0, 1, 2, 3})
        EXPECT_EQ(
            compare_with(expected, before, inputs,
                         {.order = order, .precision = "fp16", .passes = SessionPasses::Set::all},
                         {3e-2, 5e-3, true}),
            "")
            << "stored as float16, order " << order;
}

INSTANTIATE_TEST_SUITE_P(All, ChannelsLast, testing::ValuesIn(cases),
                         [](const auto& info) { return info.param.name; });
INSTANTIATE_TEST_SUITE_P(InPieces, ChannelsLast, testing::ValuesIn(in_pieces),
                         [](const auto& info) { return info.param.name; });
INSTANTIATE_TEST_SUITE_P(FewChannels, ChannelsLast, testing::ValuesIn(few_channels),
                         [](const auto& info) { return info.param.name; });

class FewChannels : public testing::TestWithParam<Case> {};

/// Stored as halves, the image is packed as it comes: without a Transpose, and without a Cast where
/// it is an input.
TEST_P(FewChannels, IsPackedWithoutATranspose) {
    const ChannelsLastAtAnyCost at_any_cost;
    Model made = model_of(GetParam().graph);
    infer_types(made);
    const EmulatedRun run{.precision = "fp16", .passes = SessionPasses::Set::all};
    const Session session =
        Session::compile(std::make_shared<const Model>(std::move(made)), emulated_options(run));
    int packed = 0, transposes = 0, casts = 0;
    for (const StepInfo& step : session.plan().steps)
        packed += step.kernel.ends_with("convolution_f16_channels_last_packed") ? 1 : 0;
    for (const NodePlacement& node : session.placement().nodes) {
        transposes += node.op == "Transpose" ? 1 : 0;
        casts += node.op == "Cast" ? 1 : 0;
    }
    EXPECT_EQ(packed, 1);
    EXPECT_LE(transposes, 2);  // of the result and of a summand
    EXPECT_LE(casts, 2);
}

INSTANTIATE_TEST_SUITE_P(All, FewChannels, testing::ValuesIn(few_channels),
                         [](const auto& info) { return info.param.name; });

/// Enough pixels and filters for large tiles; 3 channels are packed.
TEST(ChannelsLastHalves, LargeTilesGiveWhatChannelsFirstGave) {
    const ChannelsLastAtAnyCost at_any_cost;
    for (const char* channels : {"8", "3"}) {
        Model made = model_of(std::string("(x: f32[1,") + channels +
                              ",33,66]) -> (y)\na = Conv(x, w: f32[1000," + channels +
                              ",2,2], c: f32[1000])\ny = Conv(a, v: f32[8,1000,1,2])");
        infer_types(made);
        const auto model = std::make_shared<const Model>(std::move(made));
        const NamedValues inputs = generate_inputs(*model, {}, {.seed = 3});
        const NamedValues expected =
            Session::compile(model, reference_options()).run(inputs).outputs;
        for (int order : {0, 2}) {
            const EmulatedRun run{
                .order = order, .precision = "fp16", .passes = SessionPasses::Set::all};
            EXPECT_EQ(compare_with(expected, model, inputs, run, {3e-2, 5e-3, true}), "")
                << channels << " channels, order " << order;
        }
    }
}

// ------------------------------------------------------------------------------------------------
// random graphs

/// The text of a random net of images: convolutions of all kinds, pools, sums, Concat, Resize, Pad,
/// activations.
class RandomNet {
public:
    explicit RandomNet(std::uint64_t seed) : random_(seed) {
        const int channels = 8 * pick(1, 2), height = pick(9, 14), width = pick(9, 14);
        head_ = "(x: f32[" + std::to_string(pick(1, 2)) + "," + std::to_string(channels) + "," +
                std::to_string(height) + "," + std::to_string(width) + "]) -> (";
        images_.push_back({"x", channels, height, width});
        const int count = pick(8, 14);
        for (int i = 0; i < count; ++i) add();
    }
    std::string text() const {
        std::string outputs = images_.back().name;
        if (const Image& other = images_[images_.size() / 2];
            other.name != "x" && other.name != outputs)
            outputs += ", " + other.name;
        return head_ + outputs + ")" + body_;
    }

private:
    struct Image {
        std::string name;
        int channels, height, width;
    };
    int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
    Image any() {
        return images_[static_cast<std::size_t>(
            pick(std::max(0, static_cast<int>(images_.size()) - 3),
                 static_cast<int>(images_.size()) - 1))];
    }
    std::string sized(const std::string& letter, std::initializer_list<int> dims) {
        std::string t = letter + std::to_string(images_.size()) + ": f32[";
        bool first = true;
        for (int d : dims) t += (first ? "" : ",") + std::to_string(d), first = false;
        return t + "]";
    }
    void put(const std::string& call, int channels, int height, int width) {
        const std::string name = "v" + std::to_string(images_.size());
        body_ += "\n" + name + " = " + call;
        images_.push_back({name, channels, height, width});
    }
    void add() {
        const Image from = any();
        const int filters = pick(0, 3) == 0 ? pick(1, 9) : 8 * pick(1, 3);
        switch (pick(0, 11)) {
        case 0:
        case 1:
        case 2:
            return put("Conv(" + from.name + ", " + sized("w", {filters, from.channels, 3, 3}) +
                           ", " + sized("b", {filters}) + ") {pads: [1,1,1,1]}",
                       filters, from.height, from.width);
        case 3:
            return put(
                "Conv(" + from.name + ", " + sized("w", {filters, from.channels, 1, 1}) + ")",
                filters, from.height, from.width);
        case 4:
            return put("Conv(" + from.name + ", " + sized("w", {from.channels, 1, 3, 3}) +
                           ") {pads: [1,1,1,1], group: " + std::to_string(from.channels) + "}",
                       from.channels, from.height, from.width);
        case 5:
            return put(std::string(pick(0, 1) ? "Relu(" : "Sigmoid(") + from.name + ")",
                       from.channels, from.height, from.width);
        case 6: return join(from);
        case 7:
            if (from.height < 4 || from.width < 4) return;
            return put("MaxPool(" + from.name + ") {kernel_shape: [2,2], strides: [2,2]}",
                       from.channels, from.height / 2, from.width / 2);
        case 8:
            return put("AveragePool(" + from.name + ") {kernel_shape: [3,3], pads: [1,1,1,1]}",
                       from.channels, from.height, from.width);
        case 9:
            if (from.height > 12) return;
            return put("Resize(" + from.name + ", _, s" + std::to_string(images_.size()) +
                           ": f32[4]{1.0,1.0,2.0,2.0}) {mode: \"" +
                           (pick(0, 1) ? "linear" : "nearest") + "\"}",
                       from.channels, 2 * from.height, 2 * from.width);
        case 10:
            return put("Pad(" + from.name + ", p" + std::to_string(images_.size()) +
                           ": i64[8]{0,0,1,0,0,0,2,1})",
                       from.channels, from.height + 3, from.width + 1);
        default:
            return put("ConvTranspose(" + from.name + ", " +
                           sized("w", {from.channels, filters, 2, 2}) + ") {pads: [0,1,1,0]}",
                       filters, from.height, from.width);
        }
    }
    /// With another of the same sizes.
    void join(const Image& from) {
        for (const Image& other : std::vector<Image>(images_)) {
            if (other.name == from.name || other.height != from.height || other.width != from.width)
                continue;
            if (other.channels == from.channels && pick(0, 1))
                return put("Add(" + from.name + ", " + other.name + ")", from.channels, from.height,
                           from.width);
            return put("Concat(" + from.name + ", " + other.name + ") {axis: 1}",
                       from.channels + other.channels, from.height, from.width);
        }
    }

    std::mt19937_64 random_;
    std::string head_, body_;
    std::vector<Image> images_;
};

TEST(ChannelsLastNets, RandomNetsGiveWhatTheyGaveBefore) {
    int moved = 0, transposes = 0, convolutions = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const std::string text = RandomNet(seed).text();
        Model made = model_of(text);
        infer_types(made);
        const auto before = std::make_shared<const Model>(made);
        const PipelineReport report = apply_session_passes_for(
            device_passes_f16, made, {SessionPasses::Set::preparing, {"store_half_floats"}});
        if (report.rewrites.empty()) continue;
        ++moved;
        const auto after = std::make_shared<const Model>(std::move(made));
        const NamedValues inputs = generate_inputs(*before, {}, {.seed = seed});
        const NamedValues expected =
            Session::compile(before, reference_options()).run(inputs).outputs;
        Session emulated =
            Session::compile(after, emulated_options({.order = static_cast<int>(seed % 4)}));
        for (int again = 0; again < 2; ++again)  // values grow and cancel: what counts is the whole
            for (const OutputComparison& output :
                 compare_outputs(emulated.run(inputs).outputs, expected))
                EXPECT_GT(output.comparison.sqnr_db, 90) << "seed " << seed << ", " << output.name
                                                         << ": " << output.comparison.reason << "\n"
                                                         << text;
        SessionOptions on_processor;  // which takes what a device does not
        on_processor.session_passes.set = SessionPasses::Set::none;
        const NamedValues plain = Session::compile(after, on_processor).run(inputs).outputs;
        for (const OutputComparison& output : compare_outputs(plain, expected))
            EXPECT_GT(output.comparison.sqnr_db, 90)
                << "seed " << seed << ": " << output.comparison.reason;
        const Session placed = Session::compile(after, emulated_options({}));
        for (const NodePlacement& node : placed.placement().nodes) {
            transposes += node.op == "Transpose" ? 1 : 0;
            convolutions += node.op == "Conv (channels last)" ? 1 : 0;
        }
    }
    std::cout << "[ nets ] " << moved << " of 60 were moved: " << convolutions << " convolutions, "
              << transposes << " Transposes\n";
    EXPECT_GE(moved, 20);
    EXPECT_LT(transposes, 2 * convolutions);
}

}  // namespace
}  // namespace lapidary::test
