// SPDX-License-Identifier: Apache-2.0
// GreedySearch, Sampling, BeamSearch and WhisperBeamSearch of com.microsoft, run through sessions
// because they need subgraphs; tokens and scores are those that tests/peers/generation.py had from
// ONNX Runtime.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/internal/parse_json.h>
#include <lapidary/exec/session.h>
#include <lapidary/internal/text_file.h>

#include "support/generation_graphs.h"
#include "support/test_data.h"

namespace lapidary::test {
namespace {

using Json = nlohmann::json;

NamedValues run(const std::string& text, const NamedValues& inputs) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 17;
    model->opset_imports["com.microsoft"] = 1;
    model->graph = parse_graph(text);
    return Session::compile(model, {}).run(inputs).outputs;
}

std::string failure_of(const std::string& text, const NamedValues& inputs) {
    try {
        run(text, inputs);
    } catch (const Error& e) { return e.what(); }
    return "no error";
}

Tensor i32(Shape shape, const std::vector<std::int32_t>& values) {
    return Tensor::of<std::int32_t>(std::move(shape), values);
}

Tensor tensor_of(const Json& entry) {
    Shape shape(entry.at("shape").get<std::vector<std::int64_t>>());
    if (entry.at("type") == "i32")
        return i32(std::move(shape), entry.at("elements").get<std::vector<std::int32_t>>());
    return Tensor::of<float>(std::move(shape), entry.at("elements").get<std::vector<float>>());
}

std::string type_of(const Tensor& tensor) {
    return std::string(name_of(tensor.dtype())) + to_string(tensor.shape());
}

std::string attribute_text(const Json& attributes) {
    std::string text;
    for (const auto& [name, value] : attributes.items()) {
        std::string number = value.is_number_integer() ? std::to_string(value.get<std::int64_t>())
                                                       : fmt::format("{:.9g}", value.get<float>());
        if (value.is_number_float() && number.find_first_of(".e") == std::string::npos)
            number += ".0";
        text += (text.empty() ? "" : ", ") + name + ": " + number;
    }
    return text;
}

GenerationGraph graph_of(const Json& entry, NamedValues& inputs) {
    GenerationGraph graph;
    graph.op = entry.at("op").get<std::string>();
    graph.kind = entry.at("kind").get<std::string>();
    graph.hidden_states = entry.value("hidden_states", true);
    graph.initial = entry.value("initial", true);
    graph.one_token = entry.value("one_token", true);
    graph.attributes = attribute_text(entry.at("attributes"));
    for (const auto& [name, value] : entry.at("inputs").items()) {
        const Tensor tensor = tensor_of(value);
        graph.inputs.emplace_back(name, type_of(tensor));
        inputs.emplace_back(name, tensor);
    }
    graph.outputs.clear();
    for (const char* name : {"sequences", "sequences_scores", "scores"})
        if (entry.at("outputs").contains(name)) graph.outputs.emplace_back(name);
    return graph;
}

TEST(Generation, GivesTheTokensAndScoresOfOnnxRuntime) {
    const Json cases = parse_json(
        load_text(fixtures_folder() / "generation/recorded.json", 4 << 20), "recorded.json");
    std::map<std::string, int> compared;
    for (const Json& entry : cases) {
        NamedValues inputs;
        const GenerationGraph graph = graph_of(entry, inputs);
        SCOPED_TRACE(entry.dump().substr(0, 900));
        const NamedValues found = run(text_of(graph), inputs);
        ASSERT_EQ(found.size(), graph.outputs.size());
        for (const auto& [name, value] : found) {
            const Tensor expected = tensor_of(entry.at("outputs").at(name)),
                         &tensor = value.tensor();
            ASSERT_EQ(type_of(tensor), type_of(expected)) << name;
            if (name == "sequences") {
                const auto a = tensor.data<std::int32_t>(), b = expected.data<std::int32_t>();
                ASSERT_EQ(std::vector(a.begin(), a.end()), std::vector(b.begin(), b.end()));
                continue;
            }
            const auto a = tensor.data<float>(), b = expected.data<float>();
            for (std::size_t i = 0; i < a.size(); ++i)
                ASSERT_NEAR(a[i], b[i], 1e-4 * (1 + std::fabs(b[i]))) << name << " element " << i;
        }
        ++compared[graph.op + " " + graph.kind];
    }
    for (const char* kind : {"GreedySearch gpt", "Sampling gpt", "BeamSearch gpt", "BeamSearch t5",
                             "BeamSearch whisper", "WhisperBeamSearch whisper"})
        EXPECT_GE(compared[kind], 10) << kind;
}

/// Sampling with a decoder that gives each prompt the same logits: the logarithms of `likely`.
NamedValues sample(const std::vector<float>& likely, std::int64_t rows, std::int32_t seed,
                   const std::string& more, std::int32_t length = 2) {
    const std::size_t tokens = likely.size();
    std::string table;
    for (std::size_t i = 0; i < tokens * tokens; ++i)
        table += fmt::format("{}{:.9g}", i == 0 ? "" : ",", std::log(likely[i % tokens]));
    const std::string text = fmt::format(
        "(ids: i32[{0},1], length: i32[1], seed: i32[1]) -> (y)\n"
        "y = com.microsoft::Sampling(ids, length, _, _, _, _, _, _, seed) {{decoder: graph {{\n"
        "(d: i32[r,n], p: i32[r,n], m: i32[r,t], past: f32[2,r,1,k,1]) -> (logits, present)\n"
        "logits = Gather(table: f32[{1},{1}]{{{2}}}, d)\n"
        "present = Concat(past, past) {{axis: 3}}\n"
        "}}, eos_token_id: {1}, pad_token_id: 0{3}}}\n",
        rows, tokens, table, more);
    return run(text, {{"ids", Tensor(i32({rows, 1}, std::vector<std::int32_t>(
                                                        static_cast<std::size_t>(rows), 1)))},
                      {"length", i32({1}, {length})},
                      {"seed", i32({1}, {seed})}});
}

std::vector<double> frequencies(const std::vector<float>& likely, const std::string& more) {
    constexpr std::int64_t rows = 200, runs = 50;
    std::vector<double> counts(likely.size(), 0);
    for (std::int32_t seed = 0; seed < runs; ++seed) {
        const NamedValues out = sample(likely, rows, seed * 7919 + 1, more);
        const auto tokens = out[0].second.tensor().data<std::int32_t>();
        for (std::size_t r = 0; r < static_cast<std::size_t>(rows); ++r)
            counts.at(static_cast<std::size_t>(tokens[2 * r + 1])) += 1.0 / (rows * runs);
    }
    return counts;
}

// Four standard deviations of 10000 draws.
void expect_frequencies(const std::vector<double>& found, const std::vector<double>& expected) {
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(found[i], expected[i],
                    1e-9 + 4 * std::sqrt(expected[i] * (1 - expected[i]) / 10000))
            << "token " << i;
}

TEST(Sampling, DrawsEachTokenAsOftenAsItIsLikely) {
    const std::vector<float> likely{0.05f, 0.5f, 0.25f, 0.15f, 0.05f};
    expect_frequencies(frequencies(likely, ", top_p: 1.0"), {0.05, 0.5, 0.25, 0.15, 0.05});
    // A temperature of 1/2 squares the probabilities.
    const double total = 0.0025 + 0.25 + 0.0625 + 0.0225 + 0.0025;
    expect_frequencies(
        frequencies(likely, ", top_p: 1.0, temperature: 0.5"),
        {0.0025 / total, 0.25 / total, 0.0625 / total, 0.0225 / total, 0.0025 / total});
}

TEST(Sampling, LeavesOutTheTokensBehindTopP) {
    const std::vector<float> likely{0.05f, 0.5f, 0.25f, 0.15f, 0.05f};
    // 0.5 and 0.25 add up to more than 0.7; the others go.
    for (const char* way : {"", ", custom: 1"})
        expect_frequencies(frequencies(likely, std::string(", top_p: 0.7") + way),
                           {0, 2.0 / 3, 1.0 / 3, 0, 0});
    expect_frequencies(frequencies(likely, ", top_p: 0.7, min_tokens_to_keep: 3"),
                       {0, 0.5 / 0.9, 0.25 / 0.9, 0.15 / 0.9, 0});
}

TEST(Sampling, OfTheMostLikelyTokenAloneIsGreedy) {
    const std::vector<float> likely{0.05f, 0.3f, 0.25f, 0.35f, 0.05f};
    for (const char* way : {", top_p: 0.0, min_tokens_to_keep: 1", ", top_p: 0.0, custom: 1"})
        expect_frequencies(frequencies(likely, way), {0, 0, 0, 1, 0});
    // Without a least number of tokens nothing stays, which leaves all equally likely.
    expect_frequencies(frequencies(likely, ", top_p: 0.0"), {0.2, 0.2, 0.2, 0.2, 0.2});
}

TEST(Sampling, TheSameSeedGivesTheSameTokensAndAnotherSeedOthers) {
    const std::vector<float> likely(5, 0.2f);
    const auto tokens = [&](std::int32_t seed) {
        const NamedValues out = sample(likely, 20, seed, ", top_p: 1.0", 6);
        const auto data = out[0].second.tensor().data<std::int32_t>();
        return std::vector<std::int32_t>(data.begin(), data.end());
    };
    EXPECT_EQ(tokens(5), tokens(5));
    EXPECT_NE(tokens(5), tokens(6));
}

// The penalty is taken from the score of each token of the mask, as ONNX Runtime's CUDA kernel
// does.
TEST(Sampling, PenalizesTheTokensOfThePresenceMask) {
    GenerationGraph graph{
        .op = "Sampling",
        .attributes = "eos_token_id: 4, pad_token_id: 0, custom: 1, presence_penalty: 100.0",
        .inputs = {
            {"input_ids", "i32[1,3]"}, {"max_length", "i32[1]"}, {"presence_mask", "i32[1,20]"}}};
    std::vector<std::int32_t> mask(20, 0);
    NamedValues inputs{{"input_ids", i32({1, 3}, {3, 5, 7})},
                       {"max_length", i32({1}, {4})},
                       {"presence_mask", {}}};
    const auto next = [&] {
        inputs[2].second = i32({1, 20}, mask);
        return run(text_of(graph), inputs)[0].second.tensor().data<std::int32_t>()[3];
    };
    const std::int32_t first = next();
    mask[static_cast<std::size_t>(first)] = 1;
    EXPECT_NE(next(), first);
}

TEST(Sampling, RefusesWhatItDoesNotRead) {
    const std::vector<float> likely(5, 0.2f);
    const auto refusal = [&](const std::string& more, std::int32_t seed = 1) -> std::string {
        try {
            sample(likely, 1, seed, more);
        } catch (const Error& e) { return e.what(); }
        return "no error";
    };
    const auto expect = [](const std::string& found, const std::string& part) {
        EXPECT_NE(found.find(part), std::string::npos) << found;
    };
    expect(refusal(", top_p: 1.5"), "Sampling: attribute top_p: expected 0 to 1, found 1.5");
    expect(refusal(", min_tokens_to_keep: 5"),
           "Sampling: attribute min_tokens_to_keep: expected 0 to 4, found 5");
    expect(refusal("", -1), "Sampling: input seed: expected one integer of at least 0, found -1");
    expect(refusal(", model_type: 1"), "Sampling: attribute model_type: expected 0 (GPT), found 1");
    expect(refusal(", encoder: graph { (e: i32[1]) -> (f)\nf = Neg(e)\n}"),
           "no kernel of Sampling reads it");
    expect(refusal(", vocab_size: 6"),
           "attribute vocab_size: expected at most the last axis of the logits [1,1,5]");
    GenerationGraph graph{
        .op = "Sampling",
        .attributes = "eos_token_id: 4, pad_token_id: 0",
        .inputs = {
            {"input_ids", "i32[1,3]"}, {"max_length", "i32[1]"}, {"presence_mask", "i32[1,3]"}}};
    const NamedValues inputs{{"input_ids", i32({1, 3}, {3, 5, 7})},
                             {"max_length", i32({1}, {4})},
                             {"presence_mask", i32({1, 3}, {1, 1, 1})}};
    expect(failure_of(text_of(graph), inputs),
           "Sampling: input presence_mask: expected 1 rows of 20 tokens, found 3 elements");
    graph.inputs.pop_back();
    graph.outputs.emplace_back("filtered_logits");
    expect(failure_of(text_of(graph), {inputs[0], inputs[1]}), "filtered_logits");
}

/// A BeamSearch that runs, for refusals of what is changed in it.
GenerationGraph beams(const std::string& kind) {
    GenerationGraph graph{
        .op = "BeamSearch", .kind = kind, .attributes = "eos_token_id: 4, pad_token_id: 0"};
    if (kind != "gpt") graph.attributes += ", decoder_start_token_id: 1";
    graph.inputs = {{"input_ids", "i32[1,3]"},
                    {"max_length", "i32[1]"},
                    {"num_beams", "i32[1]"},
                    {"num_return_sequences", "i32[1]"}};
    return graph;
}

NamedValues beam_inputs() {
    return {{"input_ids", i32({1, 3}, {3, 5, 7})},
            {"max_length", i32({1}, {6})},
            {"num_beams", i32({1}, {2})},
            {"num_return_sequences", i32({1}, {1})}};
}

std::string replaced(std::string text, const std::string& part, const std::string& other) {
    const std::size_t at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    return at == std::string::npos ? text : text.replace(at, part.size(), other);
}

TEST(BeamSearch, RefusesSubgraphsOfAnotherForm) {
    const GenerationGraph graph = beams("t5");
    const std::string text = text_of(graph);
    ASSERT_EQ(failure_of(text, beam_inputs()), "no error");
    const auto expect = [&](const std::string& changed, const std::string& part) {
        const std::string found = failure_of(changed, beam_inputs());
        EXPECT_NE(found.find(part), std::string::npos) << found;
    };
    expect(replaced(text, "model_type: 1", "model_type: 3"),
           "BeamSearch: attribute model_type: expected 0 (GPT), 1 (T5) or 2 (Whisper), found 3");
    expect(replaced(text, "decoder_start_token_id: 1", "decoder_start_token_id: -1"),
           "BeamSearch: attribute decoder_start_token_id: expected the token that decoding starts "
           "with, found -1");
    expect(replaced(text, "-> (logits, present_key_self_0, present_value_self_0)",
                    "-> (logits, present_key_self_0)"),
           "BeamSearch: decoder: expected logits and two caches for each of 1 layers as outputs, "
           "found 2");
    expect(replaced(text, "encoder_hidden_states: f32[rows,frames,8], past",
                    "hidden: f32[rows,frames,8], past"),
           "BeamSearch: decoder: expected the inputs input_ids, encoder_attention_mask, perhaps "
           "encoder_hidden_states, and four caches a layer, found 7 inputs");
    expect(replaced(text, ", present_value_cross_0)", ")"),
           "BeamSearch: encoder: expected 6 outputs for the decoder's 1 layers, found 5");
    GenerationGraph without = graph;
    without.initial = false;
    expect(text_of(without), "BeamSearch: decoder: expected no input encoder_hidden_states");
    expect(replaced(text, "encoder: graph", "init_decoder: graph"),
           "BeamSearch: expected the attributes encoder and decoder for model_type 1, found none "
           "for encoder");
}

TEST(BeamSearch, RefusesInputsThatDoNotFit) {
    const auto refusal = [](const std::string& kind, const std::string& input,
                            const Tensor& value) {
        GenerationGraph graph = beams(kind);
        NamedValues inputs = beam_inputs();
        std::erase_if(graph.inputs, [&](const auto& i) { return i.first == input; });
        std::erase_if(inputs, [&](const auto& i) { return i.first == input; });
        graph.inputs.emplace_back(input, type_of(value));
        inputs.emplace_back(input, value);
        return failure_of(text_of(graph), inputs);
    };
    const auto expect = [](const std::string& found, const std::string& part) {
        EXPECT_NE(found.find(part), std::string::npos) << found;
    };
    expect(refusal("t5", "decoder_input_ids", i32({1, 1}, {1})),
           "BeamSearch: input decoder_input_ids: expected none but for Whisper (model_type 2)");
    expect(refusal("gpt", "logits_processor", i32({1}, {1})),
           "input logits_processor: expected 0 (none), found 1");
    expect(refusal("gpt", "vocab_mask", i32({3}, {1, 1, 1})),
           "input vocab_mask: expected 1 rows of 20 tokens, found 3 elements");
    expect(refusal("t5", "attention_mask", i32({1, 2}, {1, 1})),
           "expected an attention_mask [1,3]");
    expect(refusal("t5", "num_beams", i32({1}, {0})),
           "input num_beams: expected one integer of 1 to 1024, found 0");
    expect(refusal("t5", "num_return_sequences", i32({1}, {3})),
           "input num_return_sequences: expected at most num_beams 2, found 3");
    expect(refusal("t5", "max_length", i32({1}, {1})),
           "input max_length: expected more than the 1 tokens of the prompt and at most 65536, "
           "found 1");
}

}  // namespace
}  // namespace lapidary::test
