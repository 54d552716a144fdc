// SPDX-License-Identifier: Apache-2.0
// Convolutions, attention and normalized products that are tuned: each way is measured, and each
// gives what the reference gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <lapidary/exec/session.h>
#include <lapidary/inputs/generate_inputs.h>

#include "passes/session/channels_last_regions.h"
#include "plugins/cuda/tuning_fixture.h"
#include "support/pass_harness.h"

namespace lapidary::test {
namespace {

namespace fs = std::filesystem;

/// Split sums are measured beside whole ones, and all ways give what the reference gives.
TEST_F(Tuning, ConvolutionsAndAttentionAreMeasured) {
    const char* const graphs[] = {
        "(x: f32[1,64,4,5], r: f32[1,20,4,5]) -> (y)\na = Conv(x, w: f32[20,64,3,3], c: f32[20]) "
        "{pads: [1,1,1,1]}\n"
        "b = Add(a, r)\ny = Relu(b)",
        "(x: f32[2,12,6,5]) -> (y)\ny = Conv(x, w: f32[8,6,3,3]) {group: 2}",
        "(x: f32[1,24,5,5]) -> (y)\ny = Conv(x, w: f32[8,24,3,3])",
        "(x: f32[1,64,9,8]) -> (y)\na = Conv(x, w: f32[64,64,3,3]) {pads: [1,1,1,1]}\n"
        "y = Conv(a, v: f32[24,64,3,3], c: f32[24])",
        "(q: f32[1,2,1,16], k: f32[1,2,333,16], v: f32[1,2,333,20], m: f32[1,1,1,333]) -> (y)\n"
        "t = Transpose(k) {perm: [0,1,3,2]}\np = MatMul(q, t)\na = Add(p, m)\nw = Softmax(a)\ny = "
        "MatMul(w, v)"};
    for (const char* graph : graphs) {
        SCOPED_TRACE(graph);
        const ModelPtr model = model_of_text(graph);
        for (const char* order : {"0", "1", "2"}) {
            Session session = session_of(model, {{"order", order}});
            expect_right(session, model);
            Session halves = session_of(model, {{"order", order}, {"precision", "fp16"}});
            expect_right(halves, model, {3e-2, 5e-3, true});
        }
    }
    for (const char* part : {"conv_f32_0_1_1_64_20_", "conv_f32_0_2_2_",
                             "conv_f16_last_2_1_1_64_64_", "attention_f32_1_2_"})
        EXPECT_NE(text().find(part), std::string::npos) << part << " in\n" << text();
    std::size_t ways = 0;
    for (const char* way : {" own ", " unsplit ", " fewer ", " more "})
        ways += text().find(way) != std::string::npos;
    EXPECT_EQ(ways, 4u) << text();
    let_take("conv_f32_0_1_1_64_20_", "unsplit");
    const ModelPtr model = model_of_text(graphs[0]);
    Session session = session_of(model, {{"tune", "use"}, {"graphs", "off"}});
    expect_right(session, model);
    const std::string note = note_of(session, generate_inputs(*model, {}, {.seed = 3}));
    EXPECT_NE(note.find("1 of 1 convolution or attention as measured"), std::string::npos) << note;
}

TEST_F(Tuning, ConvolutionsInClustersAreMeasuredAndTaken) {
    const ModelPtr model = model_of_text(
        "(x: f16[1,256,7,7]) -> (y)\na = Conv(x, w: f16[64,256,3,3], c: f16[64]) {pads: "
        "[1,1,1,1]}\ny = Relu(a)");
    const ChannelsLastAtAnyCost at_any_cost;
    for (const char* order : {"0", "1", "2"}) {
        Session session = session_of(model, {{"order", order}, {"hopper", "on"}});
        expect_right(session, model, {3e-2, 5e-3, true});
    }
    for (const char* way : {" clusters ", " small_clusters "})
        EXPECT_NE(text().find(way), std::string::npos) << text();
    let_take("conv_f16_last", "clusters");
    Session session = session_of(model, {{"tune", "use"}, {"hopper", "on"}, {"graphs", "off"}});
    const std::uint64_t before = launches_of_clusters();
    expect_right(session, model, {3e-2, 5e-3, true});
    EXPECT_GT(launches_of_clusters(), before);
    Session other = session_of(model, {{"tune", "use"}, {"hopper", "off"}, {"graphs", "off"}});
    // by its own kernel, where there are no clusters
    expect_right(other, model, {3e-2, 5e-3, true});
}

/// A variant for compute capability 9.0, which is taken where it was the fastest.
TEST_F(Tuning, AttentionOfATokenIsMeasuredInClusters) {
    const ModelPtr model = model_of_text(
        "(q: f16[2,1,48], k: f16[2,1,48], v: f16[2,1,48], m: f16[2,1,1,140], j: f16[2,3,139,16], "
        "l: f16[2,3,139,16]) "
        "-> "
        "(y, a, b)\ny, a, b = com.microsoft::MultiHeadAttention(q, k, v, _, _, m, j, l) "
        "{num_heads: 3}");
    const Tolerance of_halves{2e-3, 1e-3, true};
    for (const char* order : {"0", "1", "2"}) {
        Session session = session_of(model, {{"order", order}, {"hopper", "on"}});
        expect_right(session, model, of_halves);
    }
    let_take("attention_f16_2_3_", "hopper");
    for (const char* order : {"0", "1", "2"}) {
        Session session = session_of(model, {{"order", order}, {"hopper", "on"}, {"tune", "use"}});
        expect_right(session, model, of_halves);
    }
    Session without = session_of(model, {{"hopper", "off"}, {"tune", "use"}});
    expect_right(without, model, of_halves);
}

/// Normalizing in each block of the product is one of the variants, and the one that runs where
/// nothing was measured.
TEST_F(Tuning, ANormalizedProductMayRunInOneKernel) {
    const char* const graph =
        "(x: f32[1,1,64], s: f32[1,1,64]) -> (y, t)\n"
        "n, _, _, t = com.microsoft::SkipLayerNormalization(x, s, g: f32[64], c: f32[64])\n"
        "p = MatMul(n, w: f32[64,8])\ny = Add(p, d: f32[8])";
    const ModelPtr model = model_of_text(graph);
    const NamedValues inputs = generate_inputs(*model, {}, {.seed = 3});
    const std::string fused = ", 1 with the normalization before it";
    for (const char* order : {"0", "1", "2"}) {
        fs::remove(file());
        Session session = session_of(model, {{"order", order}, {"overlap", "on"}});
        expect_right(session, model);
        const std::vector<std::string> words = line("normalized_f32_0_1_1_8_64_");
        ASSERT_EQ(words.size(), 8u) << text();
        EXPECT_EQ(words[1], "3/3") << text();
        for (const char* way : {"fused", "own", "library"})
            EXPECT_EQ(std::ranges::count(words, way), 1) << text();
        const std::string note = note_of(session, inputs);
        EXPECT_NE(note.find("1 of 1 product as measured, "), std::string::npos) << note;
        EXPECT_EQ(note.find(fused) != std::string::npos, words[2] == "fused") << note << text();
    }
    // all ways give the same, where the file has them
    const std::string head = text().substr(0, text().find("normalized_")),
                      key = line("normalized_")[0];
    int order = 46;
    for (const auto& [way, reported] : {std::pair{"fused 1 own", "0 by cuBLASLt 12.3.4" + fused},
                                        {"own 1 fused", "0 by cuBLASLt 12.3.4"},
                                        {"library 1 fused", "1 by cuBLASLt 12.3.4"}}) {
        write(head + key + " 3/3 " + way + " 2\n");
        Session session = session_of(
            model, {{"tune", "use"}, {"overlap", "on"}, {"order", std::to_string(order++)}});
        expect_right(session, model);
        const std::string note = note_of(session, inputs);
        EXPECT_NE(note.find("1 of 1 product as measured, " + reported + ";"), std::string::npos)
            << note;
    }
    fs::remove(file());
    Session session = session_of(model, {{"tune", "use"}, {"order", std::to_string(order)}});
    expect_right(session, model);
    const std::string note = note_of(session, inputs);
    EXPECT_NE(note.find("0 of 1 product as measured, 0 by cuBLASLt 12.3.4" + fused),
              std::string::npos)
        << note;
}

}  // namespace
}  // namespace lapidary::test
