// SPDX-License-Identifier: Apache-2.0
// Large models in the whole window: time to the first picture, and no turn of the event loop over 50 ms.
#include <gtest/gtest.h>

#include <QElapsedTimer>
#include <QImage>
#include <QPainter>

#include <algorithm>

#include "graph/graph_page.h"
#include "graph_models.h"
#include "gui_watchdog.h"
#include "main_window.h"
#include "theme.h"

namespace lapidary::views {
namespace {

constexpr double longest_block_ms = 50, first_picture_ms = 2000, frame_ms = 50;

/// Opens the model in a fresh window; tells the time to the first picture and the longest block until then and
/// through a fit, a search, a selection and a look at the table.
struct Opening {
    double first_picture = 0;
    GuiWatchdog::Longest block;
};

Opening open_in_window(const ModelPtr& model) {
    Opening result;
    app::Workbench workbench;
    MainWindow window(workbench);
    window.resize(1400, 900);
    window.show();
    QCoreApplication::processEvents();
    auto* page = qobject_cast<GraphPage*>(window.page(QStringLiteral("graph")));
    if (!page) return result;
    GuiWatchdog watchdog;
    QElapsedTimer timer;
    timer.start();
    workbench.adopt(model, QStringLiteral("generated"));
    EXPECT_TRUE(wait_until([&] { return page->canvas()->scene() != nullptr; }));
    page->canvas()->repaint();
    result.first_picture = static_cast<double>(timer.elapsed());
    auto settle = [] { for (int i = 0; i < 6; ++i) QCoreApplication::processEvents(QEventLoop::AllEvents, 20); };
    settle();
    page->canvas()->fit();
    settle();
    page->searchField()->setText(QStringLiteral("relu1"));
    const auto* found = page->findChild<QLabel*>(QStringLiteral("searchCount"));
    EXPECT_TRUE(wait_until([&] { return found && !found->text().isEmpty(); }));
    workbench.focusNode(model->graph.nodes()[model->graph.node_count() / 2]);
    settle();
    for (QAction* action : page->pageActions()) {
        if (action->text() == QLatin1String("Table view")) action->trigger();
    }
    settle();
    page->searchField()->clear();
    settle();
    result.block = watchdog.stop();
    return result;
}

/// A loaded machine may spoil one attempt; a real block spoils all.
void expect_smooth(const ModelPtr& model) {
    Opening best;
    for (int attempt = 0; attempt < 4; ++attempt) {
        const Opening now = open_in_window(model);
        if (attempt == 0 || now.block.held_ms < best.block.held_ms) best = now;
        if (best.block.held_ms <= longest_block_ms && best.first_picture < first_picture_ms) break;
    }
    std::cout << "first picture " << best.first_picture << " ms, longest block " << best.block.held_ms << " ms (" << best.block.wall_ms << " ms with waits for a processor)\n";
    EXPECT_LT(best.first_picture, first_picture_ms);
    EXPECT_LE(best.block.held_ms, longest_block_ms);
}

TEST(GraphSpeed, a_model_of_10000_nodes_never_holds_up_the_window) { expect_smooth(scoped_model(1429)); }
TEST(GraphSpeed, a_chain_of_20000_nodes_never_holds_up_the_window) { expect_smooth(chain_model(20000)); }

TEST(GraphSpeed, a_frame_of_10000_boxes_takes_less_than_50_ms) {
    const auto outline = std::make_shared<const GraphOutline>(scoped_model(1429));
    const GraphFonts fonts = GraphFonts::standard();
    SceneOptions options;
    options.title = fonts.titleWidths();
    options.body = fonts.bodyWidths();
    QElapsedTimer timer;
    timer.start();
    const auto scene = buildScene(outline, allGroups(*outline, true), options);
    std::cout << "scene of " << scene->boxes.size() << " boxes: " << timer.elapsed() << " ms\n";
    ASSERT_GE(scene->boxes.size(), 10000u);
    GraphPainter painter(fonts);
    QImage image(1600, 1000, QImage::Format_RGB32);
    const GraphLook look;
    for (double scale : {1000.0 / scene->height, 0.05, 0.13, 0.2, 0.35, 0.5, 0.7, 1.0, 2.0}) {
        double best = 1e9;
        for (int attempt = 0; attempt < 8; ++attempt) {
            timer.restart();
            QPainter p(&image);
            p.fillRect(image.rect(), Qt::white);
            p.scale(scale, scale);
            const QRectF area(0, attempt * 30, 1600 / scale, 1000 / scale);
            p.translate(-area.topLeft());
            painter.paint(p, *scene, look, QPalette(), area, scale);
            p.end();
            best = std::min(best, static_cast<double>(timer.nsecsElapsed()) / 1e6);
        }
        std::cout << "  scale " << scale << ": " << best << " ms\n";
        EXPECT_LT(best, frame_ms) << "at scale " << scale;
    }
}

}  // namespace
}  // namespace lapidary::views
