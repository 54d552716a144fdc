// SPDX-License-Identifier: Apache-2.0
// Large models in the whole window: time to the first picture, and no turn of the event loop over
// 50 ms.
#include <gtest/gtest.h>

#include <QElapsedTimer>
#include <QImage>
#include <QPainter>

#include <time.h>

#include <algorithm>

#include "graph/graph_page.h"
#include "views/graph_models.h"
#include "views/gui_watchdog.h"
#include "support/time_budget.h"
#include "theme/theme.h"
#include "window/main_window.h"

namespace lapidary::views {
namespace {

const double longest_block_ms = 50 * wall_factor, first_picture_ms = 2000 * wall_factor,
             frame_ms = 50 * wall_factor;

/// Opens the model in a fresh window; reports the time to the first picture and the longest block
/// until then and through a fit, a search, a selection and a look at the table.
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
    auto settle = [] {
        for (int i = 0; i < 6; ++i) QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    };
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
    std::cout << "first picture " << best.first_picture << " ms, longest block "
              << best.block.held_ms << " ms (" << best.block.wall_ms
              << " ms with waits for a processor)\n";
    EXPECT_LT(best.first_picture, first_picture_ms);
    EXPECT_LE(best.block.held_ms, longest_block_ms);
}

TEST(GraphSpeed, a_model_of_10000_nodes_never_holds_up_the_window) {
    expect_smooth(scoped_model(1429));
}
TEST(GraphSpeed, a_chain_of_20000_nodes_never_holds_up_the_window) {
    expect_smooth(chain_model(20000));
}

/// Time this thread has computed: drawing waits for nothing, and other programs on the machine do
/// not count.
double processor_ms() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

/// Every scale with most of the picture full of boxes, the whole drawing first.
void expect_fast_frames(const ModelPtr& model, LayoutDirection direction) {
    const auto outline = std::make_shared<const GraphOutline>(model);
    const GraphFonts fonts = GraphFonts::standard();
    SceneOptions options;
    options.direction = direction;
    options.title = fonts.titleWidths();
    options.body = fonts.bodyWidths();
    QElapsedTimer timer;
    timer.start();
    const auto scene = buildScene(outline, allGroups(*outline, true), options);
    std::cout << "scene of " << scene->boxes.size() << " boxes, " << scene->width << " x "
              << scene->height << ": " << timer.elapsed() << " ms\n";
    ASSERT_GE(scene->boxes.size(), 10000u);
    GraphPainter painter(fonts);
    QImage image(1600, 1000, QImage::Format_RGB32);
    const GraphLook look;
    for (double scale : {std::min(1600.0 / scene->width, 1000.0 / scene->height), 0.05, 0.13, 0.2,
                         0.35, 0.5, 0.7, 1.0, 2.0}) {
        double best = 1e9;
        std::size_t boxes = 0;
        for (int attempt = 0; attempt < 8; ++attempt) {
            const double before = processor_ms();
            QPainter p(&image);
            p.fillRect(image.rect(), Qt::white);
            p.scale(scale, scale);
            const QSizeF size(1600 / scale, 1000 / scale);
            const QRectF area(
                QPointF(std::max(0.0, (scene->width - size.width()) / 2),
                        std::max(0.0, (scene->height - size.height()) / 2) + attempt * 8),
                size);
            p.translate(-area.topLeft());
            painter.paint(p, *scene, look, QPalette(), area, scale);
            p.end();
            best = std::min(best, processor_ms() - before);
            std::vector<std::uint32_t> found;
            scene->boxGrid.find(area, found);
            boxes = found.size();
        }
        std::cout << "  scale " << scale << ": " << best << " ms, about " << boxes << " boxes\n";
        EXPECT_LT(best, frame_ms) << "at scale " << scale;
    }
}

/// 10000 nodes side by side in rows of about a hundred.
ModelPtr wide_model() {
    auto model = std::make_unique<Model>();
    GraphEdit edit(model->graph);
    std::vector<ValueId> values{edit.add_input("x", float_type({1, 8}))};
    unsigned random = 7;
    auto pick = [&] {
        random = random * 1664525u + 1013904223u;
        const std::size_t window = std::min<std::size_t>(values.size(), 400);
        return values[values.size() - 1 - (random >> 8) % window];
    };
    for (int i = 0; i < 10000; ++i) {
        values.push_back(edit.node(
            i % 3 == 0 ? "Add" : "Relu",
            i % 3 == 0 ? std::vector<ValueId>{pick(), pick()} : std::vector<ValueId>{pick()}, {},
            "node" + std::to_string(i)));
        edit.set_type(values.back(), float_type({1, 8}));
    }
    edit.add_output(values.back());
    edit.finish();
    return finished(std::move(model));
}

TEST(GraphSpeed, frames_of_10000_boxes_take_less_than_50_ms) {
    expect_fast_frames(scoped_model(1429), LayoutDirection::down);
}
TEST(GraphSpeed, frames_of_a_wide_graph_take_less_than_50_ms) {
    expect_fast_frames(wide_model(), LayoutDirection::down);
}
TEST(GraphSpeed, frames_sideways_take_less_than_50_ms) {
    expect_fast_frames(wide_model(), LayoutDirection::right);
}

}  // namespace
}  // namespace lapidary::views
