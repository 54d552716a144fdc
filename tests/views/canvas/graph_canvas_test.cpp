// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <QFile>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "canvas/graph_canvas.h"
#include "graph/graph_page.h"
#include "views/graph_models.h"
#include "views/gui_watchdog.h"
#include "theme/theme.h"
#include "widgets/plot/picture_export.h"

namespace lapidary::views {
namespace {

GraphScenePtr scene_of(const GraphOutlinePtr& outline, bool open = true) {
    const GraphFonts fonts = GraphFonts::standard();
    SceneOptions options;
    options.title = fonts.titleWidths();
    options.body = fonts.bodyWidths();
    return buildScene(outline, allGroups(*outline, open), options);
}

struct CanvasTest : testing::Test {
    GraphOutlinePtr outline = std::make_shared<const GraphOutline>(scoped_model(4));
    GraphCanvas canvas;
    CanvasTest() {
        canvas.resize(900, 700);
        canvas.setScene(scene_of(outline));
        canvas.show();
    }
    OutlineIndex box_named(const QString& title, int skip = 0) const {
        for (OutlineIndex i = 0; i < canvas.scene()->boxes.size(); ++i) {
            if (canvas.scene()->titleOf(canvas.scene()->boxes[i]) == title && skip-- == 0) return i;
        }
        return noIndex;
    }
};

TEST_F(CanvasTest, begins_where_the_data_comes_in_at_a_readable_size) {
    EXPECT_GE(canvas.scale(), 0.75);
    EXPECT_TRUE(canvas.visibleArea().intersects(canvas.scene()->boxes[box_named("image")].rect()));
}

TEST_F(CanvasTest, fit_shows_everything) {
    canvas.fit();
    EXPECT_TRUE(
        canvas.visibleArea().contains(QRectF(0, 0, canvas.scene()->width, canvas.scene()->height)));
}

TEST_F(CanvasTest, zooms_around_the_pointer) {
    const QPointF pointer(300, 200), before = canvas.toScene(pointer);
    canvas.zoomBy(1.5, pointer);
    const QPointF after = canvas.toScene(pointer);
    EXPECT_NEAR(after.x(), before.x(), 1.0);
    EXPECT_NEAR(after.y(), before.y(), 1.0);
    for (int i = 0; i < 60; ++i) canvas.zoomIn();
    EXPECT_DOUBLE_EQ(canvas.scale(), 4);
    for (int i = 0; i < 90; ++i) canvas.zoomOut();
    EXPECT_GT(canvas.scale(), 0);
}

TEST_F(CanvasTest, pans_with_the_mouse_but_never_loses_the_drawing) {
    const QPointF before = canvas.visibleArea().topLeft();
    QTest::mousePress(&canvas, Qt::MiddleButton, {}, {400, 300});
    QTest::mouseMove(&canvas, {340, 260});
    QTest::mouseRelease(&canvas, Qt::MiddleButton, {}, {340, 260});
    EXPECT_NEAR(canvas.visibleArea().left() - before.x(), 60 / canvas.scale(), 1.5);
    for (int i = 0; i < 200; ++i) QTest::keyClick(&canvas, Qt::Key_PageDown);
    EXPECT_TRUE(canvas.visibleArea().intersects(
        QRectF(0, 0, canvas.scene()->width, canvas.scene()->height)));
}

TEST_F(CanvasTest, shift_and_a_click_select_more_and_less) {
    canvas.fit();
    const auto at = [&](OutlineIndex box) {
        return canvas.fromScene(canvas.scene()->boxes[box].rect().center()).toPoint();
    };
    const OutlineIndex first = box_named("Conv"), second = box_named("Relu");
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, at(first));
    QTest::mouseClick(&canvas, Qt::LeftButton, Qt::ShiftModifier, at(second));
    EXPECT_EQ(canvas.selection().leaf, canvas.scene()->boxes[second].leaf);
    ASSERT_EQ(canvas.selection().others.size(), 1u);
    EXPECT_EQ(canvas.selection().others[0], canvas.scene()->boxes[first].leaf);
    QTest::mouseClick(&canvas, Qt::LeftButton, Qt::ShiftModifier, at(second));
    EXPECT_EQ(canvas.selection().leaf, canvas.scene()->boxes[first].leaf);
    EXPECT_TRUE(canvas.selection().others.empty());
    QTest::keyClick(&canvas, Qt::Key_Down, Qt::ShiftModifier);
    EXPECT_EQ(canvas.selection().leaves().size(), 2u);
    QTest::keyClick(&canvas, Qt::Key_Escape);
    EXPECT_TRUE(canvas.selection().leaves().empty());
}

TEST_F(CanvasTest, a_rubber_band_selects_what_it_touches) {
    canvas.fit();
    const QPointF before = canvas.origin();
    QSignalSpy changed(&canvas, &GraphCanvas::selectionChanged);
    QTest::mousePress(&canvas, Qt::LeftButton, Qt::ShiftModifier, {1, 1});
    QTest::mouseMove(&canvas, {300, 300});
    QTest::mouseMove(&canvas, {canvas.width() - 2, canvas.height() - 2});
    QTest::mouseRelease(&canvas, Qt::LeftButton, Qt::ShiftModifier,
                        {canvas.width() - 2, canvas.height() - 2});
    EXPECT_EQ(canvas.origin(), before) << "nothing is panned";
    ASSERT_EQ(changed.size(), 1);
    EXPECT_EQ(canvas.selection().leaves().size(), outline->leaves().size());
    QTest::keyClick(&canvas, Qt::Key_Escape);
    QTest::mousePress(&canvas, Qt::LeftButton, Qt::ShiftModifier, {1, 1});
    QTest::mouseMove(&canvas, {300, 300});
    QTest::keyClick(&canvas, Qt::Key_Escape);
    QTest::mouseRelease(&canvas, Qt::LeftButton, Qt::ShiftModifier, {300, 300});
    EXPECT_TRUE(canvas.selection().isEmpty()) << "Escape leaves the band";
}

TEST_F(CanvasTest, a_click_selects_and_a_click_beside_clears) {
    QSignalSpy changed(&canvas, &GraphCanvas::selectionChanged);
    const OutlineIndex conv = box_named("Conv");
    canvas.reveal(conv, true);
    QTest::mouseClick(&canvas, Qt::LeftButton, {},
                      canvas.fromScene(canvas.scene()->boxes[conv].rect().center()).toPoint());
    ASSERT_EQ(changed.size(), 1);
    EXPECT_EQ(canvas.selectedBox(), conv);
    EXPECT_EQ(canvas.selection().leaf, canvas.scene()->boxes[conv].leaf);
    QTest::keyClick(&canvas, Qt::Key_Escape);
    EXPECT_TRUE(canvas.selection().isEmpty());
}

TEST_F(CanvasTest, a_click_on_a_line_selects_the_tensor) {
    const SceneLine& line = canvas.scene()->lines[0];
    const auto points = canvas.scene()->pointsOf(line);
    const LayoutPoint a = points[0], b = points[1];
    canvas.fit();
    canvas.zoomBy(1 / canvas.scale(), canvas.fromScene(QPointF(a.x, a.y)));
    QTest::mouseClick(&canvas, Qt::LeftButton, {},
                      canvas.fromScene(QPointF((a.x + b.x) / 2, (a.y + b.y) / 2)).toPoint());
    EXPECT_EQ(canvas.selection().tensor, line.tensor);
}

TEST_F(CanvasTest, arrows_follow_the_tensors) {
    const OutlineIndex image = box_named("image");
    canvas.setSelection({canvas.scene()->boxes[image].leaf, noIndex, noIndex});
    QTest::keyClick(&canvas, Qt::Key_Down);  // into the first block
    ASSERT_NE(canvas.selectedBox(), image);
    const OutlineIndex first = canvas.selectedBox();
    QTest::keyClick(&canvas, Qt::Key_Up);
    EXPECT_EQ(canvas.selectedBox(), image);
    QTest::keyClick(&canvas, Qt::Key_End);
    EXPECT_EQ(canvas.scene()->titleOf(canvas.scene()->boxes[canvas.selectedBox()]), "result");
    QTest::keyClick(&canvas, Qt::Key_Home);
    EXPECT_EQ(canvas.selectedBox(), image);
    QTest::keyClick(&canvas, Qt::Key_Down);
    EXPECT_EQ(canvas.selectedBox(), first);
}

TEST_F(CanvasTest, reports_to_screen_readers_what_is_selected) {
    const OutlineIndex conv = box_named("Conv");
    canvas.setSelection({canvas.scene()->boxes[conv].leaf, noIndex, noIndex});
    EXPECT_TRUE(
        canvas.accessibleDescription().contains(QLatin1String("/layer0/block0/conv0/Conv")));
    EXPECT_FALSE(canvas.accessibleName().isEmpty());
}

TEST_F(CanvasTest, an_opened_group_keeps_its_place_on_the_screen) {
    OpenGroups open = allGroups(*outline, false);
    const auto closed = scene_of(outline, false);
    canvas.setScene(closed);
    const OutlineIndex group = closed->boxes[box_named("block1")].group;
    canvas.zoomIn();
    canvas.reveal(closed->boxOfGroup[group]);
    const QPointF before =
        canvas.fromScene(closed->boxes[closed->boxOfGroup[group]].rect().topLeft());
    open[group] = true;
    SceneOptions options = closed->options;
    const auto opened = buildScene(outline, open, options);
    canvas.setScene(opened, group);
    const QPointF after =
        canvas.fromScene(opened->boxes[opened->boxOfGroup[group]].rect().topLeft());
    EXPECT_NEAR(before.x(), after.x(), 2);
    EXPECT_NEAR(before.y(), after.y(), 2);
}

TEST_F(CanvasTest, a_double_click_opens_a_group_in_the_middle) {
    canvas.setScene(scene_of(outline, false));
    QObject::connect(&canvas, &GraphCanvas::groupToggled, &canvas, [&](OutlineIndex group) {
        canvas.setScene(buildScene(outline, toggled(*outline, canvas.scene()->open, group),
                                   canvas.scene()->options),
                        group);
    });
    const OutlineIndex box = box_named("block3");
    const OutlineIndex group = canvas.scene()->boxes[box].group;
    canvas.reveal(box, true);
    const QPointF at = canvas.fromScene(canvas.scene()->boxes[box].rect().center());
    QMouseEvent click(QEvent::MouseButtonDblClick, at, canvas.mapToGlobal(at), Qt::LeftButton,
                      Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&canvas, &click);
    const SceneBox& opened = canvas.scene()->boxes[canvas.scene()->boxOfGroup[group]];
    ASSERT_TRUE(opened.open);
    const QPointF middle = canvas.fromScene(opened.rect().center());
    EXPECT_NEAR(middle.x(), canvas.width() / 2.0, 2);
    const bool fits = opened.height * canvas.scale() <= canvas.height() - 2 * sceneBorder + 1;
    EXPECT_NEAR(fits ? middle.y() : canvas.fromScene(opened.rect().topLeft()).y(),
                fits ? canvas.height() / 2.0 : sceneBorder, 2);
    EXPECT_GE(canvas.scale(), readableScale) << "it can be read";
}

TEST_F(CanvasTest, sums_the_numbers_of_a_closed_group) {
    auto values = std::make_shared<LeafValues>();
    values->byLeaf.assign(outline->leaves().size(), std::numeric_limits<float>::quiet_NaN());
    for (std::size_t i = 0; i < outline->leaves().size(); ++i) {
        if (outline->leaves()[i].kind == OutlineLeaf::Kind::Node) values->byLeaf[i] = 1;
    }
    canvas.setScene(scene_of(outline, false));
    canvas.setValues(values);
    canvas.setColorBy(ColorBy::Value);
    EXPECT_FLOAT_EQ(canvas.heat()[box_named("block1")], 1);
    EXPECT_TRUE(std::isnan(canvas.heat()[box_named("image")]));
    canvas.grab();
}

TEST_F(CanvasTest, boxes_say_the_number_that_colours_them) {
    auto values = std::make_shared<LeafValues>();
    values->written = [](double number) { return QStringLiteral("%1 ms").arg(qRound(number)); };
    values->byLeaf.assign(outline->leaves().size(), std::numeric_limits<float>::quiet_NaN());
    for (std::size_t i = 0; i < outline->leaves().size(); ++i) {
        if (outline->leaves()[i].kind == OutlineLeaf::Kind::Node) values->byLeaf[i] = 31;
    }
    const auto drawn = [&](const QString& title) {
        canvas.centreOn(box_named(title));
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("seen.svg"));
        EXPECT_EQ(savePictureTo(canvas, path), QString());
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return QString::fromUtf8(file.readAll());
    };
    canvas.setLegendFolded(true);  // it has numbers too
    canvas.setValues(values);
    EXPECT_FALSE(drawn(QStringLiteral("Conv")).contains(QStringLiteral("31 ms")))
        << "not while the colours are those of types";
    canvas.setColorBy(ColorBy::Value);
    EXPECT_TRUE(drawn(QStringLiteral("Conv")).contains(QStringLiteral("31 ms")));
    EXPECT_TRUE(canvas.look().figureOf(box_named("image")).isEmpty());
    canvas.setScene(scene_of(outline, false));
    EXPECT_EQ(canvas.look().figureOf(box_named("block1")), QStringLiteral("217 ms"));
    EXPECT_TRUE(drawn(QStringLiteral("block1")).contains(QStringLiteral("217 ms")));
}

TEST(GraphLook, text_on_every_heat_is_readable) {
    const QPalette light(QColor(0xf0f0f0)), dark(QColor(0x202228));
    for (const QPalette& palette : {light, dark}) {
        for (int i = 0; i <= 20; ++i) {
            const QColor fill = heatColor(i / 20.0, palette), ink = readableOn(fill);
            auto luminance = [](const QColor& c) {
                auto linear = [](double v) {
                    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
                };
                return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) +
                       0.0722 * linear(c.blueF());
            };
            const double a = luminance(fill), b = luminance(ink);
            EXPECT_GE((std::max(a, b) + 0.05) / (std::min(a, b) + 0.05), 4.5)
                << "share " << i / 20.0;
        }
    }
}

}  // namespace
}  // namespace lapidary::views
