// SPDX-License-Identifier: Apache-2.0
// Where the time of a token goes, by what nodes do in a decoder; how far two choices are apart.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/generation/divergence.h>
#include <lapidary/generation/generator.h>
#include <lapidary/generation/token_time.h>
#include <lapidary/graph/graph_text.h>

#include "samples/llama.h"

namespace lapidary {
namespace {

// A step of a decoder whose attention is written out, its head quantized and its logits scaled.
const char* const written_out =
    "(x: f32[1,4,8], past: f32[1,n,8]) -> (logits, present)\n"
    "q = MatMul(x, wq: f32[8,8])\n"
    "present = Concat(past, x) {axis: 1}\n"
    "turned = Transpose(present) {perm: [0,2,1]}\n"
    "scores = MatMul(q, turned)\n"
    "shares = Softmax(scores)\n"
    "mixed = MatMul(shares, present)\n"
    "head = DequantizeLinear(stored: u8[8,16], scale: f32[]{0.5})\n"
    "raw = MatMul(mixed, head)\n"
    "logits = Mul(raw, factor: f32[]{2})\n";

Graph graph_of(const std::string& text) { return parse_graph(text, {.opset = 18}); }

/// A run of one millisecond for each node, and half a millisecond besides.
Profile profile_of(const Graph& graph) {
    Profile profile;
    constexpr std::int64_t ms = 1'000'000;
    std::int64_t at = 0;
    for (const NodeId id : graph.nodes()) {
        Span span;
        span.node = id;
        span.label = profile.labels.add({.op = graph.node(id).qualified_op()});
        span.begin_ns = at;
        span.end_ns = at += ms;
        profile.kernels.push_back(span);
    }
    Span whole;
    whole.kind = EventKind::run;
    whole.end_ns = at + ms / 2;
    profile.run_spans.push_back(whole);
    profile.runs = 1;
    return profile;
}

TEST(TokenTime, NodesAreSortedByWhatTheyDo) {
    const Graph graph = graph_of(written_out);
    const TokenTime time = token_time(graph, {"logits", {"present"}}, profile_of(graph));
    EXPECT_DOUBLE_EQ(time.attention_ms, 3);  // scores, softmax, mixing
    EXPECT_DOUBLE_EQ(time.products_ms, 1);   // the query
    EXPECT_DOUBLE_EQ(time.head_ms, 1);
    EXPECT_DOUBLE_EQ(time.cache_ms, 1);  // the Concat
    EXPECT_DOUBLE_EQ(time.rest_ms, 3);   // transposing, dequantizing, scaling
    EXPECT_DOUBLE_EQ(time.overhead_ms, 0.5);
    EXPECT_DOUBLE_EQ(time.wall_ms, 9.5);
}

TEST(TokenTime, FindsTheHeadAndWhatItIsStoredIn) {
    const Graph graph = graph_of(written_out);
    const NodeId head = find_head(graph, "logits");
    ASSERT_TRUE(head);
    EXPECT_EQ(graph.value(graph.node(head).outputs[0]).name, "raw");
    EXPECT_EQ(head_weight_type(graph, "logits"), DType::u8);
    EXPECT_FALSE(find_head(graph, "past"));
    EXPECT_FALSE(find_head(graph, "no such value"));
    EXPECT_EQ(head_weight_type(graph, "past"), DType::undefined);
}

TEST(TokenTime, OfARecordedRunAddsUpToItsWallTime) {
    const auto model = std::make_shared<Model>(samples::llama({.name = "small",
                                                               .layers = 2,
                                                               .width = 32,
                                                               .inner = 64,
                                                               .heads = 4,
                                                               .key_heads = 2,
                                                               .vocabulary = 97,
                                                               .positions = 64},
                                                              5));
    Generator generator = Generator::compile(model, {.capacity = 16});
    EXPECT_EQ(generator.head_weight_type(), DType::f32);
    generator.feed({1, {3, 90, 14}});
    EXPECT_EQ(generator.token_time().wall_ms, 0) << "it was not recorded";
    generator.feed({1, {7}}, {}, true);
    const TokenTime time = generator.token_time();
    for (const double part :
         {time.wall_ms, time.attention_ms, time.products_ms, time.head_ms, time.rest_ms})
        EXPECT_GT(part, 0);
    EXPECT_NEAR(time.attention_ms + time.products_ms + time.head_ms + time.cache_ms + time.rest_ms +
                    time.overhead_ms,
                time.wall_ms, 1e-6);
    generator.reset();
    EXPECT_EQ(generator.token_time().wall_ms, 0);
}

TEST(KlDivergence, IsThatOfTheProbabilities) {
    const std::vector<float> p{std::log(0.5f), std::log(0.25f), std::log(0.25f)},
        q{3 + std::log(0.25f), 3 + std::log(0.5f), 3 + std::log(0.25f)};
    EXPECT_NEAR(kl_divergence(p, q), 0.25 * std::log(2), 1e-6);
    EXPECT_EQ(kl_divergence(p, p), 0);
    const std::vector<float> shifted{p[0] + 100, p[1] + 100, p[2] + 100};
    EXPECT_NEAR(kl_divergence(p, shifted), 0, 1e-5);
}

TEST(KlDivergence, TakesWhatIsExcluded) {
    constexpr float none = -std::numeric_limits<float>::infinity();
    const std::vector<float> all{0, 0}, one{0, none}, nothing{none, none};
    EXPECT_NEAR(kl_divergence(one, all), std::log(2), 1e-6);
    EXPECT_EQ(kl_divergence(all, one), std::numeric_limits<double>::infinity());
    EXPECT_TRUE(std::isnan(kl_divergence(nothing, all)));
    EXPECT_THROW(kl_divergence(all, std::vector<float>{1}), Error);
}

}  // namespace
}  // namespace lapidary
