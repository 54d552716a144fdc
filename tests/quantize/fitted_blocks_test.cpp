// SPDX-License-Identifier: Apache-2.0
// Scales of blocks that are searched: never worse than those of extremes, the same with any number
// of threads, and guided by what inputs are large.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <tuple>
#include <vector>

#include <lapidary/base/error.h>

#include "base/threads/serial_threads.h"
#include "base/threads/task_threads.h"
#include "quantize/weights/block_weight.h"
#include "quantize/weights/compensated_blocks.h"
#include "quantize/weights/fitted_blocks.h"
#include "quantize/weights/ordered_blocks.h"

namespace lapidary {
namespace {

Tensor normal_weight(std::int64_t rows, std::int64_t columns, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<float> values(static_cast<std::size_t>(rows * columns));
    // sums of uniform numbers, the same in every library
    for (float& value : values) {
        float sum = 0;
        for (int i = 0; i < 6; ++i) sum += static_cast<float>(random() >> 8) / 16777216.0f - 0.5f;
        value = sum;
    }
    return Tensor::of<float>({rows, columns}, values);
}

std::vector<double> uneven_importance(std::int64_t rows) {
    std::vector<double> importance;
    for (std::int64_t k = 0; k < rows; ++k) importance.push_back(k % 7 == 3 ? 100 : 0.5);
    return importance;
}

BlockWeight plain_blocks(const Tensor& weight, const BlockKind& kind) {
    return quantize_blocks(weight, kind.bits, kind.block, kind.symmetric);
}

std::vector<BlockKind> all_kinds() {
    std::vector<BlockKind> kinds;
    for (const int bits : {4, 8})
        for (const std::int64_t block : {16, 32, 128})
            for (const bool symmetric : {false, true})
                for (const bool is_signed : {true, false})
                    kinds.push_back({bits, block, symmetric, is_signed});
    return kinds;
}

TEST(FittedBlocks, AreNeverWorseThanExtremes) {
    SerialThreads alone;
    const Tensor weight = normal_weight(150, 9, 1);
    const std::vector<double> uneven = uneven_importance(150);
    for (const BlockKind& kind : all_kinds())
        for (const bool weighted : {false, true}) {
            const std::span<const double> importance =
                weighted ? std::span<const double>(uneven) : std::span<const double>();
            const double plain = block_error(weight, plain_blocks(weight, kind), kind, importance),
                         fitted =
                             block_error(weight, fitted_blocks(weight, kind, importance, alone),
                                         kind, importance);
            // Unsigned symmetric scales have no level for the larger end, as those of extremes do.
            const double most = kind.symmetric && !kind.signed_scales ? 1.2 : 1.0001;
            EXPECT_LE(fitted, most * plain)
                << kind.bits << ' ' << kind.block << ' ' << kind.symmetric << weighted;
            if (kind.bits == 4 && kind.block >= 32 && !kind.symmetric)
                EXPECT_LT(fitted, 0.98 * plain) << kind.block << weighted;
        }
}

TEST(FittedBlocks, LoseLessWhereInputsAreLarge) {
    SerialThreads alone;
    const Tensor weight = normal_weight(128, 16, 2);
    const std::vector<double> uneven = uneven_importance(128);
    const BlockKind kind{4, 32};
    const double guided =
                     block_error(weight, fitted_blocks(weight, kind, uneven, alone), kind, uneven),
                 unguided =
                     block_error(weight, fitted_blocks(weight, kind, {}, alone), kind, uneven);
    EXPECT_LT(guided, 0.9 * unguided);
}

TEST(FittedBlocks, DoNotDependOnThreads) {
    SerialThreads alone;
    TaskThreads several(3);
    const Tensor weight = normal_weight(100, 70, 3);
    const std::vector<double> uneven = uneven_importance(100);
    const BlockKind kind{4, 32};
    const BlockWeight one = fitted_blocks(weight, kind, uneven, alone);
    BlockWeight other;
    several.execute([&] { other = fitted_blocks(weight, kind, uneven, several); });
    EXPECT_TRUE(same_contents(one.values, other.values));
    EXPECT_TRUE(same_contents(one.scales, other.scales));
    EXPECT_TRUE(same_contents(one.zero_points, other.zero_points));
}

TEST(FittedBlocks, WeightsOnAGridStayAsTheyAre) {
    SerialThreads alone;
    std::vector<float> values;
    for (int i = 0; i < 64; ++i) values.push_back(static_cast<float>(i * 7 % 16 - 5) * 0.25f);
    const Tensor weight = Tensor::of<float>({64, 1}, values);
    for (const BlockKind& kind : {BlockKind{4, 32}, BlockKind{8, 64}}) {
        const BlockWeight blocks = fitted_blocks(weight, kind, {}, alone);
        EXPECT_LT(block_error(weight, blocks, kind, {}), 1e-6) << kind.bits;
    }
}

TEST(FittedBlocks, RowsThatFillABlockUpAreZero) {
    SerialThreads alone;
    const Tensor weight = normal_weight(40, 3, 4);
    for (const bool symmetric : {false, true}) {
        const BlockKind kind{4, 32, symmetric};
        const BlockWeight blocks = fitted_blocks(weight, kind, {}, alone);
        const Tensor whole = dequantized_blocks(blocks, 64, 4, 32);
        for (std::size_t i = 40 * 3; i < 64 * 3; ++i) EXPECT_EQ(whole.data<float>()[i], 0) << i;
    }
}

TEST(FittedBlocks, EmptyAndTinyBlocksAreZero) {
    SerialThreads alone;
    std::vector<float> values(64, 0);
    values[40] = 1e-44f;  // its inverse is infinite
    const Tensor weight = Tensor::of<float>({64, 1}, values);
    for (const bool symmetric : {false, true}) {
        const BlockKind kind{4, 32, symmetric};
        const Tensor whole = dequantized_blocks(fitted_blocks(weight, kind, {}, alone), 64, 4, 32);
        for (const float value : whole.data<float>()) EXPECT_NEAR(value, 0, 1e-40f);
    }
}

TEST(FittedBlocks, BothFormsHoldTheSameWeights) {
    SerialThreads alone;
    const Tensor weight = normal_weight(64, 5, 6);
    for (const bool symmetric : {false, true})
        for (const int bits : {4, 8}) {
            const BlockWeight blocks =
                fitted_blocks(weight, {bits, 32, symmetric, false}, {}, alone);
            const Tensor packed = dequantized_blocks(blocks, 64, bits, 32),
                         plain = dequantized(dequantize_form(blocks, 64, bits, 32, 0));
            EXPECT_TRUE(std::ranges::equal(packed.data<float>(), plain.data<float>()))
                << symmetric << bits;
            for (const float scale : blocks.scales.data<float>()) EXPECT_GE(scale, 0);
        }
}

/// Moments of inputs that are correlated and of uneven size.
InputMoments uneven_moments(std::int64_t rows) {
    std::mt19937 random(8);
    const auto uniform = [&] { return static_cast<double>(random() >> 8) / 16777216.0 - 0.5; };
    InputMoments moments;
    moments.size = rows;
    moments.sums.assign(static_cast<std::size_t>(rows * rows), 0);
    std::vector<double> x(static_cast<std::size_t>(rows));
    for (int row = 0; row < 300; ++row, ++moments.rows) {
        const double common = uniform();
        for (std::size_t k = 0; k < x.size(); ++k)
            x[k] = (k % 9 == 4 ? 6 : 1) * (uniform() + (k % 3 == 0 ? common : 0));
        for (std::size_t k = 0; k < x.size(); ++k)
            for (std::size_t j = 0; j <= k; ++j) moments.sums[k * x.size() + j] += x[k] * x[j];
    }
    return moments;
}

/// The sum of squared errors of outputs for inputs of these moments.
double product_error(const Tensor& weight, const Tensor& rounded, const InputMoments& moments) {
    const std::int64_t rows = weight.dim(0), columns = weight.dim(1);
    double error = 0;
    for (std::int64_t n = 0; n < columns; ++n) {
        const auto off = [&](std::int64_t k) {
            const auto at = static_cast<std::size_t>(k * columns + n);
            return static_cast<double>(weight.data<float>()[at]) - rounded.data<float>()[at];
        };
        for (std::int64_t k = 0; k < rows; ++k)
            for (std::int64_t j = 0; j <= k; ++j)
                error += (j == k ? 1 : 2) * off(k) * off(j) *
                         moments.sums[static_cast<std::size_t>(k * rows + j)];
    }
    return error;
}

double output_error(const Tensor& weight, const BlockWeight& blocks, const BlockKind& kind,
                    const InputMoments& moments) {
    return product_error(weight, dequantized_blocks(blocks, weight.dim(0), kind.bits, kind.block),
                         moments);
}

TEST(OrderedBlocks, LoseLessThanRoundingInTurn) {
    SerialThreads alone;
    const Tensor weight = normal_weight(96, 12, 9);
    const InputMoments moments = uneven_moments(96);
    for (const bool symmetric : {false, true}) {
        const BlockKind kind{4, 32, symmetric};
        const auto ordered = ordered_blocks(weight, kind, moments, alone);
        const auto in_turn = compensated_blocks(weight, 4, 32, symmetric, true, moments, alone);
        ASSERT_TRUE(ordered && in_turn);
        const double plain = output_error(weight, plain_blocks(weight, kind), kind, moments),
                     turned = output_error(weight, *in_turn, kind, moments),
                     sorted = output_error(weight, *ordered, kind, moments);
        EXPECT_LT(turned, plain) << symmetric;
        EXPECT_LT(sorted, 0.9 * turned) << symmetric;
        EXPECT_EQ(bool(ordered->zero_points), !symmetric);
    }
}

TEST(OrderedBlocks, DoNotDependOnThreadsAndNeedMoments) {
    SerialThreads alone;
    TaskThreads several(3);
    const Tensor weight = normal_weight(96, 40, 10);
    InputMoments moments = uneven_moments(96);
    const BlockKind kind{4, 32};
    const auto one = ordered_blocks(weight, kind, moments, alone);
    std::optional<BlockWeight> other;
    several.execute([&] { other = ordered_blocks(weight, kind, moments, several); });
    ASSERT_TRUE(one && other);
    EXPECT_TRUE(same_contents(one->values, other->values));
    EXPECT_TRUE(same_contents(one->scales, other->scales));
    moments.size = 32;
    EXPECT_FALSE(ordered_blocks(weight, kind, moments, alone)) << "moments of other inputs";
}

/// Rows [first, first + count) of a weight.
Tensor rows_of(const Tensor& weight, std::int64_t first, std::int64_t count) {
    const std::int64_t columns = weight.dim(1);
    const auto from = weight.data<float>().subspan(static_cast<std::size_t>(first * columns),
                                                   static_cast<std::size_t>(count * columns));
    return Tensor::of<float>({count, columns}, {from.begin(), from.end()});
}

/// Inputs in two groups, of which the second lacks some, as products of many inputs have them.
TEST(OrderedBlocks, RoundGroupsOfInputsEachByItself) {
    SerialThreads alone;
    const std::int64_t size = 256, rest = 96;
    const Tensor weight = normal_weight(size + rest, 5, 11);
    const InputMoments first = uneven_moments(size), second = uneven_moments(rest);
    InputMoments both = moments_in_groups(size + rest, size);
    ASSERT_EQ(both.groups, 2);
    ASSERT_EQ(both.size, size);
    both.rows = first.rows;
    std::ranges::copy(first.sums, both.sums.begin());
    for (std::int64_t i = 0; i < rest; ++i)
        std::copy_n(second.sums.begin() + i * rest, rest, both.sums.begin() + (size + i) * size);
    for (const int bits : {4, 8}) {
        const auto whole = compensated_blocks(weight, bits, 32, false, true, both, alone),
                   upper = compensated_blocks(rows_of(weight, 0, size), bits, 32, false, true,
                                              first, alone),
                   lower = compensated_blocks(rows_of(weight, size, rest), bits, 32, false, true,
                                              second, alone);
        ASSERT_TRUE(whole && upper && lower);
        const Tensor all = dequantized_blocks(*whole, size + rest, bits, 32);
        EXPECT_TRUE(
            same_contents(rows_of(all, 0, size), dequantized_blocks(*upper, size, bits, 32)));
        EXPECT_TRUE(
            same_contents(rows_of(all, size, rest), dequantized_blocks(*lower, rest, bits, 32)));
        // fitted scales differ in the last bits, since importance is relative to the mean of all
        const BlockKind kind{bits, 32};
        const auto ordered = ordered_blocks(weight, kind, both, alone);
        ASSERT_TRUE(ordered);
        const Tensor fitted = dequantized_blocks(*ordered, size + rest, bits, 32);
        const auto halves = {std::tuple(std::int64_t{0}, size, &first),
                             std::tuple(size, rest, &second)};
        for (const auto& [begin, count, moments] : halves) {
            const Tensor part = rows_of(weight, begin, count);
            const auto alike = ordered_blocks(part, kind, *moments, alone);
            ASSERT_TRUE(alike);
            const double expected = output_error(part, *alike, kind, *moments);
            EXPECT_NEAR(product_error(part, rows_of(fitted, begin, count), *moments), expected,
                        0.05 * expected)
                << bits << ' ' << begin;
        }
    }
}

TEST(FittedBlocks, RefuseWhatExtremesRefuse) {
    SerialThreads alone;
    EXPECT_THROW(fitted_blocks(Tensor::of<float>({1, 2}, {NAN, 1}), {4, 32}, {}, alone), Error);
    EXPECT_THROW(fitted_blocks(normal_weight(32, 2, 7), {3, 32}, {}, alone), Error);
    EXPECT_THROW(fitted_blocks(normal_weight(32, 2, 7), {4, 24}, {}, alone), Error);
}

}  // namespace
}  // namespace lapidary
