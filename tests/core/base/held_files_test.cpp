// SPDX-License-Identifier: Apache-2.0
#include "base/files/held_files.h"

#include <cstring>
#include <fstream>
#include <vector>

#include <gtest/gtest.h>

#include <lapidary/base/counted_memory.h>
#include <lapidary/tensor/tensor.h>

#include "base/files/mapped_file.h"
#include "rewrite/widened_constant.h"
#include "support/test_data.h"
#include "tensor/aligned_copies.h"

namespace lapidary {
namespace {

std::shared_ptr<const MappedFile> file_of(const std::filesystem::path& path, std::size_t bytes) {
    std::ofstream(path, std::ios::binary) << std::string(bytes, 'x');
    return MappedFile::open(path);
}

TEST(HeldFiles, AnAddressShowsWhoseItIs) {
    TemporaryFolder folder;
    auto small = file_of(folder / "small", 1000);
    const auto large = file_of(folder / "large", map_from_bytes);
    const auto at_end = held_file_at(small->bytes().data() + 999);
    ASSERT_TRUE(at_end);
    EXPECT_FALSE(at_end->is_mapped);
    EXPECT_EQ(at_end->bytes.size(), 1000u);
    const auto mapped = held_file_at(large->bytes().data());
    ASSERT_TRUE(mapped);
    EXPECT_TRUE(mapped->is_mapped);
    int other = 0;
    EXPECT_FALSE(held_file_at(&other));
    const void* const was = small->bytes().data();
    small.reset();
    EXPECT_FALSE(held_file_at(was));
}

TEST(AlignedCopies, AreCountedOnceTheyAreMade) {
    const auto bytes = std::make_shared<std::vector<std::byte>>(4 * 100 + 1);
    const Tensor tensor = Tensor::borrow_unaligned(DType::f32, {100}, bytes->data() + 1, bytes);
    EXPECT_EQ(aligned_copy_bytes(tensor), 0u);
    tensor.data<float>();
    EXPECT_EQ(aligned_copy_bytes(tensor), 400u);
    EXPECT_EQ(aligned_copy_bytes(Tensor(DType::f32, {3})), 0u);
}

// Weights of 16 bits in a file may lie at odd addresses; sessions hold them as floats alone.
TEST(AlignedCopies, AreNotMadeOfWeightsThatAreWidened) {
    for (const DType dtype : {DType::f16, DType::bf16}) {
        constexpr std::int64_t count = 40'001;
        const auto bytes = std::make_shared<std::vector<std::byte>>(2 * count + 1);
        for (std::int64_t i = 0; i < count; ++i) {
            const std::uint16_t half = dtype == DType::f16
                                           ? Half(static_cast<float>(i % 1000)).bits
                                           : BFloat16(static_cast<float>(i % 100)).bits;
            std::memcpy(bytes->data() + 1 + 2 * i, &half, 2);
        }
        const Tensor halves = Tensor::borrow_unaligned(dtype, {count}, bytes->data() + 1, bytes);
        const Tensor wide = widened_constant(halves);
        const std::span<const float> values = wide.data<float>();
        for (std::int64_t i = 0; i < count; ++i)
            ASSERT_EQ(values[static_cast<std::size_t>(i)],
                      static_cast<float>(i % (dtype == DType::f16 ? 1000 : 100)));
        EXPECT_EQ(aligned_copy_bytes(halves), 0u);
    }
}

TEST(CountedMemory, SeesWhatIsWritten) {
    if (!counted_memory())
        GTEST_SKIP() << "this system does not count the memory of one process alone";
    CountedPeak peak;
    const std::uint64_t before = peak.most().own;
    constexpr std::size_t bytes = std::size_t{64} << 20;
    {
        const std::vector<char> written(bytes, 1);
        peak.look();
    }
    EXPECT_GE(peak.most().own, before + bytes * 9 / 10);
    peak.begin_again();
    EXPECT_LT(peak.most().own, before + bytes / 2);
}

}  // namespace
}  // namespace lapidary
