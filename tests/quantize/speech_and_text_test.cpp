// SPDX-License-Identifier: Apache-2.0
// Sounds and lines of text as samples, and text as labels.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include <lapidary/proof/accuracy.h>
#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/quantize/quantize.h>
#include <lapidary/inputs/text_samples.h>

#include "accuracy/word_errors.h"
#include "support/test_data.h"
#include "tensor_io/wav_file.h"

namespace lapidary {
namespace {

ModelPtr model_of(const std::string& text) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 17;
    model->graph = parse_graph(text, {.opset = 17});
    infer_types(*model);
    return model;
}

std::string little_endian(std::uint64_t value, int bytes) {
    std::string out;
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 255);
    return out;
}

std::string wav(int encoding, int channels, int bits, const std::string& data) {
    const std::string format = little_endian(std::uint64_t(encoding), 2) +
                               little_endian(std::uint64_t(channels), 2) + little_endian(16000, 4) +
                               little_endian(0, 4) + little_endian(0, 2) +
                               little_endian(std::uint64_t(bits), 2);
    const std::string odd = "LIST" + little_endian(3, 4) + "abc" + std::string(1, '\0');
    const std::string body = "WAVEfmt " + little_endian(16, 4) + format + odd + "data" +
                             little_endian(data.size(), 4) + data;
    return "RIFF" + little_endian(body.size(), 4) + body;
}

std::filesystem::path written(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
}

TEST(Wav, ReadsEveryWidthAndMixesChannels) {
    const TemporaryFolder folder;
    const auto samples = [&](const std::string& bytes) {
        return load_wav(written(folder / "s.wav", bytes)).samples;
    };
    EXPECT_EQ(samples(wav(1, 1, 16, little_endian(0x4000, 2) + little_endian(0x8000, 2))),
              (std::vector<float>{0.5, -1}));
    EXPECT_EQ(samples(wav(1, 2, 16, little_endian(0x4000, 2) + little_endian(0xC000, 2))),
              (std::vector<float>{0}));
    EXPECT_EQ(samples(wav(1, 1, 8, std::string("\xC0\x00", 2))), (std::vector<float>{0.5, -1}));
    EXPECT_EQ(samples(wav(1, 1, 24, little_endian(0xE00000, 3))), (std::vector<float>{-0.25}));
    EXPECT_EQ(samples(wav(1, 1, 32, little_endian(0x40000000, 4))), (std::vector<float>{0.5}));
    EXPECT_EQ(samples(wav(3, 1, 32, little_endian(0x3E800000, 4))), (std::vector<float>{0.25}));
    EXPECT_EQ(load_wav(folder / "s.wav").rate, 16000);
    EXPECT_THROW(samples(wav(1, 1, 12, "ab")), Error);
    EXPECT_THROW(samples(wav(1, 0, 16, "ab")), Error);
    EXPECT_THROW(samples(wav(1, 1, 16, "")), Error);
    EXPECT_THROW(samples("RIFF"), Error);
    EXPECT_THROW(samples(wav(1, 1, 16, "ab").substr(0, 20)), Error);
    EXPECT_EQ(samples(wav(1, 1, 16, std::string(8, 'a')).substr(0, 61)).size(), 2u)
        << "a file cut off";
}

TEST(FolderSamples, SoundsAreSamplesCutOrFilled) {
    const TemporaryFolder folder;
    written(folder / "a.wav", wav(1, 1, 16, std::string(10, '\x20')));
    written(folder / "b.WAV", wav(1, 1, 16, std::string(4, '\x20')));
    const auto free = folder_samples(*model_of("(x: f32[n,t]) -> (y)\ny = Relu(x)"), folder.path());
    ASSERT_EQ(free->size(), 2u);
    EXPECT_EQ(free->at(0)[0].second.tensor().shape(), (Shape{1, 5}));
    const auto fixed =
        folder_samples(*model_of("(x: f32[1,1,3]) -> (y)\ny = Relu(x)"), folder.path());
    EXPECT_EQ(fixed->at(0)[0].second.tensor().shape(), (Shape{1, 1, 3}));
    EXPECT_EQ(fixed->at(1)[0].second.tensor().data<float>()[2], 0) << "silence";
    EXPECT_THROW(folder_samples(*model_of("(x: f32[1,16,3]) -> (y)\ny = Relu(x)"), folder.path()),
                 Error);
}

const std::string tokens_model =
    "(input_ids: i64[b,s], attention_mask: i64[b,s], token_type_ids: i32[b,s]) -> (y)\ne = "
    "Gather(t: f32[16,64], "
    "input_ids)\nm = MatMul(e, w: f32[64,32])\nc = Cast(attention_mask) {to: 1}\nd = "
    "Cast(token_type_ids) {to: 1}\ns = "
    "Add(c, d)\nz = Unsqueeze(s, a: i64[1]{-1})\ny = Mul(m, z)";

class Text : public ::testing::Test {
protected:
    Text() {
        options_.vocabulary =
            written(folder_ / "vocabulary.txt",
                    "[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\ncat\nsat\n##s\n,\n.\nmat\n\xE7\x8C\xAB\n");
    }
    std::vector<std::int64_t> ids(const std::string& line) {
        const auto samples =
            text_samples(*model_of(tokens_model), written(folder_ / "text.txt", line), options_);
        return to_int64s(samples->at(0)[0].second.tensor());
    }
    TemporaryFolder folder_;
    TextOptions options_;
};

TEST_F(Text, IsCutByWordPiece) {
    EXPECT_EQ(ids("The cats  sat, dog.\n"), (std::vector<std::int64_t>{2, 4, 5, 7, 6, 8, 1, 9, 3}));
    EXPECT_EQ(ids("\xE7\x8C\xAB\xE7\x8C\xABmat"), (std::vector<std::int64_t>{2, 11, 11, 10, 3}));
    options_.most_tokens = 4;
    EXPECT_EQ(ids("the cat sat"), (std::vector<std::int64_t>{2, 4, 5, 3}));
    options_.lower_case = false;
    EXPECT_EQ(ids("The"), (std::vector<std::int64_t>{2, 1, 3}));
}

TEST_F(Text, IsCutByATokenizerFile) {
    options_.vocabulary = written(
        folder_ / "tokenizer.json",
        R"({"model": {"type": "WordLevel", "unk_token": "?", "vocab": {"?": 0, "the": 1, "cat": 2}},
            "pre_tokenizer": {"type": "Whitespace"}})");
    EXPECT_EQ(ids("the cat, The"), (std::vector<std::int64_t>{1, 2, 0, 0}));
    options_.most_tokens = 2;
    EXPECT_EQ(ids("the cat the"), (std::vector<std::int64_t>{1, 2}));
}

TEST_F(Text, FillsInputsByTheirNamesAndQuantizes) {
    const auto model = model_of(tokens_model);
    std::string lines;
    for (int i = 0; i < 10; ++i) lines += i % 2 == 0 ? "the cat sat\n\n" : "the mat, the mat.\r\n";
    const auto samples = text_samples(*model, written(folder_ / "lines.txt", lines), options_);
    ASSERT_EQ(samples->size(), 10u);
    EXPECT_EQ(samples->name(1), "lines.txt, line 3");
    const NamedValues first = samples->at(0);
    ASSERT_EQ(first.size(), 3u);
    EXPECT_EQ(to_int64s(first[1].second.tensor()), std::vector<std::int64_t>(5, 1));
    EXPECT_EQ(first[2].second.tensor().dtype(), DType::i32);
    const QuantizeResult made =
        quantize_model(*model, {.mode = QuantizeMode::static_qdq}, samples.get());
    EXPECT_EQ(made.samples, 10u);
    EXPECT_EQ(made.quantized, 2u) << "the table and the product";
}

TEST_F(Text, IsFilledToAFixedLength) {
    const auto model = model_of(
        "(tokens: i32[1,6], mask: i32[1,6]) -> (y)\na = Add(tokens, mask)\ny = Identity(a)");
    const auto samples = text_samples(*model, written(folder_ / "t.txt", "the cat"), options_);
    const NamedValues values = samples->at(0);
    EXPECT_EQ(to_int64s(values[0].second.tensor()), (std::vector<std::int64_t>{2, 4, 5, 3, 0, 0}));
    EXPECT_EQ(to_int64s(values[1].second.tensor()), (std::vector<std::int64_t>{1, 1, 1, 1, 0, 0}));
}

TEST_F(Text, MistakesAreReportedInASentence) {
    const auto model = model_of(tokens_model);
    EXPECT_THROW(text_samples(*model, written(folder_ / "e.txt", "\n \n"), options_), Error);
    EXPECT_THROW(
        text_samples(*model_of("(x: f32[1,4]) -> (y)\ny = Relu(x)"), folder_ / "e.txt", options_),
        Error);
    EXPECT_THROW(text_samples(*model, written(folder_ / "g.txt", "the \xFF"), options_), Error);
    options_.vocabulary = written(folder_ / "v.txt", "a\nb\n");
    EXPECT_THROW(text_samples(*model, written(folder_ / "f.txt", "a"), options_), Error);
    options_.vocabulary = written(folder_ / "v.json", "{}");
    EXPECT_THROW(text_samples(*model, written(folder_ / "f.txt", "a"), options_), Error);
}

TEST(WordErrors, AreCountedByEditDistance) {
    const TextErrors errors = text_errors("The cat  sat on", "the hat sat on it");
    EXPECT_EQ(errors.words, 4u);
    EXPECT_EQ(errors.word_errors, 2u) << "one exchanged, one too many";
    EXPECT_EQ(errors.characters, 14u);
    EXPECT_EQ(errors.character_errors, 4u);
    EXPECT_EQ(text_errors("\xC3\xA4\xC3\xB6", "\xC3\xA4").character_errors, 1u)
        << "characters, not bytes";
    EXPECT_EQ(text_errors("a b", "").word_errors, 2u);
}

TEST(WordErrors, ScoresAreDecodedWithoutRepeatsAndBlanks) {
    const std::vector<std::string> tokens{"<pad>", "a", "b", "|"};
    const auto scores = [](const std::vector<int>& classes) {
        Tensor out(DType::f32, {1, static_cast<std::int64_t>(classes.size()), 4});
        std::ranges::fill(out.mutable_data<float>(), 0.0F);
        for (std::size_t i = 0; i < classes.size(); ++i)
            out.mutable_data<float>()[i * 4 + static_cast<std::size_t>(classes[i])] = 1;
        return out;
    };
    EXPECT_EQ(decoded_text(scores({1, 1, 0, 1, 2, 2, 3, 2}), tokens), "aab b");
    EXPECT_THROW(decoded_text(scores({1}), {"a"}), Error);
    EXPECT_THROW(decoded_text(Tensor::of<float>({2, 1, 4}, std::vector<float>(8)), tokens), Error);

    // The model returns its input: the recognized text is that of the samples.
    const auto model = model_of("(x: f32[1,t,4]) -> (y)\ny = Identity(x)");
    std::vector<NamedValues> samples(2);
    samples[0].emplace_back("x", scores({1, 3, 2}));
    samples[1].emplace_back("x", scores({1, 3, 1}));
    const TemporaryFolder folder;
    const Labels labels = load_texts(written(folder / "said.txt", "a b\na b\n"));
    AccuracyOptions options{.tokens = tokens};
    const AccuracyCounts all = measure_accuracy(model, *given_samples(samples), labels, options);
    EXPECT_EQ(all.words, 4u);
    EXPECT_EQ(all.word_errors, 1u);
    EXPECT_DOUBLE_EQ(all.word_error_rate(), 0.25);
    AccuracyCounts merged;
    for (std::size_t shard : {0u, 1u}) {
        options.shard = shard;
        options.shards = 2;
        merged.add(measure_accuracy(model, *given_samples(samples), labels, options));
    }
    EXPECT_EQ(merged.word_errors, all.word_errors);
    EXPECT_EQ(merged.character_errors, all.character_errors);
    EXPECT_THROW(measure_accuracy(model, *given_samples(samples), labels), Error) << "no tokens";
    EXPECT_THROW(load_texts(written(folder / "said.tsv", "one.wav hello\n")), Error) << "no tab";
    EXPECT_EQ(load_texts(written(folder / "said.tsv", "one.wav\thello, you\n")).texts[0],
              "hello, you");
}

}  // namespace
}  // namespace lapidary
