// SPDX-License-Identifier: Apache-2.0
// Decoders in few bits, judged on tokens: text fills their inputs and caches, and what is searched,
// compensated or shared out within a budget is nearer to the float model than plain rounding.
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <lapidary/generation/text_quality.h>
#include <lapidary/inputs/text_samples.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/quantize/quantize.h>

#include "samples/llama.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

constexpr std::int64_t vocabulary = 211;

std::int64_t token_at(std::size_t i) {
    return static_cast<std::int64_t>((i * i * 7 + i * 31 + i / 5 + 11) % vocabulary);
}

class FewBitsText : public testing::Test {
protected:
    FewBitsText()
        : model_(std::make_shared<const Model>(samples::llama({.name = "small",
                                                               .layers = 2,
                                                               .width = 128,
                                                               .inner = 256,
                                                               .heads = 4,
                                                               .key_heads = 2,
                                                               .vocabulary = vocabulary,
                                                               .positions = 128},
                                                              5))) {
        std::ofstream tokenizer(folder_ / "tokenizer.json"), text(folder_ / "text.txt");
        tokenizer << R"({"model": {"type": "WordLevel", "unk_token": "w0", "vocab": {)";
        for (std::int64_t i = 0; i < vocabulary; ++i)
            tokenizer << (i > 0 ? "," : "") << "\"w" << i << "\": " << i;
        tokenizer << R"(}}, "pre_tokenizer": {"type": "Whitespace"}})";
        for (std::size_t line = 0; line < 24; ++line)
            for (std::size_t i = 0; i < 24; ++i)
                text << 'w' << token_at(1000 + line * 24 + i) << (i == 23 ? '\n' : ' ');
    }

    SampleSourcePtr samples() const {
        return text_samples(*model_, folder_ / "text.txt",
                            {.vocabulary = folder_ / "tokenizer.json"});
    }

    /// Mean divergence from the float model of what these options give, read back from a file.
    double divergence(const QuantizeOptions& options) const {
        const QuantizeResult made = quantize_model(*model_, options, samples().get());
        save_model(made.model, folder_ / "q.onnx");
        Generator small = Generator::compile(
                      std::make_shared<const Model>(load_model(folder_ / "q.onnx")),
                      {.capacity = 100}),
                  whole = Generator::compile(model_, {.capacity = 100});
        std::vector<std::int64_t> tokens;
        for (std::size_t i = 0; i < 200; ++i) tokens.push_back(token_at(i));
        const TextQuality found =
            measure_text_quality(small, &whole, tokens, {.window = 100, .tokens_per_run = 50});
        EXPECT_EQ(found.tokens, 198);
        return found.divergence->kl.mean;
    }

    TemporaryFolder folder_;
    ModelPtr model_;
};

TEST_F(FewBitsText, FillsInputsAndCachesOfDecoders) {
    const SampleSourcePtr lines = samples();
    ASSERT_EQ(lines->size(), 24u);
    for (const auto& [name, value] : lines->at(0)) {
        const Tensor& tensor = value.tensor();
        if (name.starts_with("past")) EXPECT_EQ(tensor.shape(), (Shape{1, 2, 0, 32})) << name;
        else EXPECT_EQ(tensor.shape(), (Shape{1, 24})) << name;
    }
    const QuantizeResult made =
        quantize_model(*model_, {.mode = QuantizeMode::weights, .smoothing = 0.5}, lines.get());
    EXPECT_GT(made.samples, 0u) << "they run";
}

TEST_F(FewBitsText, SearchedScalesAreNearerThanExtremes) {
    for (const bool symmetric : {false, true}) {
        QuantizeOptions options{
            .mode = QuantizeMode::weights, .block = 128, .symmetric_blocks = symmetric};
        const double plain = divergence(options);
        options.fitted_blocks = true;
        EXPECT_LT(divergence(options), plain) << symmetric;
    }
}

TEST_F(FewBitsText, CompensationAndABudgetAreNearerToo) {
    QuantizeOptions options{.mode = QuantizeMode::weights};  // 5.125 bits
    const double plain = divergence(options);
    EXPECT_GT(plain, 0);
    options.fitted_blocks = true;
    options.bits_per_weight = 5.125;
    EXPECT_LT(divergence(options), plain);
    options.compensated_rounding = true;
    EXPECT_LT(divergence(options), plain);
}

}  // namespace
}  // namespace lapidary
