// SPDX-License-Identifier: Apache-2.0
// What is advised about a decoder's token, by where its time went.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/generation/decoding_advice.h>
#include <lapidary/generation/measure_decoding.h>

#include "samples/llama.h"

namespace lapidary {
namespace {

RecordedToken token_with(double TokenTime::*part, double ms = 6) {
    RecordedToken token;
    token.context = 128;
    token.head_type = "f32";
    token.storage = CacheStorage::fixed;
    token.time.wall_ms = 10;
    token.time.*part = ms;
    return token;
}

std::string said_of(const RecordedToken& token) { return sentence_of(decoding_advice(token)); }

TEST(DecodingAdvice, NamesThePartThatStandsOut) {
    RecordedToken head = token_with(&TokenTime::head_ms, 5.8);
    EXPECT_EQ(said_of(head), "The head is 58 % of a token and float: quantize it.");
    EXPECT_TRUE(decoding_advice(head).is_to_quantize());
    EXPECT_NEAR(decoding_advice(head).share, 0.58, 1e-12);
    for (const char* type : {"f16", "bf16"}) {
        head.head_type = type;
        EXPECT_FALSE(decoding_advice(head).is_to_quantize()) << "quantizing takes float32 alone";
    }
    head.head_type = "u8";
    EXPECT_EQ(said_of(head), "No part of a token stands out.") << "it is quantized already";
    EXPECT_FALSE(decoding_advice(head).is_to_quantize());

    RecordedToken caches = token_with(&TokenTime::cache_ms, 2);
    EXPECT_EQ(decoding_advice(caches).finding, DecodingFinding::nothing) << "they do not grow";
    caches.storage = CacheStorage::growing;
    EXPECT_EQ(decoding_advice(caches).finding, DecodingFinding::caches);
    EXPECT_NE(said_of(caches).find("20 %"), std::string::npos) << said_of(caches);

    const RecordedToken attention = token_with(&TokenTime::attention_ms);
    EXPECT_EQ(said_of(attention),
              "Attention is 60 % of a token at 128 tokens of context, and grows with it.");
    EXPECT_EQ(said_of(token_with(&TokenTime::overhead_ms)),
              "60 % of a token passes between the nodes, which compute little each. Levels below "
              "all leave more of them.");

    RecordedToken products = token_with(&TokenTime::products_ms);
    EXPECT_EQ(decoding_advice(products).finding, DecodingFinding::products);
    EXPECT_TRUE(decoding_advice(products).is_to_quantize());
    products.head_type = "f16";
    EXPECT_EQ(decoding_advice(products).finding, DecodingFinding::nothing);
    products.head_type.clear();
    EXPECT_EQ(decoding_advice(products).finding, DecodingFinding::nothing);
}

TEST(DecodingAdvice, IsEmptyWhereNoTokenWasRecorded) {
    EXPECT_EQ(said_of({}), "");
    RecordedToken timeless = token_with(&TokenTime::head_ms);
    timeless.time.wall_ms = 0;
    EXPECT_EQ(decoding_advice(timeless).finding, DecodingFinding::none);
}

TEST(DecodingEngineOf, ADecoderThatIsCompiledAlreadyIsMeasuredAndRecorded) {
    const auto model = std::make_shared<const Model>(samples::llama({.name = "small",
                                                                     .layers = 2,
                                                                     .width = 32,
                                                                     .inner = 64,
                                                                     .heads = 4,
                                                                     .key_heads = 2,
                                                                     .vocabulary = 97,
                                                                     .positions = 64},
                                                                    5));
    Generator generator = Generator::compile(model, {.capacity = 40});
    const auto engine = decoding_engine_of(generator);
    const DecodingMeasurement m = measure_decoding(decoder_card(*model), *engine, nullptr, 1,
                                                   {.context = 20, .new_tokens = 9, .seconds = 0});
    EXPECT_GT(m.ours.token_ms.median, 0);
    EXPECT_TRUE(m.ours.is_fixed);
    ASSERT_TRUE(m.ours.recorded);
    const RecordedToken& recorded = *m.ours.recorded;
    EXPECT_EQ(recorded.context, 22) << "the prompt and two tokens";
    EXPECT_EQ(recorded.head_type, "f32");
    EXPECT_EQ(recorded.storage, CacheStorage::fixed);
    const TokenTime& time = recorded.time;
    EXPECT_GT(time.wall_ms, 0);
    EXPECT_GT(time.products_ms, 0);
    EXPECT_NEAR(time.attention_ms + time.products_ms + time.head_ms + time.cache_ms + time.rest_ms +
                    time.overhead_ms,
                time.wall_ms, 1e-6);
    EXPECT_FALSE(said_of(recorded).empty());
    // One token has none before it.
    const std::int64_t only = 3;
    EXPECT_THROW(engine->record({&only, 1}), Error);
}

}  // namespace
}  // namespace lapidary
