// SPDX-License-Identifier: Apache-2.0
// lapidary-cli generate: prompts of text, where their tokenizer lies, and what ends the answer.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lapidary/onnx_io/model_io.h>

#include "app/command_runner.h"
#include "samples/llama.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

using Tokens = std::vector<std::int64_t>;

/// Words "w0", "w1", ... with their numbers.
std::string word_tokenizer(int words) {
    std::string vocabulary;
    for (int i = 0; i < words; ++i) {
        const std::string number = std::to_string(i);
        vocabulary += (i == 0 ? "\"w" : ",\"w") + number + "\":" + number;
    }
    return R"({"version":"1.0","truncation":null,"padding":null,"added_tokens":[],)"
           R"("normalizer":null,"pre_tokenizer":{"type":"WhitespaceSplit"},)"
           R"("post_processor":null,"decoder":null,"model":{"type":"WordLevel","vocab":{)" +
           vocabulary + R"(},"unk_token":"w0"}})";
}

class GenerateCommand : public testing::Test {
protected:
    GenerateCommand() : model_((folder_ / "onnx" / "model.onnx").string()) {
        std::filesystem::create_directory(folder_ / "onnx");
        save_model(samples::llama({.name = "small",
                                   .layers = 2,
                                   .width = 32,
                                   .inner = 64,
                                   .heads = 4,
                                   .key_heads = 2,
                                   .vocabulary = 97,
                                   .positions = 64},
                                  5),
                   model_);
        write("tokenizer.json", word_tokenizer(97));
    }
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name) << text;
    }
    CommandOutcome generate(std::vector<std::string> words) const {
        words.insert(words.begin(), {"generate", model_, "--new-tokens", "8"});
        return run(words);
    }
    Json answer(std::vector<std::string> words) const {
        words.emplace_back("--json");
        const CommandOutcome outcome = generate(std::move(words));
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.code == 0 ? outcome.json() : Json();
    }
    const TemporaryFolder folder_;
    const std::string model_;
};

TEST_F(GenerateCommand, ComputeAutoSaysWhyWeightsStayExact) {
    const Json json = answer({"--prompt-tokens", "1,5,9", "--compute", "auto"});
    ASSERT_TRUE(json.contains("compute_choice"));
    EXPECT_EQ(json["compute_choice"]["chosen"], "exact") << "its weights are small";
    EXPECT_EQ(json["tokens"], answer({"--prompt-tokens", "1,5,9"})["tokens"]);
    const CommandOutcome text = generate({"--prompt-tokens", "1,5,9", "--compute", "auto"});
    EXPECT_NE(text.out.find("compute  exact: nothing was rounded: no product has"),
              std::string::npos)
        << text.out;
}

std::string words_of(const Tokens& tokens) {
    std::string text;
    for (const std::int64_t token : tokens)
        text += (text.empty() ? "w" : " w") + std::to_string(token);
    return text;
}

TEST_F(GenerateCommand, APromptOfTextGetsAnAnswerOfText) {
    const Json numbers = answer({"--prompt-tokens", "7,38,69"});
    const Json text = answer({"--prompt", "w7 w38 w69"});
    const auto tokens = text.at("tokens").get<Tokens>();
    EXPECT_EQ(tokens.size(), 8u);
    EXPECT_EQ(tokens, numbers.at("tokens").get<Tokens>());
    EXPECT_EQ(text.at("prompt"), (Tokens{7, 38, 69}));
    EXPECT_EQ(text.at("text"), words_of(tokens));
    EXPECT_EQ(text.at("tokenizer"), (folder_ / "tokenizer.json").string());
    EXPECT_TRUE(text.at("stop_tokens").empty());
    EXPECT_FALSE(text.contains("stopped_by"));
    EXPECT_FALSE(numbers.contains("text")) << "no tokenizer is asked for";
    const CommandOutcome shown = generate({"--prompt", "w7 w38 w69"});
    EXPECT_NE(shown.out.find("\n" + words_of(tokens) + "\n"), std::string::npos) << shown.out;
    EXPECT_EQ(shown.out.find("\ntokens  "), std::string::npos) << shown.out;
    EXPECT_EQ(shown.err, "");
}

TEST_F(GenerateCommand, APromptMayComeFromAFile) {
    write("prompt.txt", "w7\nw38 w69\n");
    const Json text = answer({"--prompt-file", (folder_ / "prompt.txt").string()});
    EXPECT_EQ(text.at("prompt"), (Tokens{7, 38, 69}));
    write("prompt.txt", "\xFF");
    expect_error(generate({"--prompt-file", (folder_ / "prompt.txt").string()}), 3,
                 {"prompt.txt", "UTF-8"});
}

TEST_F(GenerateCommand, ATokenizerMayLieElsewhere) {
    write("words.json", word_tokenizer(97));
    std::filesystem::remove(folder_ / "tokenizer.json");
    expect_error(
        generate({"--prompt", "w7"}), 3,
        {(folder_ / "onnx" / "tokenizer.json").string(), (folder_ / "tokenizer.json").string()});
    const std::string words = (folder_ / "words.json").string();
    EXPECT_EQ(answer({"--prompt", "w7", "--tokenizer", words}).at("prompt"), (Tokens{7}));
    const Json numbers = answer({"--prompt-tokens", "7", "--tokenizer", words});
    EXPECT_EQ(numbers.at("text"), words_of(numbers.at("tokens").get<Tokens>()));
}

TEST_F(GenerateCommand, FilesOfTheModelSayWhatEndsTheAnswer) {
    const auto all = answer({"--prompt", "w7"}).at("tokens").get<Tokens>();
    write("onnx/generation_config.json",
          R"({"eos_token_id": [95, )" + std::to_string(all[3]) + "]}");
    const Json ended = answer({"--prompt", "w7"});
    const Tokens until(all.begin(), std::ranges::find(all, all[3]) + 1);
    EXPECT_EQ(ended.at("tokens").get<Tokens>(), until);
    EXPECT_EQ(ended.at("stopped_by"), all[3]);
    EXPECT_EQ(ended.at("stop_tokens"), (Tokens{95, all[3]}));
    EXPECT_EQ(answer({"--prompt-tokens", "7"}).at("tokens").get<Tokens>(), until);
    EXPECT_NE(generate({"--prompt", "w7"}).out.find("(generation_config.json)"), std::string::npos);
    EXPECT_EQ(answer({"--prompt", "w7", "--ignore-eos"}).at("tokens").get<Tokens>(), all);
    EXPECT_EQ(
        answer({"--prompt", "w7", "--stop", std::to_string(all[0])}).at("tokens").get<Tokens>(),
        (Tokens{all[0]}));
    write("onnx/generation_config.json", R"({"eos_token_id": "x"})");
    expect_error(generate({"--prompt", "w7"}), 3, {"generation_config.json", "eos_token_id"});
}

TEST_F(GenerateCommand, ATokenizerOfAnotherModelIsNoticed) {
    write("tokenizer.json", word_tokenizer(200));
    expect_error(generate({"--prompt", "w7 w150"}), 3, {"150", "0 to 96", "another model"});
    const CommandOutcome fits = generate({"--prompt", "w7"});
    EXPECT_EQ(fits.code, 0) << fits.err;
    EXPECT_NE(fits.err.find("has 200 tokens, the model 97"), std::string::npos) << fits.err;
    expect_error(generate({"--prompt-tokens", "7,97"}), 3, {"97", "0 to 96"});
}

TEST_F(GenerateCommand, KeepsCachesInHalves) {
    const Json wide = answer({"--prompt", "w7"}).at("caches"),
               halves = answer({"--prompt", "w7", "--cache-type", "f16"}).at("caches");
    EXPECT_EQ(wide.at("type"), "f32");
    EXPECT_EQ(halves.at("type"), "f16");
    EXPECT_EQ(halves.at("storage"), "fixed");
    EXPECT_EQ(2 * halves.at("bytes").get<int>(), wide.at("bytes").get<int>());
}

TEST_F(GenerateCommand, KeepsCachesInBytes) {
    const Json wide = answer({"--prompt", "w7"}).at("caches"),
               bytes = answer({"--prompt", "w7", "--cache-type", "q8"}).at("caches");
    EXPECT_EQ(bytes.at("type"), "i8");
    EXPECT_EQ(bytes.at("storage"), "fixed");
    EXPECT_LT(2 * bytes.at("bytes").get<int>(), wide.at("bytes").get<int>());
}

TEST_F(GenerateCommand, WatchesAValueOverTheTokens) {
    for (const char* caches : {"growing", "fixed"}) {
        const Json plain = answer({"--prompt-tokens", "7,38", "--caches", caches});
        const Json json =
            answer({"--prompt-tokens", "7,38", "--caches", caches, "--watch", "logits"});
        EXPECT_EQ(json["tokens"], plain["tokens"]) << caches;
        EXPECT_FALSE(plain.contains("watched"));
        ASSERT_EQ(json["watched"].size(), 8u) << caches;
        for (std::size_t i = 0; i < 8; ++i) {
            const Json& row = json["watched"][i];
            EXPECT_EQ(row["name"], "logits");
            EXPECT_EQ(row["token"], i);
            EXPECT_EQ(row["nans"], 0);
            EXPECT_LT(row["minimum"].get<double>(), row["maximum"].get<double>());
        }
        EXPECT_EQ(json["watched_left_out"], 0);
    }
    const CommandOutcome text = generate({"--prompt-tokens", "7,38", "--watch", "logits"});
    EXPECT_NE(text.out.find("beyond f16"), std::string::npos) << text.out << text.err;
    EXPECT_NE(text.out.find("growing"), std::string::npos) << text.out;
    expect_error(generate({"--prompt-tokens", "7", "--watch", "no_such_value"}), 3,
                 {"--watch", "no_such_value", "--session-passes off"});
}

TEST_F(GenerateCommand, WantsOnePrompt) {
    expect_error(generate({}), 2, {"--prompt", "--prompt-tokens"});
    expect_error(generate({"--prompt", "w7", "--prompt-tokens", "7"}), 2, {"--prompt"});
    expect_error(run({"generate", "sample:llama-160m", "--prompt", "w7"}), 3, {"--tokenizer"});
}

}  // namespace
}  // namespace lapidary
