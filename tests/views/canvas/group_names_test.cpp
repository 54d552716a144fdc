// SPDX-License-Identifier: Apache-2.0
// Names of groups over the drawing: the same size at every zoom, without overlaps, and the slowest
// block is named.
#include <QFontMetricsF>

#include <algorithm>
#include <limits>

#include "canvas/group_names.h"
#include "canvas/slow_block.h"
#include "graph/graph_page.h"
#include "views/graph_models.h"
#include "views/window_fixture.h"

namespace lapidary::views {
namespace {

constexpr double time_of_most = 1, time_of_one = 4;

class GroupNamesTest : public WindowTest {
protected:
    void SetUp() override {
        WindowTest::SetUp();
        workbench_->adopt(scoped_model(12), QStringLiteral("scoped"));
        ASSERT_TRUE(waitFor([&] { return canvas()->scene() && !page()->isLayingOut(); }));
    }
    GraphPage* page() const {
        return qobject_cast<GraphPage*>(window_->page(QStringLiteral("graph")));
    }
    GraphCanvas* canvas() const { return page()->canvas(); }
    /// Those over the drawing; none lies over another or leaves the canvas, and each is as high as
    /// its lines.
    std::vector<GroupName> names() const {
        std::vector<GroupName> placed = canvas()->groupNames();
        const double line = QFontMetricsF(canvas()->font()).height();
        for (const GroupName& name : placed) {
            EXPECT_EQ(name.place.height(), line * double(name.lines.size()));
            EXPECT_TRUE(QRectF(canvas()->rect()).contains(name.place));
            for (const GroupName& other : placed)
                if (&other != &name) EXPECT_FALSE(other.place.intersects(name.place));
        }
        return placed;
    }
    static QString all(const std::vector<GroupName>& names) {
        QStringList lines;
        for (const GroupName& name : names) lines << name.lines.join(QStringLiteral(": "));
        return lines.join(u'\n');
    }
};

TEST_F(GroupNamesTest, AreThereAtEveryZoomAtWhichCardsCannotBeRead) {
    command(QStringLiteral("Close all groups"))->trigger();
    ASSERT_TRUE(waitFor([&] { return !page()->isLayingOut(); }));
    for (const double scale : {0.7, 0.5, 0.3, 0.12, 0.08}) {
        canvas()->zoomBy(scale / canvas()->scale(), QRectF(canvas()->rect()).center());
        canvas()->fitArea(QRectF(0, 0, canvas()->scene()->width, canvas()->scene()->height),
                          canvas()->scale());
        EXPECT_FALSE(names().empty()) << "at " << canvas()->scale();
    }
    canvas()->zoomBy(1 / canvas()->scale(), QRectF(canvas()->rect()).center());
    EXPECT_TRUE(names().empty()) << "the cards can be read:\n" << all(names()).toStdString();
}

TEST_F(GroupNamesTest, AFrameWhoseHeaderIsOutOfViewSaysWhatOneIsIn) {
    command(QStringLiteral("Open all groups"))->trigger();
    ASSERT_TRUE(waitFor([&] { return !page()->isLayingOut(); }));
    const GraphScene& scene = *canvas()->scene();
    const auto frame =
        std::ranges::find_if(scene.boxes, [](const SceneBox& box) { return box.open; });
    ASSERT_NE(frame, scene.boxes.end());
    canvas()->showView(1, frame->rect().topLeft() + QPointF(0, 60));
    const auto placed = names();
    const auto at =
        std::ranges::find(placed, OutlineIndex(frame - scene.boxes.begin()), &GroupName::box);
    ASSERT_NE(at, placed.end());
    EXPECT_TRUE(at->lines.front().contains(scene.titleOf(*frame))) << all(placed).toStdString();
    EXPECT_LT(at->place.top(), 10);
}

TEST_F(GroupNamesTest, TheBlockThatTookLongerIsNamed) {
    const GraphOutline& outline = *canvas()->scene()->outline;
    const auto& groups = outline.groups();
    const auto holder = std::ranges::find_if(groups, [](const OutlineGroup& group) {
        return !group.repeats.isEmpty() || group.label.contains(QChar(0xd7));
    });
    ASSERT_NE(holder, groups.end());
    const OutlineIndex odd = holder->groups[5];
    const auto isIn = [&](OutlineIndex group, OutlineIndex in) {
        for (; group != 0 && group != in; group = groups[group].parent) {}
        return group == in;
    };
    std::vector<float> times(outline.leaves().size(), std::numeric_limits<float>::quiet_NaN());
    for (std::size_t leaf = 0; leaf < times.size(); ++leaf)
        if (outline.leaves()[leaf].kind == OutlineLeaf::Kind::Node)
            times[leaf] =
                float(isIn(outline.leaves()[leaf].group, odd) ? time_of_one : time_of_most);
    const auto slow = slowBlocks(outline, times);
    EXPECT_EQ(slow[std::size_t(holder - groups.begin())], odd);
    EXPECT_TRUE(groups[odd].label.endsWith(blockNumber(outline, odd).mid(1)));
    std::ranges::fill(times, 1.0f);
    EXPECT_EQ(slowBlocks(outline, times)[std::size_t(holder - groups.begin())], noIndex)
        << "all alike";

    auto values = std::make_shared<LeafValues>();
    values->isTime = true;
    values->byLeaf.assign(times.size(), float(time_of_most));
    for (std::size_t leaf = 0; leaf < times.size(); ++leaf)
        if (isIn(outline.leaves()[leaf].group, odd)) values->byLeaf[leaf] = float(time_of_one);
    canvas()->setValues(values);
    const OutlineIndex box = canvas()->scene()->boxOfGroup[std::size_t(holder - groups.begin())];
    ASSERT_NE(box, noIndex);
    canvas()->setSelection({noIndex, OutlineIndex(holder - groups.begin()), noIndex});
    EXPECT_TRUE(canvas()->accessibleDescription().contains(blockNumber(outline, odd) +
                                                           QStringLiteral(" is slow")))
        << canvas()->accessibleDescription().toStdString();
}

}  // namespace
}  // namespace lapidary::views
