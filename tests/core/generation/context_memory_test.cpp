// SPDX-License-Identifier: Apache-2.0
// Memory of decoders by context, without a run.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/generation/context_memory.h>
#include <lapidary/generation/generator.h>
#include <lapidary/inputs/samples.h>

#include "samples/llama.h"

namespace lapidary {
namespace {

ModelPtr llama_of_600() {
    return std::make_shared<const Model>(samples::llama({.name = "small",
                                                         .layers = 2,
                                                         .width = 32,
                                                         .inner = 64,
                                                         .heads = 4,
                                                         .key_heads = 2,
                                                         .vocabulary = 97,
                                                         .positions = 600},
                                                        5));
}

TEST(ContextMemory, GrowsByTheRowsOfTheCaches) {
    MemoryStudy study(llama_of_600());
    const std::vector<std::int64_t> contexts{1, 64, 512, 4096};
    const DecoderMemory memory = decoder_memory(study, {}, contexts);
    ASSERT_EQ(memory.points.size(), 3u) << "there are 600 positions";
    EXPECT_EQ(memory.cache_row_bytes, 4u * 2 * 8 * sizeof(float));
    for (std::size_t i = 0; i < 3; ++i) {
        const ContextMemory& point = memory.points[i];
        EXPECT_EQ(point.context, contexts[i]);
        EXPECT_EQ(point.cache_bytes,
                  memory.cache_row_bytes * static_cast<std::uint64_t>(point.context));
        EXPECT_GT(point.activation_bytes, 0u);
    }
    // What the generator holds of that many tokens.
    Generator generator =
        Generator::compile(study.model(), {.storage = CacheStorage::growing, .capacity = 65});
    std::vector<std::int64_t> tokens(64, 3);
    generator.feed({1, tokens});
    EXPECT_EQ(generator.cache_bytes(), memory.points[1].cache_bytes);
}

TEST(ContextMemory, NamesTheSizesOfARunOfOneToken) {
    const std::map<std::string, std::int64_t> sizes = decoder_dimensions(*llama_of_600(), 100);
    EXPECT_FALSE(sizes.empty());
    bool has_context = false;
    for (const auto& [name, size] : sizes) {
        EXPECT_TRUE(size == 1 || size == 100 || size == 101) << name << " is " << size;
        has_context = has_context || size == 100;
    }
    EXPECT_TRUE(has_context);
    EXPECT_THROW(decoder_dimensions(build_sample("mlp"), 100), Error);
}

TEST(ContextMemory, WithoutCachesTheWholeContextIsRun) {
    MemoryStudy study(std::make_shared<const Model>(build_sample("lstm")));
    const auto sizes = decoder_dimensions(*study.model(), 100);
    EXPECT_TRUE(std::ranges::any_of(sizes, [](const auto& size) { return size.second == 101; }));
    const std::vector<std::int64_t> contexts{16, 1024};
    const DecoderMemory memory = decoder_memory(study, {}, contexts);
    ASSERT_EQ(memory.points.size(), 2u);
    EXPECT_EQ(memory.cache_row_bytes, 0u);
    EXPECT_EQ(memory.points[1].cache_bytes, 0u);
    EXPECT_GT(memory.points[1].activation_bytes, 10 * memory.points[0].activation_bytes);
}

TEST(ContextMemory, IsCancelled) {
    MemoryStudy study(llama_of_600());
    Progress progress;
    progress.cancel.cancel();
    const std::vector<std::int64_t> contexts{1};
    try {
        decoder_memory(study, {}, contexts, progress);
        FAIL() << "it was not cancelled";
    } catch (const Error& error) { EXPECT_EQ(error.code(), ErrorCode::cancelled); }
}

}  // namespace
}  // namespace lapidary
