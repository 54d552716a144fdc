// SPDX-License-Identifier: Apache-2.0
// Caches in 8 bits with a scale for each row: how rows are stored, and GroupQueryAttention over
// them against the reference kernel on every instruction set.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <lapidary/base/error.h>

#include "kernels/attention/scaled_bytes.h"
#include "support/kernel_compare.h"

namespace lapidary::test {
namespace {

using Bytes = std::vector<std::int8_t>;

Bytes stored(const std::vector<float>& row) {
    const auto size = static_cast<std::int64_t>(row.size());
    Bytes bytes(static_cast<std::size_t>(scaled_bytes::row(size)));
    scaled_bytes::store(row.data(), size, bytes.data());
    return bytes;
}

std::vector<float> loaded(const Bytes& bytes) {
    std::vector<float> row(bytes.size() - sizeof(float));
    scaled_bytes::load(bytes.data(), static_cast<std::int64_t>(row.size()), row.data());
    return row;
}

/// Floats [batch, heads, rows, size] as a cache of scaled bytes.
Tensor in_bytes(const Tensor& floats) {
    Shape shape = floats.shape();
    const std::int64_t size = shape[3], width = scaled_bytes::row(size);
    shape[3] = width;
    Tensor cache(DType::i8, shape);
    for (std::int64_t r = 0; r < floats.size() / size; ++r)
        scaled_bytes::store(floats.data<float>().data() + r * size, size,
                            cache.mutable_data<std::int8_t>().data() + r * width);
    return cache;
}

TEST(ScaledBytes, RowsAreRoundedToTheLargestMagnitude) {
    const Bytes bytes = stored({-2, 1, 0.5f, 0, 2});
    EXPECT_EQ(Bytes(bytes.begin(), bytes.begin() + 5), (Bytes{-127, 63, 32, 0, 127}));
    const Tensor noisy = noise({1, 1, 50, 33}, 3);
    for (std::size_t r = 0; r < 50; ++r) {
        const auto* const from = noisy.data<float>().data() + r * 33;
        const std::vector<float> row(from, from + 33);
        const Bytes once = stored(row);
        const std::vector<float> back = loaded(once);
        EXPECT_EQ(stored(back), once) << "storing what was loaded changes nothing";
        float largest = 0;
        for (const float value : row) largest = std::max(largest, std::abs(value));
        for (std::size_t i = 0; i < row.size(); ++i)
            EXPECT_LE(std::abs(back[i] - row[i]), largest / 127 * 0.5001f) << r << ", " << i;
    }
}

TEST(ScaledBytes, OddRows) {
    EXPECT_EQ(loaded(stored({0, 0, 0})), (std::vector<float>{0, 0, 0}));
    const std::vector<float> large = loaded(stored({3e38f, -1e38f, 0}));
    EXPECT_NEAR(large[0] / 3e38f, 1, 1e-4);
    EXPECT_NEAR(large[1] / -1e38f, 1, 2e-2);
    for (const float odd :
         {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()})
        for (const float value : loaded(stored({1, odd, 2}))) EXPECT_TRUE(std::isnan(value));
}

/// Queries of two sequences behind caches of 30 rows, of which both are partly used.
void expect_attention(int heads, std::int64_t queries, std::int64_t size, bool rotates) {
    const auto all = static_cast<std::int32_t>(18 + queries);
    const Tensor ends = Tensor::of<std::int32_t>({2}, {all - 1, static_cast<int>(14 + queries)});
    KernelRun run;
    // A rotated number may differ in its last bit, and be rounded to the next byte.
    run.outputs = rotates ? 1 : 3;
    expect_as_reference(
        "com.microsoft", "GroupQueryAttention", 1, "attention.group_query",
        {noise({2, queries, heads * size}, 1), noise({2, queries, 2 * size}, 2),
         noise({2, queries, 2 * size}, 3), in_bytes(noise({2, 2, 30, size}, 7)),
         in_bytes(noise({2, 2, 30, size}, 8)), ends, Tensor::of<std::int32_t>({1}, {all}),
         noise({40, 8}, 11), noise({40, 8}, 12)},
        {attribute("num_heads", heads), attribute("kv_num_heads", 2),
         attribute("do_rotary", rotates ? 1 : 0)},
        rotates ? 2e-2 : 2e-5, run);
}

TEST(ScaledCache, IsReadAndWrittenAsTheReferenceDoes) {
    // queries of a key head that are read one by one, and those for which keys are packed
    for (const auto& [heads, queries] :
         {std::pair{2, 1}, std::pair{6, 1}, std::pair{12, 1}, std::pair{6, 4}})
        for (const std::int64_t size : {16, 17, 20, 64})
            for (const bool rotates : {false, true})
                expect_attention(heads, queries, size, rotates);
}

TEST(ScaledCache, ErrorsAreThoseOfRoundingRows) {
    const auto attend = [](const Tensor& keys, const Tensor& values) {
        return run_kernel(
                   "com.microsoft", "GroupQueryAttention", 1,
                   {noise({1, 1, 4 * 64}, 1), noise({1, 1, 2 * 64}, 2), noise({1, 1, 2 * 64}, 3),
                    keys, values, Tensor::of<std::int32_t>({1}, {39}),
                    Tensor::of<std::int32_t>({1}, {40})},
                   {attribute("num_heads", 4), attribute("kv_num_heads", 2)},
                   {.kernel = "attention.group_query"})
            .at(0)
            .tensor();
    };
    const Tensor keys = noise({1, 2, 40, 64}, 7), values = noise({1, 2, 40, 64}, 8);
    const Tensor exact = attend(keys, values), rounded = attend(in_bytes(keys), in_bytes(values));
    double signal = 0, noise_power = 0;
    for (std::size_t i = 0; i < exact.data<float>().size(); ++i) {
        const auto value = static_cast<double>(exact.data<float>()[i]),
                   error = static_cast<double>(rounded.data<float>()[i]) - value;
        signal += value * value, noise_power += error * error;
    }
    EXPECT_GT(10 * std::log10(signal / noise_power), 35);
}

TEST(ScaledCache, RowsWithoutRoomForTheirScaleAreRefused) {
    const auto attend = [](const char* kernel) {
        run_kernel("com.microsoft", "GroupQueryAttention", 1,
                   {noise({1, 1, 64}, 1), noise({1, 1, 16}, 2), noise({1, 1, 16}, 3),
                    Tensor(DType::i8, {1, 1, 4, 16}), Tensor(DType::i8, {1, 1, 4, 16}),
                    Tensor::of<std::int32_t>({1}, {2}), Tensor::of<std::int32_t>({1}, {3})},
                   {attribute("num_heads", 4), attribute("kv_num_heads", 1)}, {.kernel = kernel});
    };
    for (const char* kernel : {"", "attention.group_query"}) try {
            attend(kernel);
            ADD_FAILURE();
        } catch (const Error& error) {
            EXPECT_NE(error.message().find("[1,1,P,20]"), std::string::npos) << error.message();
        }
}

}  // namespace
}  // namespace lapidary::test
