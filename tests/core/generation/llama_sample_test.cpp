// SPDX-License-Identifier: Apache-2.0
// Weights of sample decoders that are computed when they are read.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <lapidary/generation/measure_decoding.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/internal/scratch_folder.h>
#include <lapidary/onnx_io/model_io.h>

#include "samples/llama.h"
#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

Model small_llama(bool is_deferred) {
    return samples::llama({.name = "small",
                           .layers = 2,
                           .width = 32,
                           .inner = 72,
                           .heads = 4,
                           .key_heads = 2,
                           .vocabulary = 97,
                           .positions = 64,
                           .is_deferred = is_deferred},
                          5);
}

std::size_t deferred_count(const Model& model) {
    std::size_t count = 0;
    for (const ValueId id : model.graph.initializers())
        count += model.graph.value(id).constant->is_deferred() ? 1 : 0;
    return count;
}

std::string bytes_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(LlamaSample, DeferredWeightsAreTheSame) {
    const Model now = small_llama(false), later = small_llama(true);
    EXPECT_EQ(deferred_count(now), 0u);
    EXPECT_EQ(deferred_count(later), 2u + 2 * 5) << "table, head, and five products of each layer";
    for (const ValueId id : later.graph.initializers()) {
        const Value& value = later.graph.value(id);
        EXPECT_TRUE(same_contents(*value.constant,
                                  *now.graph.value(now.graph.find_value(value.name)).constant))
            << value.name;
    }
}

TEST(LlamaSample, DeferredWeightsAreWrittenWithoutBeingKept) {
    const ScratchFolder folder;
    const Model now = small_llama(false), later = small_llama(true);
    const std::filesystem::path a = folder.path() / "a", b = folder.path() / "b";
    std::filesystem::create_directory(a);
    std::filesystem::create_directory(b);
    const SaveOptions beside{.external_data_min_bytes = 64};
    save_model(now, a / "m.onnx", beside);
    save_model(later, b / "m.onnx", beside);
    EXPECT_EQ(deferred_count(later), 2u + 2 * 5) << "none was made as a whole";
    EXPECT_EQ(bytes_of(a / "m.onnx"), bytes_of(b / "m.onnx"));
    EXPECT_EQ(bytes_of(a / "m.onnx.data"), bytes_of(b / "m.onnx.data"));
    EXPECT_GT(std::filesystem::file_size(b / "m.onnx.data"), 97u * 32 * 4 * 2);
}

TEST(LlamaSample, TheLargeOneIsBuiltWithoutItsWeights) {
    const Model model = build_sample("llama-1b");
    const DecoderCard card = decoder_card(model);
    EXPECT_EQ(card.vocabulary, 32000);
    EXPECT_GT(card.weight_bytes, 4'300'000'000u);
    EXPECT_LT(card.weight_bytes, 4'500'000'000u);
    EXPECT_EQ(deferred_count(model), 2u + 22 * 5);
    EXPECT_EQ(card.cache_row_bytes, 22u * 2 * 4 * 64 * 4);
}

}  // namespace
}  // namespace lapidary::test
