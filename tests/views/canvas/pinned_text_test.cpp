// SPDX-License-Identifier: Apache-2.0
// A message on a faulty node hides neither the node nor what stands beside it, where there is room.
#include <gtest/gtest.h>

#include "canvas/pinned_text.h"

namespace lapidary::views {
namespace {

const QSizeF widget(600, 400), card(200, 60);
const QRectF box(250, 170, 100, 40);

bool covers(const QRectF& place, const std::vector<QRectF>& others) {
    for (const QRectF& other : others)
        if (place.intersects(other)) return true;
    return false;
}

TEST(PinnedText, StandsBesideTheBox) {
    const QRectF place = placePin(card, box, widget, {}).card;
    EXPECT_GT(place.left(), box.right());
    EXPECT_EQ(place.center().y(), box.center().y());
}

TEST(PinnedText, LeavesNeighboursFree) {
    const QRectF below(250, 250, 100, 40), right(380, 170, 100, 40), left(100, 170, 100, 40);
    const std::vector<QRectF> some{below, right};
    EXPECT_FALSE(covers(placePin(card, box, widget, some).card, {below, right, box}));
    const std::vector<QRectF> all{below, right, left};
    EXPECT_FALSE(covers(placePin(card, box, widget, all).card, {below, right, left, box}))
        << "above is free";
}

TEST(PinnedText, StaysInTheWidget) {
    for (const QRectF& at :
         {QRectF(520, 10, 70, 40), QRectF(5, 350, 70, 40), QRectF(520, 350, 70, 40)}) {
        const QRectF place = placePin(card, at, widget, {}).card;
        EXPECT_TRUE(QRectF(QPointF(), widget).contains(place));
        EXPECT_FALSE(place.intersects(at));
    }
}

}  // namespace
}  // namespace lapidary::views
