// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "ops/dimensions/dim_algebra.h"

namespace lapidary {
namespace {

Dim s(std::string text) { return Dim::symbolic(std::move(text)); }
const Dim n = s("n"), h = s("h"), batch = s("batch"), seq = s("seq");

TEST(DimAlgebra, NumbersStayNumbers) {
    EXPECT_EQ(add(3, 4), Dim(7));
    EXPECT_EQ(multiply(3, 4), Dim(12));
    EXPECT_EQ(subtract(3, 4), s("-1"));
    EXPECT_EQ(constant_of(subtract(3, 4)), -1);
    EXPECT_EQ(add(subtract(3, 4), 5), Dim(4));
    EXPECT_EQ(floor_divide(7, 2), Dim(3));
    EXPECT_EQ(ceil_divide(7, 2), Dim(4));
    EXPECT_EQ(floor_divide(dim_of(-7), 2), dim_of(-4));
    EXPECT_EQ(modulo(7, 4), Dim(3));
}

TEST(DimAlgebra, OneSpellingPerValue) {
    EXPECT_EQ(add(seq, 1).symbol(), "seq + 1");
    EXPECT_EQ(add(1, seq), add(seq, 1));
    EXPECT_EQ(multiply(seq, 2).symbol(), "2*seq");
    EXPECT_EQ(multiply(seq, batch), multiply(batch, seq));
    EXPECT_EQ(multiply(add(seq, 1), add(seq, 1)).symbol(), "seq*seq + 2*seq + 1");
    EXPECT_EQ(subtract(add(seq, n), seq), n);
    EXPECT_EQ(subtract(seq, seq), Dim(0));
    EXPECT_EQ(subtract(3, seq).symbol(), "-seq + 3");
    EXPECT_EQ(product(std::vector<Dim>{batch, seq, 768}).symbol(), "768*batch*seq");
    EXPECT_EQ(multiply(Dim(), 0), Dim(0));
}

TEST(DimAlgebra, DividesExactlyWhereItCan) {
    EXPECT_EQ(exact_divide(multiply(multiply(batch, seq), 768), multiply(batch, 12)),
              multiply(seq, 64));
    EXPECT_EQ(exact_divide(multiply(add(seq, n), batch), add(n, seq)), batch);
    EXPECT_EQ(exact_divide(seq, 2), std::nullopt);
    EXPECT_EQ(exact_divide(add(seq, 1), n), std::nullopt);
    EXPECT_EQ(exact_divide(seq, 0), std::nullopt);
}

TEST(DimAlgebra, RoundedQuotients) {
    EXPECT_EQ(floor_divide(multiply(seq, 4), 2).symbol(), "2*seq");
    EXPECT_EQ(floor_divide(add(seq, 1), 2).symbol(), "floor((seq + 1)/2)");
    EXPECT_EQ(floor_divide(add(seq, 4), 2), add(floor_divide(seq, 2), 2));
    EXPECT_EQ(floor_divide(multiply(seq, 2), 4), floor_divide(seq, 2));
    EXPECT_EQ(floor_divide(add(multiply(seq, 2), 1), 2), seq);
    EXPECT_EQ(floor_divide(floor_divide(seq, 2), 2), floor_divide(seq, 4));
    EXPECT_EQ(ceil_divide(seq, 2), floor_divide(add(seq, 1), 2));
    EXPECT_EQ(floor_divide(seq, n).symbol(), "floor(seq/n)");
    EXPECT_TRUE(floor_divide(seq, 0).is_unknown());
    EXPECT_EQ(modulo(multiply(seq, 4), 2), Dim(0));
}

TEST(DimAlgebra, Extremes) {
    EXPECT_EQ(maximum(seq, add(seq, 3)), add(seq, 3));
    EXPECT_EQ(minimum(seq, add(seq, 3)), seq);
    EXPECT_EQ(maximum(seq, n), maximum(n, seq));
    EXPECT_EQ(maximum(seq, n).symbol(), "max(n,seq)");
    EXPECT_EQ(maximum(seq, 0), seq);
    EXPECT_EQ(maximum(seq, dim_of(-1)), seq);
    EXPECT_EQ(maximum(3, 5), Dim(5));
}

TEST(DimAlgebra, CappedSizes) {
    EXPECT_TRUE(is_capped(minimum(512, seq), seq));
    EXPECT_TRUE(is_capped(minimum(add(seq, 1), 512), add(seq, 1)));
    EXPECT_FALSE(is_capped(minimum(1, seq), seq)) << "1 may stand against any size";
    EXPECT_FALSE(is_capped(seq, seq));
    EXPECT_FALSE(is_capped(minimum(512, seq), n));
    EXPECT_FALSE(is_capped(maximum(512, seq), seq));
}

TEST(DimAlgebra, Relations) {
    EXPECT_TRUE(surely_equal(add(seq, seq), multiply(2, seq)));
    EXPECT_TRUE(surely_different(seq, add(seq, 1)));
    EXPECT_TRUE(surely_different(3, 4));
    EXPECT_EQ(relate(seq, 4), DimRelation::undecided);
    EXPECT_EQ(relate(seq, n), DimRelation::undecided);
    EXPECT_EQ(relate(Dim(), Dim()), DimRelation::undecided);
    EXPECT_TRUE(surely_different(add(multiply(seq, 2), 1), subtract(seq, 2)));
    EXPECT_TRUE(surely_not_negative(floor_divide(seq, 2)));
    EXPECT_FALSE(surely_not_negative(subtract(seq, 2)));
}

TEST(DimAlgebra, NamesFromFiles) {
    EXPECT_TRUE(dim_from_name("None").is_unknown());
    EXPECT_TRUE(dim_from_name("").is_unknown());
    EXPECT_TRUE(dim_from_name("-1").is_unknown());
    EXPECT_EQ(dim_from_name("17"), Dim(17));
    EXPECT_EQ(dim_from_name("past + 1"), add(s("past"), 1));
    const Dim odd = dim_from_name("batch-size");  // not an expression: no such spelling
    EXPECT_EQ(odd.symbol(), "batch-size");
    EXPECT_EQ(multiply(odd, 2).symbol(), "2*`batch-size`");
    EXPECT_EQ(exact_divide(multiply(odd, 2), 2), odd);
    EXPECT_EQ(floor_divide(add(odd, odd), odd), Dim(2));
    const Dim ticks = dim_from_name("a`b c");
    EXPECT_EQ(exact_divide(multiply(ticks, 6), 6), ticks);
}

TEST(DimAlgebra, RefusesToOverflow) {
    const Dim big = INT64_MAX;
    EXPECT_TRUE(add(big, 1).is_unknown());
    EXPECT_TRUE(multiply(big, 2).is_unknown());
    EXPECT_TRUE(multiply(multiply(seq, big), 2).is_unknown());
    EXPECT_TRUE(add(multiply(seq, big), seq).is_unknown());
    EXPECT_EQ(floor_divide(dim_of(INT64_MIN), dim_of(-1)).is_unknown(), true);
    EXPECT_TRUE(dim_of(INT64_MIN).is_unknown()) << "its magnitude has no int64";
    EXPECT_TRUE(subtract(dim_of(-INT64_MAX), 1).is_unknown());
    Dim grown = seq;
    for (int i = 0; i < 100; ++i) grown = multiply(grown, add(seq, s("x" + std::to_string(i))));
    EXPECT_TRUE(grown.is_unknown());
}

TEST(DimAlgebra, Substitutes) {
    const Dim d = add(floor_divide(add(multiply(seq, batch), 3), 2), maximum(seq, n));
    EXPECT_EQ(substitute(d, {{"seq", 5}, {"batch", 2}, {"n", 9}}), Dim(6 + 9));
    EXPECT_EQ(substitute(multiply(batch, seq), {{"batch", 4}}).symbol(), "4*seq");
    EXPECT_EQ(substitute(seq, {}), seq);
}

/// Random expressions agree with plain arithmetic at random points, and their text reads back as
/// themselves.
TEST(DimAlgebra, AgreesWithNumbers) {
    std::mt19937 random(7);
    for (int round = 0; round < 2000; ++round) {
        const std::int64_t a = 1 + random() % 20, b = 1 + random() % 20;
        Dim expression = n;
        std::int64_t value = a;
        for (int step = 0; step < 6; ++step) {
            const std::int64_t k = 1 + random() % 5;
            switch (random() % 7) {
            case 0:
                expression = add(expression, k);
                value += k;
                break;
            case 1:
                expression = multiply(expression, k);
                value *= k;
                break;
            case 2:
                expression = floor_divide(expression, k);
                value = value / k - (value % k < 0);
                break;
            case 3:
                expression = add(expression, h);
                value += b;
                break;
            case 4:
                expression = subtract(expression, k);
                value -= k;
                break;
            case 5:
                expression = maximum(expression, h);
                value = std::max(value, b);
                break;
            case 6:
                expression = minimum(expression, multiply(h, 2));
                value = std::min(value, 2 * b);
                break;
            }
        }
        if (expression.is_unknown()) continue;
        EXPECT_EQ(constant_of(substitute(expression, {{"n", a}, {"h", b}})), value)
            << to_string(expression) << " at " << a << ", " << b;
        EXPECT_EQ(subtract(add(expression, 1), 1), expression);
        if (HasFailure()) break;
    }
}

}  // namespace
}  // namespace lapidary
