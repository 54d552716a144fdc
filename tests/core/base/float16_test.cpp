// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <lapidary/tensor/float16.h>

namespace lapidary {
namespace {

TEST(Half, EveryValueComesBack) {
    for (std::uint32_t bits = 0; bits < 65536; ++bits) {
        const float f = half_bits_to_float(static_cast<std::uint16_t>(bits));
        if (std::isnan(f)) EXPECT_TRUE(std::isnan(half_bits_to_float(float_to_half_bits(f))));
        else ASSERT_EQ(float_to_half_bits(f), bits);
    }
}

TEST(Half, RoundsToNearestEven) {
    EXPECT_EQ(float_to_half_bits(65519.f), 0x7bff);
    EXPECT_EQ(float_to_half_bits(65520.f), 0x7c00);
    EXPECT_EQ(float_to_half_bits(0x1p-25f), 0);
    EXPECT_EQ(float_to_half_bits(std::nextafter(0x1p-25f, 1.f)), 1);
    EXPECT_EQ(float_to_half_bits(1 + 0x1p-11f), 0x3c00);
    EXPECT_EQ(float_to_half_bits(1 + 3 * 0x1p-11f), 0x3c02);
    EXPECT_EQ(float_to_half_bits(0x1.ffcp-15f), 0x0400);  // rounds up into the normal range
}

template <typename Decode, typename Encode>
void round_trip(Decode decode, Encode encode, int count = 256) {
    for (int bits = 0; bits < count; ++bits) {
        const float f = decode(static_cast<std::uint8_t>(bits));
        if (std::isnan(f)) continue;
        EXPECT_EQ(encode(f), bits) << f;
    }
}

TEST(Float8, EveryValueComesBack) {
    round_trip(f8e4m3fn_to_float, [](float f) { return float_to_f8e4m3fn(f); });
    round_trip(f8e4m3fnuz_to_float, [](float f) { return float_to_f8e4m3fnuz(f); });
    round_trip(f8e5m2_to_float, [](float f) { return float_to_f8e5m2(f, false); });
    round_trip(f8e5m2fnuz_to_float, [](float f) { return float_to_f8e5m2fnuz(f); });
    round_trip(f4e2m1_to_float, float_to_f4e2m1, 16);
}

TEST(Float8, NeighboursRoundToNearestEven) {
    for (int code = 0; code < 0x7d; ++code) {
        const float low = f8e4m3fn_to_float(static_cast<std::uint8_t>(code)),
                    high = f8e4m3fn_to_float(static_cast<std::uint8_t>(code + 1));
        EXPECT_EQ(float_to_f8e4m3fn((low + high) / 2), code % 2 ? code + 1 : code);
        EXPECT_EQ(float_to_f8e4m3fn(low + (high - low) * 0.51f), code + 1);
    }
}

TEST(Float8, OverflowFollowsSaturate) {
    const float inf = std::numeric_limits<float>::infinity();
    EXPECT_EQ(float_to_f8e4m3fn(1e9f), 0x7e);
    EXPECT_EQ(float_to_f8e4m3fn(1e9f, false), 0x7f);
    EXPECT_EQ(float_to_f8e5m2(inf), 0x7b);
    EXPECT_EQ(float_to_f8e5m2(-inf, false), 0xfc);
    EXPECT_EQ(float_to_f8e4m3fnuz(inf, false), 0x80);
    EXPECT_EQ(float_to_f8e4m3fnuz(-0.f), 0);
}

TEST(BFloat16, RoundsToNearestEven) {
    EXPECT_EQ(BFloat16(1.f).bits, 0x3f80);
    EXPECT_EQ(BFloat16(1.f + 0x1p-8f).bits, 0x3f80);
    EXPECT_EQ(BFloat16(1.f + 3 * 0x1p-8f).bits, 0x3f82);
    EXPECT_TRUE(std::isnan(static_cast<float>(BFloat16(std::nanf("")))));
}

TEST(Float8E8M0, HoldsPowersOfTwoAndRoundsAsAsked) {
    for (int code = 0; code < 255; ++code) {
        const float value = f8e8m0_to_float(static_cast<std::uint8_t>(code));
        EXPECT_EQ(value, std::ldexp(1.0f, code - 127));
        if (code > 0) EXPECT_EQ(float_to_f8e8m0(value), code);
    }
    EXPECT_TRUE(std::isnan(f8e8m0_to_float(255)));
    EXPECT_EQ(float_to_f8e8m0(std::numeric_limits<float>::infinity()), 255);
    EXPECT_EQ(float_to_f8e8m0(-4), 129) << "the sign is lost";
    EXPECT_EQ(float_to_f8e8m0(2.1f), 129);
    EXPECT_EQ(float_to_f8e8m0(3.9f, true, PowerRounding::down), 128);
    EXPECT_EQ(float_to_f8e8m0(2.9f, true, PowerRounding::nearest), 128);
    EXPECT_EQ(float_to_f8e8m0(3.0f, true, PowerRounding::nearest), 129);
    EXPECT_EQ(float_to_f8e8m0(3e38f), 254);
    EXPECT_EQ(float_to_f8e8m0(3e38f, false), 255);
}

}  // namespace
}  // namespace lapidary
