// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "generation/cache_memory.h"

namespace lapidary {
namespace {

bool is_zero(const Tensor& cache) {
    return std::ranges::all_of(cache.bytes(), [](std::byte b) { return b == std::byte{0}; });
}

/// Caches whose rows are axis 2 and axis 1, the first of an odd number of bytes.
std::vector<CacheMemory::Cache> two_caches(std::int64_t rows) {
    return {{DType::i8, {1, 3, rows, 5}, 2}, {DType::f32, {2, rows, 3, 4}, 1}};
}

/// Writes ones to the first rows of [blocks, rows, each].
void write_rows(Tensor& cache, std::size_t blocks, std::size_t rows, std::size_t written) {
    auto* const data = static_cast<std::byte*>(cache.mutable_raw());
    const std::size_t each = cache.byte_size() / blocks;
    for (std::size_t b = 0; b < blocks; ++b)
        std::fill_n(data + b * each, each / rows * written, std::byte{1});
}

TEST(CacheMemory, IsClearAndAlignedForKernels) {
    CacheMemory memory;
    const std::vector<Tensor> caches = memory.cleared(two_caches(7), 0);
    ASSERT_EQ(caches.size(), 2u);
    EXPECT_EQ(caches[0].shape(), (Shape{1, 3, 7, 5}));
    EXPECT_EQ(caches[1].dtype(), DType::f32);
    for (const Tensor& cache : caches) {
        EXPECT_TRUE(is_zero(cache));
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(cache.raw()) % 64, 0u);
    }
    const auto *end = caches[0].bytes().data() + caches[0].byte_size(),
               *next = caches[1].bytes().data();
    EXPECT_LE(end, next);
}

TEST(CacheMemory, IsClearedWhereItWasWrittenAndUsedAgain) {
    CacheMemory memory;
    std::vector<Tensor> caches = memory.cleared(two_caches(7), 0);
    const void* const first = caches[0].raw();
    write_rows(caches[0], 3, 7, 4);
    write_rows(caches[1], 2, 7, 4);
    EXPECT_FALSE(is_zero(caches[0]));
    caches = memory.cleared(two_caches(7), 4);
    EXPECT_EQ(caches[0].raw(), first);
    for (const Tensor& cache : caches) EXPECT_TRUE(is_zero(cache));
}

TEST(CacheMemory, OfOtherSizesIsClearToo) {
    CacheMemory memory;
    for (const std::int64_t rows : {7, 9, 1, 0, 5000}) {
        std::vector<Tensor> caches = memory.cleared(two_caches(rows), 2);
        EXPECT_EQ(caches[1].shape(), (Shape{2, rows, 3, 4}));
        for (Tensor& cache : caches) {
            EXPECT_TRUE(is_zero(cache)) << rows;
            std::fill_n(static_cast<std::byte*>(cache.mutable_raw()), cache.byte_size(),
                        std::byte{1});
        }
    }
    EXPECT_TRUE(memory.cleared({}, 3).empty());
}

}  // namespace
}  // namespace lapidary
