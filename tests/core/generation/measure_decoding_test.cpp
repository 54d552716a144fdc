// SPDX-License-Identifier: Apache-2.0
// Decoders measured token by token: passes, bursts, figures, processes.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <lapidary/base/error.h>
#include <lapidary/generation/measure_decoding.h>
#include <lapidary/onnx_io/model_io.h>

#include "samples/llama.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

using Json = nlohmann::json;

Model small_llama() {
    return samples::llama({.name = "small",
                           .layers = 2,
                           .width = 32,
                           .inner = 64,
                           .heads = 4,
                           .key_heads = 2,
                           .vocabulary = 97,
                           .positions = 64},
                          5);
}

/// An engine whose times are given: the first tokens of a burst take as long as caches need to
/// fill.
class ScriptedDecoder final : public DecodingEngine {
public:
    std::size_t lead = 3;
    double token_ms = 1, lead_ms = 9, prompt_ms = 20, first_prompt_ms = 50;
    std::vector<std::vector<std::int64_t>> prompts, bursts;

    DecodedTokens begin(std::span<const std::int64_t> prompt) override {
        prompts.emplace_back(prompt.begin(), prompt.end());
        follows_prompt_ = true;
        return {{prompts.size() == 1 ? first_prompt_ms : prompt_ms}, {1}, {2.0}, 0};
    }
    DecodedTokens go_on(std::span<const std::int64_t> tokens) override {
        bursts.emplace_back(tokens.begin(), tokens.end());
        DecodedTokens decoded;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            decoded.ms.push_back(i < lead && !follows_prompt_ ? lead_ms : token_ms);
            decoded.choices.push_back(tokens[i] % 7);
            decoded.logits.push_back(2.0 + static_cast<double>(tokens[i] % 7));
        }
        follows_prompt_ = false;
        return decoded;
    }
    DecoderState state() override {
        DecoderState state;
        state.load_ms = 3;
        state.cache_bytes = 1000;
        state.before_bytes = 10'000;
        state.loaded_bytes = 15'000;
        state.now_bytes = 18'000;
        return state;
    }

private:
    bool follows_prompt_ = false;
};

DecoderCard card() {
    DecoderCard card;
    card.vocabulary = 50;
    card.weight_bytes = 3'000'000;
    card.token_weight_bytes = 2'000'000;
    card.cache_row_bytes = 100;
    card.most_positions = 64;
    return card;
}

TEST(MeasureDecoding, TakesTurnsByBurstsWhoseFirstTokensDoNotCount) {
    ScriptedDecoder ours, theirs;
    theirs.token_ms = 3;
    theirs.prompt_ms = 40;
    const DecodingMeasurement m = measure_decoding(
        card(), ours, &theirs, 1, {.context = 30, .new_tokens = 20, .seconds = 0.3});
    EXPECT_EQ(m.ours.first_token_ms, 50);
    EXPECT_EQ(m.ours.prefill_ms.median, 20);
    EXPECT_EQ(m.ours.prefill_tokens_per_second, 1500);
    EXPECT_EQ(m.ours.token_ms.median, 1) << "leads do not count";
    EXPECT_EQ(m.theirs->token_ms.median, 3);
    EXPECT_EQ(m.ours.decode_tokens_per_second, 1000);
    EXPECT_EQ(m.ratio->median, 3);
    EXPECT_EQ(m.prefill_ratio->median, 2);
    EXPECT_GE(m.passes, 1);
    EXPECT_EQ(ours.prompts.size(), static_cast<std::size_t>(m.passes) + 1);
    ASSERT_EQ(m.ours.first_pass_ms.size(), 20u);
    ASSERT_EQ(m.ours.curve_ms.size(), 20u);
    for (const double ms : m.ours.curve_ms) EXPECT_TRUE(ms == 1 || std::isnan(ms)) << ms;
    EXPECT_EQ(m.ours.curve_ms[0], 1) << "the token behind the prompt counts";
    // Both engines get the same tokens, in every pass.
    EXPECT_EQ(ours.prompts, theirs.prompts);
    EXPECT_EQ(ours.bursts, theirs.bursts);
    EXPECT_FALSE(m.ours.recorded) << "this engine does not record";
    EXPECT_EQ(ours.prompts.front(), ours.prompts.back());
    EXPECT_EQ(ours.prompts.front().size(), 30u);
    for (const auto& burst : ours.bursts) {
        EXPECT_LE(burst.size(), 11u);
        for (const std::int64_t token : burst) EXPECT_LT(token, 50);
    }
    EXPECT_EQ(m.agreement->choices, 21);
    EXPECT_EQ(m.agreement->equal, 21);
    EXPECT_TRUE(m.agreement->matches);
}

TEST(MeasureDecoding, BytesAndMemoryAreThoseOfTheModelAndTheProcess) {
    ScriptedDecoder ours;
    ours.lead = 1;  // an engine alone
    const DecodingMeasurement m = measure_decoding(
        card(), ours, nullptr, 1, {.context = 30, .new_tokens = 9, .seconds = 0.1});
    EXPECT_EQ(m.weight_bytes, 3'000'000u);
    EXPECT_EQ(m.token_cache_bytes, 3000u);
    EXPECT_DOUBLE_EQ(m.ours.gb_per_s, 2.003) << "2,003,000 bytes in a millisecond";
    EXPECT_GT(m.roof_gb_per_s, 0);
    EXPECT_DOUBLE_EQ(m.ours.share_of_roof, m.ours.gb_per_s / m.roof_gb_per_s);
    EXPECT_EQ(m.ours.loaded_bytes, 5000u);
    EXPECT_EQ(m.ours.activation_bytes, 2000u);
    EXPECT_FALSE(m.theirs || m.ratio || m.agreement);
    const Json json = Json::parse(to_json(m));
    EXPECT_EQ(json.at("context"), 30);
    EXPECT_TRUE(json.at("theirs").is_null());
    EXPECT_EQ(json.at("ours").at("curve_ms").size(), 9u);
}

TEST(MeasureDecoding, OtherLogitsDoNotMatch) {
    class Off final : public DecodingEngine {
    public:
        explicit Off(double by) : by_(by) {}
        DecodedTokens begin(std::span<const std::int64_t>) override { return {{1}, {1}, {by_}, 0}; }
        DecodedTokens go_on(std::span<const std::int64_t> tokens) override {
            DecodedTokens decoded;
            decoded.ms.assign(tokens.size(), 1);
            decoded.choices.assign(tokens.size(), 1);
            decoded.logits.assign(tokens.size(), by_);
            return decoded;
        }
        DecoderState state() override { return {}; }

    private:
        double by_;
    };
    Off ours(10), theirs(10.5);
    const DecodingOptions options{.context = 4, .new_tokens = 2, .seconds = 0.05};
    const DecodingMeasurement m = measure_decoding(card(), ours, &theirs, 1, options);
    EXPECT_FALSE(m.agreement->matches);
    EXPECT_NEAR(m.agreement->difference, 0.5 / 10.5, 1e-12);
}

TEST(MeasureDecoding, RefusesContextsBeyondTheTables) {
    ScriptedDecoder ours;
    try {
        measure_decoding(card(), ours, nullptr, 1, {.context = 60, .new_tokens = 5});
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_input);
        EXPECT_NE(error.message().find("64 rows"), std::string::npos) << error.message();
    }
    EXPECT_THROW(measure_decoding(card(), ours, nullptr, 1, {.context = 0}), Error);
}

TEST(MeasureDecoding, RefusesContextsBeyondALimitAndBeyondMemory) {
    const auto refusal = [](const DecoderCard& card, std::int64_t context) -> std::string {
        try {
            check_decoding(card, {.context = context, .new_tokens = 1});
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::limit_exceeded) << error.what();
            return error.message();
        }
        return {};
    };
    DecoderCard card;
    EXPECT_EQ(refusal(card, most_context), "");
    EXPECT_NE(refusal(card, most_context + 1).find("at most 1048576"), std::string::npos);
    card.cache_row_bytes = std::uint64_t{1} << 40;
    EXPECT_NE(refusal(card, most_context - 1).find("caches for 1048576 tokens"), std::string::npos);
}

TEST(DecoderCard, CountsWhatATokenReads) {
    const Model model = small_llama();
    const DecoderCard card = decoder_card(model);
    EXPECT_EQ(card.vocabulary, 97);
    EXPECT_EQ(card.most_positions, 64);
    EXPECT_EQ(card.cache_row_bytes, 4u * 2 * 8 * sizeof(float));
    // Products of both layers and the head: qkv 32x64, o 32x32, three of 32x64; head 32x97.
    const std::uint64_t products = 2 * (32 * 64 + 32 * 32 + 3 * 32 * 64) + 32 * 97;
    EXPECT_GE(card.token_weight_bytes, products * sizeof(float));
    EXPECT_LT(card.token_weight_bytes, products * sizeof(float) + 1000) << "norms are small";
    // The table of tokens and those of positions are not read as a whole.
    EXPECT_GE(card.weight_bytes, card.token_weight_bytes + 97 * 32 * sizeof(float));
}

class OwnDecoder : public ::testing::Test {
protected:
    OwnDecoder() {
        setup.model = folder / "small.onnx";
        save_model(small_llama(), setup.model);
        setup.capacity = 32;
    }
    const TemporaryFolder folder;
    DecodingSetup setup;
    const std::vector<std::int64_t> prompt{3, 90, 14, 15, 92}, tokens{65, 35, 8};
};

TEST_F(OwnDecoder, FixedAndGrowingCachesChooseTheSameTokens) {
    std::vector<DecodedTokens> all;
    for (const CacheStorage storage : {CacheStorage::fixed, CacheStorage::growing}) {
        setup.storage = storage;
        const auto engine = open_own_decoder(setup);
        for (int pass = 0; pass < 2; ++pass) {
            all.push_back(engine->begin(prompt));
            EXPECT_EQ(all.back().ms.size(), 1u);
            all.push_back(engine->go_on(tokens));
            EXPECT_EQ(all.back().ms.size(), 3u);
        }
        EXPECT_EQ(engine->state().storage, storage);
        EXPECT_GT(engine->state().cache_bytes, 0u);
        EXPECT_GT(engine->state().load_ms, 0);
    }
    for (std::size_t i = 2; i < all.size(); ++i) {
        EXPECT_EQ(all[i].choices, all[i % 2].choices) << i;
        EXPECT_EQ(all[i].logits, all[i % 2].logits) << i;
    }
}

TEST_F(OwnDecoder, AServerAnswersLines) {
    DecodingServer server(BenchEngineKind::lapidary, {}, {});
    const auto answer = [&](const std::string& line) { return Json::parse(server.answer(line)); };
    EXPECT_NE(answer(R"({"do":"begin","tokens":[1]})").at("error").get<std::string>().find("open"),
              std::string::npos);
    EXPECT_TRUE(answer("no JSON").contains("error"));
    EXPECT_TRUE(answer(R"({"do":"dance"})").contains("error"));
    const Json open = {{"do", "open"},
                       {"setup",
                        {{"model", setup.model.string()},
                         {"level", "all"},
                         {"intra", 1},
                         {"caches", "fixed"},
                         {"capacity", 6}}}};
    EXPECT_EQ(answer(open.dump()), Json::object());
    const Json begun = answer(R"({"do":"begin","tokens":[3,90,14,15,92]})");
    const auto engine = open_own_decoder(setup);
    EXPECT_EQ(begun.at("choices")[0], engine->begin(prompt).choices[0]);
    EXPECT_EQ(answer(R"({"do":"go_on","tokens":[65]})").at("choices")[0],
              engine->go_on({tokens.data(), 1}).choices[0]);
    EXPECT_EQ(answer(R"({"do":"state"})").at("caches"), "fixed");
    const Json recorded = answer(R"({"do":"record","tokens":[3,90,14,15,92,65]})");
    EXPECT_EQ(recorded.at("context"), 6);
    EXPECT_GT(recorded.at("wall_ms"), 0);
    EXPECT_EQ(recorded.at("head_type"), "f32");
    EXPECT_NE(answer(R"({"do":"go_on","tokens":[1]})").at("error").get<std::string>().find("room"),
              std::string::npos);
}

}  // namespace
}  // namespace lapidary
