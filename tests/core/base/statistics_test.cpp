// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/report/tensor_statistics.h>

namespace lapidary {
namespace {

TEST(Statistics, OfFloats) {
    const auto s = statistics_of(Tensor::of<float>({4}, {-1, 0, 1, 4}), 5);
    EXPECT_EQ(s.elements, 4);
    EXPECT_EQ(s.zeros, 1);
    EXPECT_EQ(s.minimum, -1);
    EXPECT_EQ(s.maximum, 4);
    EXPECT_DOUBLE_EQ(s.mean, 1);
    EXPECT_DOUBLE_EQ(s.stddev, std::sqrt((4.0 + 1 + 0 + 9) / 4));
    EXPECT_EQ(s.histogram, (std::vector<std::int64_t>{1, 1, 1, 0, 1}));
}

TEST(Statistics, LeaveOutWhatIsNotFinite) {
    const float infinity = std::numeric_limits<float>::infinity();
    const auto s =
        statistics_of(Tensor::of<float>({4}, {std::nanf(""), infinity, -infinity, 2}), 3);
    EXPECT_EQ(s.nans, 1);
    EXPECT_EQ(s.infinities, 2);
    EXPECT_EQ(s.minimum, 2);
    EXPECT_EQ(s.maximum, 2);
    EXPECT_EQ(s.stddev, 0);
    EXPECT_EQ(std::accumulate(s.histogram.begin(), s.histogram.end(), std::int64_t{0}), 1);
}

TEST(Statistics, OfTheWholeRangeOfDouble) {
    const double top = std::numeric_limits<double>::max();
    const auto s = statistics_of(Tensor::of<double>({2}, {-top, top}), 4);
    EXPECT_EQ(s.histogram, (std::vector<std::int64_t>{1, 0, 0, 1}));
}

TEST(Statistics, OfEveryKindOfNumber) {
    EXPECT_EQ(statistics_of(Tensor::of<bool>({3}, {true, true, false})).zeros, 1);
    EXPECT_EQ(statistics_of(Tensor::of<std::int8_t>({2}, {-128, 127})).minimum, -128);
    EXPECT_EQ(statistics_of(Tensor::of<Half>({1}, {Half(0.5f)})).mean, 0.5);
    Tensor packed(DType::u4, {2});
    static_cast<std::uint8_t*>(packed.mutable_raw())[0] = 0xf1;
    EXPECT_EQ(statistics_of(packed).maximum, 15);
    EXPECT_EQ(statistics_of(Tensor(DType::f32, {0})).elements, 0);
}

TEST(Statistics, NeedNumbers) {
    EXPECT_THROW(statistics_of(Tensor::of<std::string>({1}, {"a"})), Error);
    EXPECT_THROW(statistics_of(Tensor()), Error);
    EXPECT_THROW(statistics_of(Tensor::scalar<float>(1), 0), Error);
}

TEST(Statistics, OfAnyTensorCanBeCancelled) {
    const CancelToken cancel;
    cancel.cancel();
    const Tensor large(DType::f32, {1'000'000});
    EXPECT_THROW(statistics_of(large, 4, cancel), Error);
}

TEST(Statistics, CountsWhatNarrowerFloatsCannotHold) {
    const auto s = statistics_of(
        Tensor::of<double>({8}, {65504, -65519, 65520, -1e300, 0x1p-24, -0x1p-25, 0, 1e-300}));
    EXPECT_EQ(s.beyond_float16.too_large, 2);
    EXPECT_EQ(s.beyond_float16.too_small, 2);
    EXPECT_EQ(s.beyond_bfloat16.too_large, 1);
    EXPECT_EQ(s.beyond_bfloat16.too_small, 1);
}

}  // namespace
}  // namespace lapidary
