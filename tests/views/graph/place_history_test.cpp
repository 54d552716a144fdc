// SPDX-License-Identifier: Apache-2.0
// Back and forward through the places of the drawing where one was.
#include <gtest/gtest.h>

#include <QAction>
#include <QSignalSpy>
#include <QTest>

#include "graph/graph_page.h"
#include "graph/place_history.h"
#include "views/graph_models.h"
#include "views/gui_watchdog.h"

namespace lapidary::views {
namespace {

GraphPlace at(double scale) { return {.scale = scale}; }

TEST(PlaceHistory, GoesBackAndForward) {
    PlaceHistory history;
    EXPECT_FALSE(history.hasBack());
    EXPECT_FALSE(history.back(at(1)));
    history.leave(at(1));
    history.leave(at(2));
    EXPECT_FALSE(history.hasForward());
    EXPECT_EQ(history.back(at(3)).value().scale, 2);
    EXPECT_EQ(history.back(at(2)).value().scale, 1);
    EXPECT_FALSE(history.back(at(1)));
    EXPECT_EQ(history.forward(at(1)).value().scale, 2);
    EXPECT_EQ(history.forward(at(2)).value().scale, 3);
    EXPECT_FALSE(history.hasForward());
    EXPECT_EQ(history.back(at(3)).value().scale, 2);
    history.leave(at(2));
    EXPECT_FALSE(history.hasForward()) << "who goes another way forgets the old one";
    history.clear();
    EXPECT_FALSE(history.hasBack());
}

TEST(PlaceHistory, APlaceThatLooksTheSameIsNoStep) {
    PlaceHistory history;
    history.leave(at(1));
    history.leave(at(2));
    history.leave(at(2));
    EXPECT_EQ(history.back(at(2)).value().scale, 1);
    EXPECT_FALSE(history.hasBack());
}

TEST(PlaceHistory, ForgetsWhatIsLongAgo) {
    PlaceHistory history;
    for (int i = 0; i < 150; ++i) history.leave(at(i + 1));
    std::size_t steps = 0;
    double last = 1000;
    while (const auto place = history.back(at(last))) {
        last = place->scale;
        ++steps;
    }
    EXPECT_EQ(steps, PlaceHistory::most);
    EXPECT_EQ(last, 51);
}

struct GraphPlacesTest : testing::Test {
    app::Workbench workbench;
    GraphPage page{workbench};
    GraphPlacesTest() {
        page.resize(1100, 800);
        page.show();
    }
    QAction* action(const QString& text) const {
        for (QAction* each : page.pageActions())
            if (each->text() == text) return each;
        return nullptr;
    }
    void settle() {
        ASSERT_TRUE(wait_until([&] { return !page.isLayingOut(); }));
        QCoreApplication::processEvents();
    }
    void open(ModelPtr model) {
        workbench.adopt(std::move(model), QStringLiteral("generated"));
        ASSERT_TRUE(wait_until([&] { return page.canvas()->scene() && !page.isLayingOut(); }));
    }
    void expectPlace(const GraphPlace& place) const {
        const GraphPlace now = placeOf(*page.canvas());
        EXPECT_EQ(now.open, place.open);
        EXPECT_EQ(now.selection, place.selection);
        EXPECT_EQ(now.scale, place.scale);
        EXPECT_EQ(now.leaf, place.leaf);
        EXPECT_EQ(now.group, place.group);
        EXPECT_LT((now.at - place.at).manhattanLength(), 3);
    }
};

TEST_F(GraphPlacesTest, BackClosesTheGroupsThatASearchOpened) {
    open(scoped_model(16));
    action(QStringLiteral("Close all groups"))->trigger();
    settle();
    const GraphPlace before = placeOf(*page.canvas());
    page.searchField()->setText(QStringLiteral("block9/conv1"));
    QTest::keyClick(page.searchField(), Qt::Key_Return);
    settle();
    const GraphPlace found = placeOf(*page.canvas());
    ASSERT_NE(found.open, before.open);
    ASSERT_NE(found.selection.leaf, noIndex);
    ASSERT_TRUE(action(QStringLiteral("Back"))->isEnabled());
    action(QStringLiteral("Back"))->trigger();
    settle();
    expectPlace(before);
    ASSERT_TRUE(action(QStringLiteral("Forward"))->isEnabled());
    action(QStringLiteral("Forward"))->trigger();
    settle();
    expectPlace(found);
    EXPECT_EQ(workbench.focus().node,
              page.canvas()->scene()->outline->leaves()[found.selection.leaf].node);
    EXPECT_FALSE(action(QStringLiteral("Forward"))->isEnabled());
}

TEST_F(GraphPlacesTest, BookmarksAreMarkedAndGoAgain) {
    open(scoped_model(16));
    action(QStringLiteral("Open all groups"))->trigger();
    settle();
    QSignalSpy said(&page, &Page::statusMessage);
    action(QStringLiteral("Mark the bookmarks"))->trigger();
    EXPECT_EQ(said.size(), 1) << "there is none";
    const auto nodes = workbench.document()->model->graph.nodes();
    const auto leafOf = [&](std::size_t node) {
        return page.canvas()->scene()->outline->leafOf(0, nodes[node]);
    };
    for (const std::size_t node : {std::size_t(3), std::size_t(50)}) {
        workbench.focusNode(nodes[node]);
        action(QStringLiteral("Bookmark"))->trigger();
    }
    workbench.setFocus({});
    action(QStringLiteral("Mark the bookmarks"))->trigger();
    settle();
    EXPECT_EQ(page.canvas()->matches(), (std::vector<OutlineIndex>{leafOf(3), leafOf(50)}));
    workbench.focusNode(nodes[3]);
    action(QStringLiteral("Bookmark"))->trigger();
    action(QStringLiteral("Mark the bookmarks"))->trigger();
    settle();
    EXPECT_EQ(page.canvas()->matches(), std::vector<OutlineIndex>{leafOf(50)});
}

TEST_F(GraphPlacesTest, WhatOthersSelectIsAPlaceAndAnotherModelHasNone) {
    open(scoped_model(16));
    action(QStringLiteral("Open all groups"))->trigger();
    settle();
    const auto nodes = workbench.document()->model->graph.nodes();
    workbench.focusNode(nodes[2]);
    const GraphPlace first = placeOf(*page.canvas());
    workbench.focusNode(nodes[100]);
    ASSERT_NE(placeOf(*page.canvas()).leaf, first.leaf);
    action(QStringLiteral("Back"))->trigger();
    settle();
    expectPlace(first);
    EXPECT_EQ(workbench.focus().node, nodes[2]);
    open(chain_model(5));
    EXPECT_FALSE(action(QStringLiteral("Back"))->isEnabled());
}

}  // namespace
}  // namespace lapidary::views
