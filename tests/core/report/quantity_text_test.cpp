// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include <lapidary/base/quantity_text.h>

namespace lapidary {
namespace {

TEST(QuantityText, ThreeDigitsInTheUnitThatSuitsThem) {
    EXPECT_EQ(time_text(0.000845), "845 ns");
    EXPECT_EQ(time_text(0.0185), "18.5 µs");
    EXPECT_EQ(time_text(0.9999), "1.00 ms");
    EXPECT_EQ(time_text(3.02), "3.02 ms");
    EXPECT_EQ(time_text(214), "214 ms");
    EXPECT_EQ(time_text(1240), "1.24 s");
    EXPECT_EQ(time_text(0), "0 ns");
    EXPECT_EQ(time_text(std::numeric_limits<double>::quiet_NaN()), "-");
    EXPECT_EQ(bytes_text(999), "999 B");
    EXPECT_EQ(bytes_text(97'800'000), "97.8 MB");
    EXPECT_EQ(bytes_text(999'999), "1.00 MB");
    EXPECT_EQ(unit_of_bytes(1536, true).unit, "KiB");
}

TEST(QuantityText, AnIntervalIsInTheUnitOfItsMedian) {
    EXPECT_EQ(time_text(0.0233, 0.0224, 0.0242), "23.3 µs ± 0.9");
    EXPECT_EQ(time_text(42, 40.9, 43.1), "42.0 ms ± 1.1");
    EXPECT_EQ(time_text(129, 94, 164), "129 ms ± 35");
    EXPECT_EQ(time_text(42.0134, 42.0114, 42.0154), "42.0134 ms ± 0.0020")
        << "as many digits as the interval supports";
    EXPECT_EQ(time_text(42, 42, 42), "42.0 ms") << "no interval";
    EXPECT_EQ(time_text(42, 41.8, 47.9), "42.0 ms (41.8 – 47.9)");
    EXPECT_EQ(time_text(42, 20.1, 1200), "42.0 ms (20.1 ms – 1.20 s)");
}

/// Whatever is measured: one unit, an interval that is never 0, and never more digits than it
/// supports.
TEST(QuantityText, IntervalsOfAnySize) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> exponent(-6, 5), share(-5, -0.05);
    for (int i = 0; i < 2000; ++i) {
        const double median = std::pow(10, exponent(random)),
                     off = median * std::pow(10, share(random));
        const ShownInterval shown = shown_interval(median, median - off, median + off);
        ASSERT_EQ(shown.kind, ShownInterval::Kind::symmetric) << median << " ± " << off;
        const std::string text = time_text(median, median - off, median + off);
        const double step = std::pow(10, -shown.unit.digits);
        EXPECT_GE(shown.off, step) << text;
        EXPECT_LT(step, std::max(1.0, off / shown.unit.divisor))
            << text << ": the last digit is not below the interval";
        if (shown.unit.digits > 0 && shown.off > step)
            EXPECT_LT(off / shown.unit.divisor, 30 * step)
                << text << ": more digits than it supports";
        EXPECT_EQ(text.find(" ± 0 "), std::string::npos) << text;
    }
}

TEST(QuantityText, SharesThatAreNotNothingAreNotCalledNothing) {
    EXPECT_EQ(percent_text(0.87), "87 %");
    EXPECT_EQ(percent_text(1), "100 %");
    EXPECT_EQ(percent_text(0.034), "3.4 %");
    EXPECT_EQ(percent_text(0.0949), "9.5 %");
    EXPECT_EQ(percent_text(0.001), "0.1 %");
    EXPECT_EQ(percent_text(0.0004), "< 0.1 %");
    EXPECT_EQ(percent_text(1e-12), "< 0.1 %");
    EXPECT_EQ(percent_text(0), "0 %");
}

TEST(QuantityText, OneThingIsSingular) {
    EXPECT_EQ(count_text(1, "weight"), "1 weight");
    EXPECT_EQ(count_text(0, "weight"), "0 weights");
    EXPECT_EQ(count_text(2, "index", "indices"), "2 indices");
}

}  // namespace
}  // namespace lapidary
