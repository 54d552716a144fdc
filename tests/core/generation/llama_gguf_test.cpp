// SPDX-License-Identifier: Apache-2.0
// Decoders of the Llama kind in llama.cpp's format: what is read back of the file.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/generation/generator.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/quantize/quantize.h>
#include <lapidary/tensor/float16.h>

#include "generation/llama_gguf.h"
#include "samples/llama.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

constexpr std::int64_t width = 64, inner = 96, heads = 4, groups = 2, size = 16, words = 128;

Model small_llama() {
    return samples::llama({.name = "small",
                           .layers = 2,
                           .width = width,
                           .inner = inner,
                           .heads = heads,
                           .key_heads = groups,
                           .vocabulary = words,
                           .positions = 64},
                          5);
}

Model in_blocks(int bits, bool symmetric) {
    QuantizeOptions options;
    options.mode = QuantizeMode::weights;
    options.weight_bits = bits;
    options.symmetric_blocks = symmetric;
    return quantize_model(small_llama(), options, nullptr).model;
}

struct Read {
    std::uint32_t type = 0;
    std::vector<std::uint64_t> sizes;  // the innermost first
    std::uint64_t offset = 0;
};

/// Reads what GgufFile writes.
class ReadFile {
public:
    explicit ReadFile(const std::filesystem::path& file) {
        std::ifstream in(file, std::ios::binary);
        bytes_.assign(std::istreambuf_iterator<char>(in), {});
        EXPECT_EQ(bytes_.substr(0, 4), "GGUF");
        at_ = 4;
        EXPECT_EQ(number<std::uint32_t>(), 3u);
        const auto count = number<std::uint64_t>(), pairs = number<std::uint64_t>();
        for (std::uint64_t i = 0; i < pairs; ++i) {
            const std::string key = text();
            const auto type = number<std::uint32_t>();
            if (type == 8) texts[key] = text();
            else if (type == 6) numbers[key] = static_cast<double>(number<float>());
            else numbers[key] = number<std::uint32_t>();
        }
        for (std::uint64_t i = 0; i < count; ++i) {
            Read& read = tensors[text()];
            read.sizes.resize(number<std::uint32_t>());
            for (std::uint64_t& s : read.sizes) s = number<std::uint64_t>();
            read.type = number<std::uint32_t>();
            read.offset = number<std::uint64_t>();
            EXPECT_EQ(read.offset % 32, 0u);
        }
        data_ = (at_ + 31) / 32 * 32;
    }

    /// The elements of a row as floats.
    std::vector<float> row(const std::string& name, std::size_t index) const {
        const Read& read = tensors.at(name);
        const auto count = static_cast<std::size_t>(read.sizes.at(0));
        const std::size_t block = read.type == 0   ? 4
                                  : read.type == 1 ? 2
                                  : read.type == 2 ? 18
                                  : read.type == 3 ? 20
                                                   : 34;
        const std::size_t elements = read.type < 2 ? 1 : 32;
        const auto* from = reinterpret_cast<const std::uint8_t*>(bytes_.data()) + data_ +
                           read.offset + index * (count / elements) * block;
        std::vector<float> values;
        for (std::size_t b = 0; b < count / elements; ++b, from += block)
            add_block(read.type, from, values);
        return values;
    }

    std::map<std::string, std::string> texts;
    std::map<std::string, double> numbers;
    std::map<std::string, Read> tensors;

private:
    static float half(const std::uint8_t* from) {
        std::uint16_t bits = 0;
        std::memcpy(&bits, from, 2);
        return half_bits_to_float(bits);
    }

    static void add_block(std::uint32_t type, const std::uint8_t* from,
                          std::vector<float>& values) {
        if (type == 0) {
            float value = 0;
            std::memcpy(&value, from, 4);
            values.push_back(value);
        } else if (type == 1) {
            values.push_back(half(from));
        } else if (type == 8) {
            for (int i = 0; i < 32; ++i)
                values.push_back(half(from) *
                                 static_cast<float>(static_cast<std::int8_t>(from[2 + i])));
        } else {
            const float least = type == 3 ? half(from + 2) : -8 * half(from);
            const std::uint8_t* const pairs = from + (type == 3 ? 4 : 2);
            for (int i = 0; i < 32; ++i) {
                const int four = i < 16 ? pairs[i] & 15 : pairs[i - 16] >> 4;
                values.push_back(half(from) * static_cast<float>(four) + least);
            }
        }
    }

    template <typename T>
    T number() {
        T value{};
        std::memcpy(&value, bytes_.data() + at_, sizeof(T));
        at_ += sizeof(T);
        return value;
    }
    std::string text() {
        const auto length = static_cast<std::size_t>(number<std::uint64_t>());
        at_ += length;
        return bytes_.substr(at_ - length, length);
    }

    std::string bytes_;
    std::size_t at_ = 0;
    std::uint64_t data_ = 0;
};

/// Column `index` of a constant [in, out] of the float model.
std::vector<float> column(const Model& model, const std::string& name, std::int64_t index) {
    const Tensor& matrix = *model.graph.value(model.graph.find_value(name)).constant;
    std::vector<float> values;
    for (std::int64_t i = 0; i < matrix.dim(0); ++i)
        values.push_back(matrix.data<float>()[static_cast<std::size_t>(i * matrix.dim(1) + index)]);
    return values;
}

/// Within what rounding to 4 or 8 bits, and of the scale to float16, moves.
void expect_near(const std::vector<float>& found, const std::vector<float>& expected,
                 float levels) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t b = 0; b < found.size(); b += 32) {
        float largest = 0;
        for (std::size_t i = b; i < b + 32; ++i) largest = std::max(largest, std::abs(expected[i]));
        for (std::size_t i = b; i < b + 32; ++i)
            EXPECT_NEAR(found[i], expected[i], largest * (1 / levels + 0.002f)) << i;
    }
}

class LlamaGguf : public ::testing::Test {
protected:
    ReadFile written(const Model& model) {
        write_llama_gguf(model, folder_ / "small.gguf");
        return ReadFile(folder_ / "small.gguf");
    }
    const TemporaryFolder folder_;
};

TEST_F(LlamaGguf, HasSizesAndNames) {
    const ReadFile file = written(small_llama());
    EXPECT_EQ(file.texts.at("general.architecture"), "llama");
    EXPECT_EQ(file.texts.at("tokenizer.ggml.model"), "no_vocab");
    const std::map<std::string, double> expected{{"llama.context_length", 64},
                                                 {"llama.embedding_length", width},
                                                 {"llama.block_count", 2},
                                                 {"llama.feed_forward_length", inner},
                                                 {"llama.attention.head_count", heads},
                                                 {"llama.attention.head_count_kv", groups},
                                                 {"llama.rope.dimension_count", size},
                                                 {"llama.vocab_size", words},
                                                 {"llama.rope.freq_base", 10000}};
    for (const auto& [key, value] : expected) EXPECT_EQ(file.numbers.at(key), value) << key;
    EXPECT_NEAR(file.numbers.at("llama.attention.layer_norm_rms_epsilon"), 1e-5, 1e-9);
    EXPECT_EQ(file.tensors.size(), 3u + 2 * 9);
    const auto sizes = [&](const char* name) { return file.tensors.at(name).sizes; };
    using Sizes = std::vector<std::uint64_t>;
    EXPECT_EQ(sizes("token_embd.weight"), (Sizes{width, words}));
    EXPECT_EQ(sizes("output.weight"), (Sizes{width, words}));
    EXPECT_EQ(sizes("output_norm.weight"), (Sizes{width}));
    EXPECT_EQ(sizes("blk.1.attn_k.weight"), (Sizes{width, groups * size}));
    EXPECT_EQ(sizes("blk.1.ffn_down.weight"), (Sizes{inner, width}));
}

TEST_F(LlamaGguf, FloatsStayAndRowsOfHeadsChangePlaces) {
    const Model model = small_llama();
    const ReadFile file = written(model);
    const std::string packed = "model.layers.1.attn.qkv_proj.weight";
    // llama.cpp rotates neighbours where the model rotates the halves of a head
    EXPECT_EQ(file.row("blk.1.attn_q.weight", size + 3),
              column(model, packed, size + size / 2 + 1));
    EXPECT_EQ(file.row("blk.1.attn_k.weight", 2), column(model, packed, heads * size + 1));
    EXPECT_EQ(file.row("blk.1.attn_v.weight", 5),
              column(model, packed, (heads + groups) * size + 5));
    EXPECT_EQ(file.row("blk.0.ffn_gate.weight", 7),
              column(model, "model.layers.0.mlp.gate_proj.weight", 7));
    EXPECT_EQ(file.row("blk.0.ffn_up.weight", 7),
              column(model, "model.layers.0.mlp.up_proj.weight", 7));
    EXPECT_EQ(file.row("output.weight", 127), column(model, "lm_head.weight", 127));
    EXPECT_EQ(file.row("blk.0.attn_norm.weight", 0), std::vector<float>(width, 1));
}

TEST_F(LlamaGguf, BlocksKeepTheirBits) {
    const Model model = small_llama();
    struct Case {
        int bits;
        bool symmetric;
        std::uint32_t type;
        float levels;
    };
    for (const Case& c : {Case{4, true, 2, 7}, Case{4, false, 3, 7}, Case{8, true, 8, 127}}) {
        SCOPED_TRACE(c.type);
        const ReadFile file = written(in_blocks(c.bits, c.symmetric));
        EXPECT_EQ(file.tensors.at("blk.0.ffn_down.weight").type, c.type);
        EXPECT_EQ(file.tensors.at("output.weight").type, c.type);
        expect_near(file.row("blk.0.ffn_down.weight", 9),
                    column(model, "model.layers.0.mlp.down_proj.weight", 9), c.levels);
        expect_near(file.row("blk.1.attn_q.weight", 3),
                    column(model, "model.layers.1.attn.qkv_proj.weight", size / 2 + 1), c.levels);
    }
}

TEST_F(LlamaGguf, SaysWhatHasNoForm) {
    const auto reason = [&](const Model& model) {
        try {
            write_llama_gguf(model, folder_ / "no.gguf");
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::not_supported);
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_NE(reason(build_sample("mlp")).find("GroupQueryAttention"), std::string::npos);
    EXPECT_NE(reason(in_blocks(8, false)).find("zero points"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "no.gguf"));
}

}  // namespace
}  // namespace lapidary
