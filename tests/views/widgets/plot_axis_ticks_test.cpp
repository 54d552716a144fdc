// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "widgets/plot/plot_axis_ticks.h"
#include "widgets/text/quantity.h"

namespace lapidary::views {
namespace {

TEST(AxisTicks, CountsHaveNoHalves) {
    for (const double most : {1.0, 2.0, 3.0, 7.0, 26.0, 111.0}) {
        const QStringList labels = axisLabels(AxisKind::count, 0, most);
        EXPECT_GE(labels.size(), 2) << most;
        for (const QString& label : labels) {
            bool isWhole = false;
            label.toInt(&isWhole);
            EXPECT_TRUE(isWhole) << label.toStdString();
        }
    }
}

TEST(AxisTicks, BytesAreShownInTheUnitOfTheRange) {
    EXPECT_TRUE(axisLabels(AxisKind::bytes, 0, 4200).contains(QStringLiteral("4 kB")));
    EXPECT_TRUE(axisLabels(AxisKind::bytes, 0, 8.8e6).contains(QStringLiteral("8 MB")));
    for (const double most : {3.0, 4e3, 9.7e3, 1.2e6, 2.4e9}) {
        const QStringList labels = axisLabels(AxisKind::bytes, 0, most);
        EXPECT_GE(labels.size(), 2) << most;
        for (qsizetype i = 1; i < labels.size(); ++i)
            EXPECT_NE(labels[i], labels[i - 1]) << "digits are missing";
    }
}

TEST(AxisTicks, SharesArePowersOfTen) {
    const QStringList labels = axisLabels(AxisKind::share, 0, share_axis_decades);
    EXPECT_TRUE(labels.contains(QStringLiteral("0")));
    EXPECT_TRUE(labels.contains(QStringLiteral("1")));
    EXPECT_TRUE(labels.contains(QStringLiteral("1e-4"))) << labels.join(u' ').toStdString();
}

TEST(Quantities, AreThoseOfTheCommandLine) {
    EXPECT_EQ(formatMedian(0.0233, 0.0224, 0.0242), QStringLiteral("23.3 µs ± 0.9"));
    EXPECT_EQ(formatMedian(42, 41.8, 47.9), QStringLiteral("42.0 ms (41.8 – 47.9)"));
    EXPECT_EQ(formatRoundPercent(0.0004), QStringLiteral("< 0.1 %"));
    EXPECT_EQ(formatPercent(0.0004), QStringLiteral("< 0.1 %"));
    EXPECT_EQ(formatPercent(0), QStringLiteral("0.0 %"));
    EXPECT_EQ(formatRoundPercent(0.87), QStringLiteral("87 %"));
}

}  // namespace
}  // namespace lapidary::views
