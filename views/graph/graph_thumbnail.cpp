// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/graph_thumbnail.h"

#include <QBuffer>
#include <QImage>

#include <algorithm>
#include <cmath>

#include <lapidary/error.h>
#include <lapidary/model_io.h>
#include <lapidary/text_file.h>

#include "canvas/graph_painter.h"

namespace lapidary::views {
namespace {

constexpr std::size_t mostBoxes = 150;
constexpr double thumbnail_margin = 12;
constexpr double mostHeights = 1.5;    // of a picture, per width
constexpr double leastWidth = 320;     // scene units, so that a chain of nodes does not fill the picture with one box

GraphScenePtr sceneOf(const QString& modelFile, const GraphFonts& fonts) {
    LoadOptions load;
    load.infer_types = false;
    auto model = std::make_shared<const Model>(load_model(modelFile.toStdU16String(), load));
    const auto outline = std::make_shared<const GraphOutline>(std::move(model));
    if (outline->leaves().empty()) fail_input("the model has no nodes to draw");
    SceneOptions options;
    options.title = fonts.titleWidths();
    options.body = fonts.bodyWidths();
    return buildScene(outline, defaultOpenGroups(*outline, mostBoxes), options);
}

}  // namespace

void drawThumbnail(const QString& modelFile, const QString& pictureFile, QSize most) {
    const GraphFonts fonts = GraphFonts::standard();
    const GraphScenePtr scene = sceneOf(modelFile, fonts);
    QRectF part = QRectF(0, 0, scene->width, scene->height)
                      .adjusted(-thumbnail_margin, -thumbnail_margin, thumbnail_margin, thumbnail_margin);
    if (const double missing = leastWidth - part.width(); missing > 0) part.adjust(-missing / 2, 0, missing / 2, 0);
    part.setHeight(std::min(part.height(), part.width() * mostHeights));
    const double scale = std::min({1.0, most.width() / part.width(), most.height() / part.height()});
    QImage image(QSize(int(std::lround(part.width() * scale)), int(std::lround(part.height() * scale)))
                     .boundedTo(most)
                     .expandedTo(QSize(1, 1)),
                 QImage::Format_RGB32);
    const QPalette palette = QGuiApplication::palette();
    image.fill(themeColors(palette).canvas);
    QPainter painter(&image);
    painter.scale(scale, scale);
    painter.translate(-part.topLeft());
    GraphPainter(fonts).paint(painter, *scene, {}, palette, part, scale);
    painter.end();
    QByteArray bytes;
    QBuffer file(&bytes);
    file.open(QIODevice::WriteOnly);
    if (!image.save(&file, "PNG")) fail(ErrorCode::io_failure, "the picture could not be written as PNG");
    save_text(pictureFile.toStdU16String(), {bytes.constData(), std::size_t(bytes.size())});
}

}  // namespace lapidary::views
