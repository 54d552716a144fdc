// SPDX-License-Identifier: Apache-2.0
// Texts of the window have five sizes, whatever factor a view asks for.
#include <gtest/gtest.h>

#include <QApplication>

#include <cmath>
#include <set>

#include "theme/theme.h"

namespace lapidary::views {
namespace {

/// Hundredths of the size of the window font.
int sizeFor(double factor) {
    return int(
        std::lround(scaledFont(factor).pointSizeF() / QApplication::font().pointSizeF() * 100));
}

TEST(TextScale, HasFiveSizes) {
    std::set<int> sizes;
    for (int hundredths = 50; hundredths <= 250; ++hundredths)
        sizes.insert(sizeFor(hundredths / 100.0));
    EXPECT_EQ(sizes, (std::set<int>{90, 100, 110, 130, 180}));
}

TEST(TextScale, GivesTheNearestSize) {
    for (const double step : text_scale) EXPECT_EQ(sizeFor(step), int(std::lround(step * 100)));
    EXPECT_EQ(sizeFor(0.75), 90);
    EXPECT_EQ(sizeFor(1.02), 100);
    EXPECT_EQ(sizeFor(1.15), 110);
    EXPECT_EQ(sizeFor(1.35), 130);
    EXPECT_EQ(sizeFor(2), 180);
}

TEST(TextScale, BoldTextHasTheSameSize) {
    EXPECT_EQ(scaledFont(1.3, true).pointSizeF(), scaledFont(1.3).pointSizeF());
    EXPECT_EQ(scaledFont(1.3, true).weight(), QFont::DemiBold);
}

}  // namespace
}  // namespace lapidary::views
