// SPDX-License-Identifier: Apache-2.0
// Tokens of small decoders: fixed, growing and no caches choose the same tokens, however many are
// run at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/generation/generator.h>
#include <lapidary/generation/measure_decoding.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/passes/optimize.h>

#include "samples/gpt2.h"
#include "samples/llama.h"

namespace lapidary {
namespace {

ModelPtr small_llama() {
    static const ModelPtr model = std::make_shared<Model>(samples::llama({.name = "small",
                                                                          .layers = 2,
                                                                          .width = 32,
                                                                          .inner = 64,
                                                                          .heads = 4,
                                                                          .key_heads = 2,
                                                                          .vocabulary = 97,
                                                                          .positions = 64},
                                                                         5));
    return model;
}

/// Caches that Concat makes longer, a causal mask by Where, a mask of padding that is added.
ModelPtr small_gpt2() {
    static const ModelPtr model = std::make_shared<Model>(samples::gpt2(
        {.name = "small", .layers = 2, .width = 32, .heads = 4, .vocabulary = 97, .positions = 64},
        5));
    return model;
}

ModelPtr at_level(const ModelPtr& model, Level level) {
    OptimizeOptions options;
    options.level = level;
    return std::make_shared<Model>(optimize(*model, options).model);
}

/// A decoder without caches: a running sum of embeddings, from which each token's logits are made.
ModelPtr without_caches() {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 18;
    model->graph = parse_graph(
        "(input_ids: i64[b,s]) -> (logits)\n"
        "x = Gather(table: f32[5,3]{1,-2,3,0.5,2,-1,-3,1,1,2,2,-2,0,1,-1}, input_ids)\n"
        "sums = CumSum(x, axis: i64[]{1})\n"
        "logits = MatMul(sums, head: f32[3,5]{1,0,2,-1,3,0,1,-2,1,1,2,-1,0,1,-2})\n",
        {.opset = 18});
    return model;
}

GenerateRequest request(std::int64_t sequences = 1) {
    GenerateRequest request;
    request.prompt.sequences = sequences;
    for (std::int64_t i = 0; i < 5 * sequences; ++i)
        request.prompt.ids.push_back((i * 31 + 7) % 97);
    request.new_tokens = 12;
    return request;
}

std::vector<std::vector<std::int64_t>> tokens_of(const ModelPtr& model, GeneratorOptions options,
                                                 const GenerateRequest& asked) {
    Generator generator = Generator::compile(model, options);
    const GeneratedTokens made = generate(generator, asked);
    EXPECT_EQ(made.token_ms.size() + 1, made.tokens[0].size());
    return made.tokens;
}

/// What a prompt and the tokens behind it give, and the sizes of the logits in the graph.
struct Fed {
    std::vector<float> logits;
    Dim tokens;  // of the logits in the compiled graph
};

Fed fed(const ModelPtr& model, bool only_last, std::int64_t sequences) {
    Generator generator =
        Generator::compile(model, {.capacity = 20, .only_last_logits = only_last});
    Fed found;
    const auto add = [&](const Tensor& logits) {
        const auto all = logits.data<float>();
        found.logits.insert(found.logits.end(), all.begin(), all.end());
    };
    add(generator.feed(request(sequences).prompt));
    for (std::int64_t token = 3; token < 6; ++token)
        add(generator.feed(
            {sequences, std::vector<std::int64_t>(static_cast<std::size_t>(sequences), token)}));
    const Graph& graph = generator.session().model().graph;
    found.tokens = (*graph.value(graph.outputs()[0]).type.shape)[1];
    return found;
}

TEST(LastLogits, AreThoseOfAllLogits) {
    const std::vector<ModelPtr> models{small_llama(), small_gpt2(),
                                       at_level(small_llama(), Level::extended),
                                       at_level(small_gpt2(), Level::extended)};
    for (std::size_t m = 0; m < models.size(); ++m)
        for (const std::int64_t sequences : {1, 3}) {
            SCOPED_TRACE(std::to_string(m) + ", sequences " + std::to_string(sequences));
            const Fed all = fed(models[m], false, sequences),
                      last = fed(models[m], true, sequences);
            EXPECT_EQ(last.tokens, Dim(1)) << last.tokens.symbol();
            EXPECT_NE(all.tokens, Dim(1));
            ASSERT_EQ(all.logits.size(), last.logits.size());
            for (std::size_t i = 0; i < all.logits.size(); ++i)
                ASSERT_NEAR(all.logits[i], last.logits[i], 1e-5f) << i;
        }
}

/// A decoder whose caches are of float32 outside and of float16 inside.
/// `reads_wide`: attention reads what is written, else a Cast of its own, and the number of rows is
/// that of what is written.
ModelPtr rounded_inside(bool reads_wide) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 18;
    model->graph = parse_graph(
        "(input_ids: i64[b,s], past_key_values.0.key: f32[b,1,p,3]) -> (logits, present.0.key)\n"
        "x = Gather(table: f32[5,3]{1,-2,3,0.5,2,-1,-3,1,1,2,2,-2,0,1,-1}, input_ids)\n"
        "rows = Unsqueeze(x, at: i64[1]{1})\n"
        "third = Div(rows, three: f32[]{3})\n"
        "new = Cast(third) {to: 10}\n"
        "past = Cast(past_key_values.0.key) {to: 10}\n"
        "all = Concat(past, new) {axis: 2}\n"
        "present.0.key = Cast(all) {to: 1}\n"
        "wide = Cast(all) {to: 1}\n"
        "sum = ReduceSum(" +
            std::string(reads_wide ? "present.0.key" : "wide") +
            ", rows_axis: i64[1]{2}) {keepdims: 0}\n" +
            (reads_wide ? "mean = Identity(sum)\n"
                        : "sizes = Shape(present.0.key)\n"
                          "rows_in_all = Gather(sizes, two: i64[]{2})\n"
                          "count = Cast(rows_in_all) {to: 1}\n"
                          "mean = Div(sum, count)\n") +
            "mixed = Add(x, mean)\n"
            "logits = MatMul(mixed, head: f32[3,5]{1,0,2,-1,3,0,1,-2,1,1,2,-1,0,1,-2})\n",
        {.opset = 18});
    infer_types(*model);
    return model;
}

/// How many nodes of the decoder's session read a value, which may not be there.
std::size_t readers_of(const Generator& generator, const std::string& name) {
    const Graph& graph = generator.session().model().graph;
    const ValueId id = graph.find_value(name);
    return id ? graph.value(id).uses.size() : 0;
}

TEST(RoundedCaches, AreKeptAsTheModelReadsThem) {
    for (const auto& [storage, reads_wide] :
         {std::pair(CacheStorage::growing, false), std::pair(CacheStorage::automatic, false),
          std::pair(CacheStorage::automatic, true)}) {
        const ModelPtr model = rounded_inside(reads_wide);
        Generator generator = Generator::compile(model, {.storage = storage, .capacity = 16});
        EXPECT_EQ(generator.cache_type(), DType::f16);
        if (!reads_wide) EXPECT_EQ(readers_of(generator, "present.0.key_wide"), 0u);
        Session plain = Session::compile(model, {});
        Tensor past(DType::f32, {1, 1, 0, 3});
        for (const std::int64_t token : {3, 1, 4, 2}) {
            const auto expected =
                plain.run({{"input_ids", Tensor::of<std::int64_t>({1, 1}, std::vector{token})},
                           {"past_key_values.0.key", past}});
            const auto found = generator.feed({1, {token}}).data<float>();
            EXPECT_TRUE(
                std::ranges::equal(found, expected.outputs[0].second.tensor().data<float>()));
            past = expected.outputs[1].second.tensor();
        }
    }
    EXPECT_EQ(decoder_card(*rounded_inside(true)).cache_row_bytes, 3u * 2);
}

TEST(LastLogits, WithoutCachesEveryRunHasOneRowOfThem) {
    Generator all = Generator::compile(without_caches()),
              last = Generator::compile(without_caches(), {.only_last_logits = true});
    for (const std::int64_t token : {1, 4, 2}) {
        const std::vector<std::int64_t> ids{token, token / 2};
        const auto expected = all.feed({1, ids}).data<float>(),
                   found = last.feed({1, ids}).data<float>();
        EXPECT_TRUE(std::ranges::equal(expected, found));
    }
}

TEST(LastLogits, AllOfThemAreRefused) {
    Generator generator = Generator::compile(small_llama(), {.only_last_logits = true});
    try {
        generator.feed_all(request().prompt);
        FAIL();
    } catch (const Error& error) { EXPECT_EQ(error.code(), ErrorCode::invalid_input); }
}

/// Logits that are read elsewhere, or whose product mixes tokens, stay as they are.
TEST(LastLogits, AnotherReaderLeavesThemAlone) {
    auto model = std::make_shared<Model>(*without_caches());
    model->graph = parse_graph(
        "(input_ids: i64[b,s]) -> (logits)\n"
        "x = Gather(table: f32[5,3]{1,-2,3,0.5,2,-1,-3,1,1,2,2,-2,0,1,-1}, input_ids)\n"
        "raw = MatMul(x, head: f32[3,5]{1,0,2,-1,3,0,1,-2,1,1,2,-1,0,1,-2})\n"
        "most = ReduceMax(raw) {axes: [0, 1, 2]}\n"
        "logits = Sub(raw, most)\n",
        {.opset = 17});
    model->opset_imports[""] = 17;
    const std::vector<std::int64_t> ids{1, 4, 2};
    Generator all = Generator::compile(model),
              last = Generator::compile(model, {.only_last_logits = true});
    EXPECT_TRUE(
        std::ranges::equal(all.feed({1, ids}).data<float>(), last.feed({1, ids}).data<float>()));
}

TEST(Generator, FixedAndGrowingCachesGiveEqualLogits) {
    for (const std::int64_t sequences : {1, 3}) {
        Generator fixed =
            Generator::compile(small_llama(), {.storage = CacheStorage::fixed, .capacity = 20});
        Generator growing = Generator::compile(small_llama(), {.storage = CacheStorage::growing});
        EXPECT_EQ(fixed.cache_count(), 4u);
        TokenRows tokens = request(sequences).prompt;
        for (int step = 0; step < 15; ++step) {
            const Tensor& expected = growing.feed(tokens);
            EXPECT_TRUE(same_contents(fixed.feed(tokens), expected)) << "step " << step;
            tokens.ids.assign(static_cast<std::size_t>(sequences), step * 5 % 97);
        }
        EXPECT_EQ(fixed.length(), 19);
        EXPECT_TRUE(fixed.copied_caches().empty()) << fixed.copied_caches();
        EXPECT_EQ(fixed.cache_bytes(),
                  4u * 2 * 8 * 20 * sizeof(float) * static_cast<std::uint64_t>(sequences));
    }
}

TEST(Generator, CachesOfConcatAreContinuedInPlace) {
    for (const Level level : {Level::disabled, Level::all}) {
        const ModelPtr model = at_level(small_gpt2(), level);
        Generator fixed =
            Generator::compile(model, {.storage = CacheStorage::fixed, .capacity = 20});
        Generator growing = Generator::compile(model, {.storage = CacheStorage::growing});
        TokenRows tokens = request().prompt;
        for (int step = 0; step < 15; ++step) {
            const Tensor expected = growing.feed(tokens).clone();
            const Tensor& found = fixed.feed(tokens);
            for (std::size_t i = 0; i < 97; ++i)
                ASSERT_NEAR(found.data<float>()[i], expected.data<float>()[i], 2e-6f)
                    << "step " << step << ", token " << i;
            tokens.ids.assign(1, step * 5 % 97);
        }
        EXPECT_EQ(growing.storage_reason(), "");
        EXPECT_EQ(fixed.cache_bytes(), 4u * 4 * 8 * 20 * sizeof(float));
        EXPECT_TRUE(fixed.copied_caches().empty()) << fixed.copied_caches();
    }
}

TEST(Generator, CachesOfConcatGrowWithSeveralSequences) {
    Generator generator = Generator::compile(small_gpt2(), {.capacity = 20});
    EXPECT_EQ(generator.storage(), CacheStorage::fixed);
    Generator growing = Generator::compile(small_gpt2(), {.storage = CacheStorage::growing});
    const TokenRows tokens = request(3).prompt;
    const Tensor expected = growing.feed(tokens).clone();
    const Tensor& found = generator.feed(tokens);
    EXPECT_EQ(generator.storage(), CacheStorage::growing);
    EXPECT_NE(generator.storage_reason().find("one sequence"), std::string::npos);
    for (std::size_t i = 0; i < 3 * 97; ++i)
        ASSERT_NEAR(found.data<float>()[i], expected.data<float>()[i], 2e-6f) << i;
}

TEST(Generator, APromptInPartsGivesWhatItGivesAtOnce) {
    for (const CacheStorage storage : {CacheStorage::fixed, CacheStorage::growing}) {
        Generator parts = Generator::compile(small_llama(), {.storage = storage, .capacity = 16});
        Generator whole = Generator::compile(small_llama(), {.storage = storage, .capacity = 16});
        const std::vector<std::int64_t> ids{3, 90, 14, 15, 92, 65};
        const Tensor expected = whole.feed({1, ids}).clone();
        parts.feed({1, {ids.begin(), ids.begin() + 2}});
        parts.feed({1, {ids.begin() + 2, ids.begin() + 3}});
        const Tensor& found = parts.feed({1, {ids.begin() + 3, ids.end()}});
        for (std::size_t i = 0; i < 97; ++i)
            EXPECT_NEAR(found.data<float>()[i], expected.data<float>()[i], 1e-5f) << i;
        parts.reset();
        EXPECT_TRUE(same_contents(parts.feed({1, ids}), expected));
    }
}

TEST(Generator, SequencesDoNotTouchEachOther) {
    const auto together = tokens_of(small_llama(), {.capacity = 32}, request(3));
    ASSERT_EQ(together.size(), 3u);
    for (std::size_t s = 0; s < 3; ++s) {
        GenerateRequest one = request(3);
        const auto begin = one.prompt.ids.begin() + static_cast<std::ptrdiff_t>(5 * s);
        one.prompt = {1, {begin, begin + 5}};
        EXPECT_EQ(tokens_of(small_llama(), {.capacity = 32}, one)[0], together[s]) << s;
    }
}

TEST(Generator, WithoutCachesAllTokensRunAgain) {
    Generator generator = Generator::compile(without_caches());
    EXPECT_EQ(generator.cache_count(), 0u);
    EXPECT_EQ(generator.storage_reason(), "the model has no caches");
    const Tensor expected = generator.feed({2, {0, 1, 2, 4, 3, 3}}).clone();
    generator.reset();
    generator.feed({2, {0, 1, 4, 3}});
    EXPECT_TRUE(same_contents(generator.feed({2, {2, 3}}), expected));
    EXPECT_EQ(generator.length(), 3);
}

TEST(Generator, StopTokensAndTheCallerEndIt) {
    GenerateRequest asked = request();
    const auto all = tokens_of(small_llama(), {.capacity = 32}, asked)[0];
    asked.stop_tokens = {all[4]};
    const auto stopped = tokens_of(small_llama(), {.capacity = 32}, asked)[0];
    EXPECT_EQ(stopped.back(), all[4]);
    EXPECT_LE(stopped.size(), 5u);
    asked.stop_tokens.clear();
    int calls = 0;
    asked.on_token = [&](std::int64_t, std::int64_t) { return ++calls < 3; };
    EXPECT_EQ(tokens_of(small_llama(), {.capacity = 32}, asked)[0].size(), 3u);
}

TEST(Generator, PlannedMemoryChangesNoLogit) {
    const auto model = std::make_shared<const Model>(samples::gpt2(
        {.name = "long", .layers = 2, .width = 32, .heads = 4, .vocabulary = 97, .positions = 200},
        5));
    for (const CacheStorage storage : {CacheStorage::fixed, CacheStorage::growing}) {
        GeneratorOptions planned{.storage = storage, .capacity = 200};
        GeneratorOptions plain = planned;
        plain.session.enable_mem_pattern = false;
        Generator a = Generator::compile(model, planned), b = Generator::compile(model, plain);
        TokenRows next{1, {5, 17, 3}};
        while (a.length() < 190) {
            const Tensor& found = a.feed(next);
            ASSERT_TRUE(same_contents(found, b.feed(next))) << "behind " << a.length();
            next.ids = {std::ranges::max_element(found.data<float>()) -
                        found.data<float>().begin()};
        }
        EXPECT_GT(a.session().plan().arena_bytes, 0u);
    }
}

std::string refusal(const ModelPtr& model, const GeneratorOptions& options = {}) {
    try {
        Generator::compile(model, options);
    } catch (const Error& error) { return error.message(); }
    return "";
}

TEST(Generator, CachesOfFloatMayBeKeptInHalves) {
    const auto logits_of = [](const GeneratorOptions& options, std::uint64_t& bytes) {
        Generator generator = Generator::compile(small_llama(), options);
        std::vector<Tensor> logits{generator.feed({1, {7, 38, 69, 3, 34}}).clone()};
        for (const std::int64_t token : {11, 80, 2, 55})
            logits.push_back(generator.feed({1, {token}}).clone());
        bytes = generator.cache_bytes();
        return logits;
    };
    std::uint64_t wide_bytes = 0, bytes = 0, grown_bytes = 0;
    const auto wide = logits_of({.capacity = 32}, wide_bytes),
               halves = logits_of({.capacity = 32, .half_caches = true}, bytes),
               grown =
                   logits_of({.storage = CacheStorage::growing, .half_caches = true}, grown_bytes);
    EXPECT_EQ(2 * bytes, wide_bytes);
    for (std::size_t i = 0; i < wide.size(); ++i) {
        EXPECT_TRUE(same_contents(halves[i], grown[i])) << "run " << i;
        const auto expected = wide[i].data<float>(), found = halves[i].data<float>();
        for (std::size_t j = 0; j < expected.size(); ++j)
            ASSERT_NEAR(found[j], expected[j], 5e-3) << "run " << i;
    }
    EXPECT_NE(refusal(small_gpt2(), {.half_caches = true}).find("caches of float16"),
              std::string::npos);
}

TEST(Generator, CachesOfFloatMayBeKeptInBytes) {
    const GeneratorOptions wide{.capacity = 32}, bytes{.capacity = 32, .byte_caches = true},
        growing{.storage = CacheStorage::growing, .byte_caches = true};
    Generator expected = Generator::compile(small_llama(), wide),
              found = Generator::compile(small_llama(), bytes),
              grown = Generator::compile(small_llama(), growing);
    double signal = 0, noise = 0;
    for (const TokenRows& tokens :
         {TokenRows{1, {7, 38, 69, 3, 34}}, TokenRows{1, {11}}, TokenRows{1, {80}}}) {
        const Tensor& exact = expected.feed(tokens);
        const Tensor& rounded = found.feed(tokens);
        EXPECT_TRUE(same_contents(rounded, grown.feed(tokens))) << "behind " << found.length();
        EXPECT_EQ(found.copied_caches(), "");
        for (std::size_t i = 0; i < exact.data<float>().size(); ++i) {
            const double value = static_cast<double>(exact.data<float>()[i]),
                         error = static_cast<double>(rounded.data<float>()[i]) - value;
            signal += value * value, noise += error * error;
        }
    }
    EXPECT_GT(10 * std::log10(signal / noise), 30) << "decibels of the logits";
    EXPECT_EQ(found.cache_type(), DType::i8);
    EXPECT_EQ(found.storage(), CacheStorage::fixed);
    EXPECT_LT(2 * found.cache_bytes(), expected.cache_bytes());
    EXPECT_NE(refusal(small_gpt2(), {.byte_caches = true}).find("caches of 8 bits"),
              std::string::npos);
    EXPECT_NE(refusal(small_llama(), {.half_caches = true, .byte_caches = true}).find("both"),
              std::string::npos);
}

TEST(Generator, LevelsChooseTheSameTokens) {
    const auto expected = tokens_of(small_llama(), {.capacity = 32}, request());
    EXPECT_EQ(tokens_of(at_level(small_llama(), Level::all), {.capacity = 32}, request()),
              expected);
}

TEST(Generator, RefusesWhatIsNoDecoder) {
    const auto model = [](const std::string& text) {
        auto made = std::make_shared<Model>();
        made->opset_imports[""] = 18;
        made->graph = parse_graph(text, {.opset = 18});
        infer_types(*made);
        return made;
    };
    EXPECT_NE(refusal(model("(x: f32[2,3]) -> (y)\ny = Relu(x)\n")).find("input \"x\""),
              std::string::npos);
    EXPECT_NE(
        refusal(model("(input_ids: i64[1,s]) -> (logits)\nlogits = Cast(input_ids) {to: 1}\n"))
            .find("output \"logits\""),
        std::string::npos);
    EXPECT_NE(refusal(without_caches(), {.storage = CacheStorage::fixed}).find("no caches"),
              std::string::npos);
    EXPECT_NE(refusal(small_llama(), {.capacity = 0}).find("capacity"), std::string::npos);
}

TEST(Generator, RefusesMoreTokensThanThereIsRoomFor) {
    Generator generator =
        Generator::compile(small_llama(), {.storage = CacheStorage::fixed, .capacity = 4});
    generator.feed({1, {1, 2, 3}});
    EXPECT_THROW(generator.feed({1, {1, 2}}), Error);
    EXPECT_THROW(generator.feed({2, {1, 2}}), Error);
    EXPECT_THROW(generator.feed({1, {}}), Error);
    EXPECT_THROW(generator.feed({1, {-1}}), Error);
    EXPECT_THROW(generator.feed({1, {97}}), Error);
    EXPECT_NO_THROW(generator.feed({1, {4}}));
}

}  // namespace
}  // namespace lapidary
