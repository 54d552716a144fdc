// SPDX-License-Identifier: Apache-2.0
#include "widgets/plot/link_bands.h"

#include <gtest/gtest.h>

namespace lapidary::views {
namespace {

QColor seeThrough() { return QColor::fromRgbF(0, 0, 1, 0.25f); }

TEST(LinkBands, RunFromTheUpperEdgeToTheLower) {
    const LinkBand band{10, 20, 60, 90};
    const QImage image = drawLinkBands({&band, 1}, {100, 50}, 1, seeThrough());
    ASSERT_EQ(image.size(), QSize(100, 50));
    EXPECT_NEAR(image.pixelColor(15, 0).alphaF(), 0.25, 0.01);
    EXPECT_NEAR(image.pixelColor(75, 49).alphaF(), 0.25, 0.01);
    EXPECT_NEAR(image.pixelColor(45, 25).alphaF(), 0.25, 0.01) << "halfway: 35 to 55";
    for (const QPoint outside :
         {QPoint(5, 0), QPoint(30, 0), QPoint(15, 49), QPoint(95, 49), QPoint(60, 25)})
        EXPECT_EQ(image.pixelColor(outside).alpha(), 0) << outside.x() << ',' << outside.y();
}

TEST(LinkBands, EdgesAreSmooth) {
    const LinkBand band{10.25, 20.5, 10.25, 20.5};
    const QImage image = drawLinkBands({&band, 1}, {40, 4}, 1, seeThrough());
    EXPECT_NEAR(image.pixelColor(10, 1).alphaF(), 0.75 * 0.25, 0.01);
    EXPECT_NEAR(image.pixelColor(20, 1).alphaF(), 0.5 * 0.25, 0.01);
}

TEST(LinkBands, ThreeOverEachOtherAreTheDarkest) {
    const std::vector<LinkBand> bands(5, LinkBand{0, 10, 0, 10});
    for (std::size_t count = 1; count <= bands.size(); ++count) {
        const QImage image = drawLinkBands({bands.data(), count}, {10, 2}, 1, seeThrough());
        EXPECT_NEAR(image.pixelColor(5, 1).alphaF(), 0.25 * double(std::min<std::size_t>(count, 3)),
                    0.01)
            << count;
    }
}

TEST(LinkBands, ReachOverTheEdgesAndFollowThePixelsOfTheScreen) {
    const LinkBand band{-1e6, 5, -3, 1e9};
    const QImage image = drawLinkBands({&band, 1}, {20, 10}, 2, seeThrough());
    EXPECT_EQ(image.size(), QSize(40, 20));
    EXPECT_EQ(image.devicePixelRatio(), 2);
    EXPECT_NEAR(image.pixelColor(39, 19).alphaF(), 0.25, 0.01);
    EXPECT_TRUE(drawLinkBands({&band, 1}, {0, 10}, 1, seeThrough()).isNull());
}

}  // namespace
}  // namespace lapidary::views
