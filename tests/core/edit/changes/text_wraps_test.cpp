// SPDX-License-Identifier: Apache-2.0
// Texts in front of and behind a model: labels of classes, words to ids.
#include <fstream>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/edit/apply_edits.h>
#include <lapidary/exec/session.h>

#include "graph/verify.h"
#include "support/pass_harness.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;

class TextWraps : public testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::path(testing::TempDir()) /
                  (std::string("lapidary_text_wraps_") +
                   testing::UnitTest::GetInstance()->current_test_info()->name());
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    void write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name, std::ios::binary) << text;
    }
    Model edited(Model model, const std::string& line) const {
        EditScript script = parse_edit_script(line);
        script.folder = folder_;
        apply_edits(model, script);
        verify(model);
        return model;
    }
    std::string refusal(const Model& model, const std::string& line) const {
        try {
            edited(model, line);
        } catch (const Error& error) { return error.message(); }
        return "none";
    }

    fs::path folder_;
};

Tensor output_of(const Model& model, const NamedValues& inputs, std::size_t index) {
    auto outputs = Session::compile(std::make_shared<const Model>(model)).run(inputs).outputs;
    return outputs.at(index).second.tensor();
}

std::vector<std::string> texts_of(const Tensor& tensor) {
    const auto texts = tensor.data<std::string>();
    return {texts.begin(), texts.end()};
}

TEST_F(TextWraps, TheHighestClassesHaveLabels) {
    write("labels.txt", "cat\ndog\r\ngreat owl\n");
    write("two.txt", "cat\ndog\n");
    write("none.txt", "");
    const Model model = test::model_of("(x: f32[2,3]) -> (y)\n y = Neg(x)\n");
    const Model top = edited(model, "wrap y topk 2 labels labels.txt");
    ASSERT_EQ(top.graph.outputs().size(), 3U);
    EXPECT_EQ(top.graph.value(top.graph.outputs()[2]).name, "y_labels");
    const NamedValues inputs{{"x", Tensor::of<float>({2, 3}, {3, -1, 2, -5, 0, -7})}};
    EXPECT_EQ(texts_of(output_of(top, inputs, 2)),
              (std::vector<std::string>{"dog", "great owl", "great owl", "cat"}));
    EXPECT_EQ(top.metadata, (StringPairs{{"labels", "cat\ndog\ngreat owl"}}));
    EXPECT_NE(refusal(model, "wrap y topk 2 labels two.txt").find("2 labels for the 3 classes"),
              std::string::npos);
    EXPECT_NE(refusal(model, "wrap y topk 2 labels none.txt").find("no lines"), std::string::npos);
    write("bytes.txt", "cat\nd\xffg\nowl\n");
    EXPECT_NE(
        refusal(model, "wrap y topk 2 labels bytes.txt").find("line 2: expected text in UTF-8"),
        std::string::npos);
}

TEST_F(TextWraps, WordsBecomeIdsCutAndPadded) {
    write("words.txt", "[PAD]\n[UNK]\nthe\ncat\nsat\n");
    const Model model = test::model_of("(x: i64[batch,4]) -> (y)\n y = Identity(x)\n", 20);
    const Model worded = edited(model, "wrap x tokenize words.txt lower");
    const ValueId input = worded.graph.inputs()[0];
    EXPECT_EQ(to_string(worded.graph.value(input).type), "string[batch]");
    const NamedValues inputs{
        {"x", Tensor::of<std::string>({3}, {"The  cat", "", "the cat sat the mat"})}};
    EXPECT_EQ(to_doubles(output_of(worded, inputs, 0)),
              (std::vector<double>{2, 3, 0, 0, 0, 0, 0, 0, 2, 3, 4, 2}));
}

TEST_F(TextWraps, OneTextAndASeparator) {
    write("words.txt", "none\nother\na b\nc\n");
    const Model model = test::model_of("(x: i32[length]) -> (y)\n y = Identity(x)\n", 20);
    const Model worded = edited(
        model, "wrap x tokenize words.txt length 3 padding none unknown other separator \";\"");
    const NamedValues inputs{{"x", Tensor::of<std::string>({1}, {"c;a b"})}};
    EXPECT_EQ(to_doubles(output_of(worded, inputs, 0)), (std::vector<double>{3, 2, 0}));
}

TEST_F(TextWraps, TokenizersOfWholeWordsAreRead) {
    write("tokenizer.json",
          R"({"model": {"type": "WordLevel", "vocab": {"<pad>": 5, "<unk>": 7, "a": 9},
              "unk_token": "<unk>"}, "normalizer": {"type": "Lowercase"},
              "pre_tokenizer": {"type": "WhitespaceSplit"}, "post_processor": null})");
    const Model model = test::model_of("(x: i64[1,3]) -> (y)\n y = Identity(x)\n", 21);
    const NamedValues inputs{{"x", Tensor::of<std::string>({1}, {"A b"})}};
    EXPECT_EQ(to_doubles(output_of(edited(model, "wrap x tokenize tokenizer.json"), inputs, 0)),
              (std::vector<double>{9, 7, 5}));
}

TEST_F(TextWraps, WhatONNXCannotSayIsRefused) {
    write("parts.txt", "[PAD]\n[UNK]\nplay\n##ing\n");
    write("twice.txt", "[PAD]\n[UNK]\na\na\n");
    write("bare.txt", "a\nb\n");
    write("bpe.json", R"({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}})");
    write("marks.json", R"({"model": {"type": "WordLevel", "vocab": {"a": 0}},
                            "pre_tokenizer": {"type": "Whitespace"}})");
    write("words.txt", "[PAD]\n[UNK]\na\n");
    const auto whole_words = [](const std::string& id, const std::string& more) {
        return R"({"model": {"type": "WordLevel", "vocab": {"[PAD]": 0, "[UNK]": 1, "a": )" + id +
               R"(}}, "pre_tokenizer": {"type": "WhitespaceSplit"})" + more + "}";
    };
    write("large.json", whole_words("18446744073709551615", ""));
    write("negative.json", whole_words("-1", ""));
    write("wide.json", whole_words("4294967296", ""));
    write("added.json", whole_words("2", R"(, "added_tokens": [{"id": 7, "content": "<mask>"}])"));
    const Model model = test::model_of("(x: i64[1,3]) -> (y)\n y = Identity(x)\n", 20);
    const std::vector<std::pair<std::string, std::string>> refused{
        {"parts.txt", "keep tokenizer.json beside it"},
        {"bpe.json", "takes words apart"},
        {"marks.json", "WhitespaceSplit"},
        {"twice.txt", "the word \"a\" twice"},
        {"bare.txt", "no word for padding"},
        {"large.json", "the id of \"a\" is 18446744073709551615"},
        {"negative.json", "the id of \"a\" is -1"},
        {"added.json", "adds the token \"<mask>\""},
        {"words.txt length 9223372036854775807", "the length is 9223372036854775807"},
        {"words.txt length 4", "length 4 does not fit"},
        {"words.txt unknown what", "no word \"what\" for unknown"}};
    for (const auto& [words, reason] : refused)
        EXPECT_NE(refusal(model, "wrap x tokenize " + words).find(reason), std::string::npos)
            << words << ": " << refusal(model, "wrap x tokenize " + words);
    const Model older = test::model_of("(x: i64[1,3]) -> (y)\n y = Identity(x)\n", 19);
    EXPECT_NE(refusal(older, "wrap x tokenize words.txt").find("needs opset 20"),
              std::string::npos);
    const Model narrow = test::model_of("(x: i32[1,3]) -> (y)\n y = Identity(x)\n", 20);
    EXPECT_NE(refusal(narrow, "wrap x tokenize wide.json").find("does not fit input \"x\""),
              std::string::npos);
    const Model floats = test::model_of("(x: f32[1,3]) -> (y)\n y = Identity(x)\n", 20);
    EXPECT_NE(refusal(floats, "wrap x tokenize words.txt").find("expected ids"), std::string::npos);
}

}  // namespace
}  // namespace lapidary
