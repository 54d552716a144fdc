// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/graph_thumbnail.h"

#include <QBuffer>
#include <QImage>

#include <algorithm>
#include <cmath>

#include <lapidary/base/error.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/internal/text_file.h>

#include "canvas/graph_painter.h"

namespace lapidary::views {
namespace {

constexpr std::size_t mostBoxes = 150;
constexpr double thumbnail_margin = 12;
constexpr double pictureAspect = 1.3;  // width by height
constexpr double mostHeights = 1.5;    // of a picture, per width
// scene units, so that a chain of nodes does not fill the picture with one box
constexpr double leastWidth = 320;

GraphScenePtr sceneOf(ModelPtr model, const GraphFonts& fonts, const Progress& progress) {
    const auto outline = std::make_shared<const GraphOutline>(std::move(model), progress);
    if (outline->leaves().empty()) fail_input("the model has no nodes to draw");
    SceneOptions options;
    options.cancel = progress.cancel;
    options.title = fonts.titleWidths();
    options.body = fonts.bodyWidths();
    options.aspect = pictureAspect;
    return buildScene(outline, defaultOpenGroups(*outline, mostBoxes), options);
}

}  // namespace

QImage thumbnailOf(const ModelPtr& model, const GraphFonts& fonts, const QPalette& palette,
                   QSize most, const Progress& progress) {
    const GraphScenePtr scene = sceneOf(model, fonts, progress);
    QRectF part =
        QRectF(0, 0, scene->width, scene->height)
            .adjusted(-thumbnail_margin, -thumbnail_margin, thumbnail_margin, thumbnail_margin);
    if (const double missing = leastWidth - part.width(); missing > 0)
        part.adjust(-missing / 2, 0, missing / 2, 0);
    part.setHeight(std::min(part.height(), part.width() * mostHeights));
    const double scale =
        std::min({1.0, most.width() / part.width(), most.height() / part.height()});
    QImage image(
        QSize(int(std::lround(part.width() * scale)), int(std::lround(part.height() * scale)))
            .boundedTo(most)
            .expandedTo(QSize(1, 1)),
        QImage::Format_RGB32);
    image.fill(themeColors(palette).canvas);
    QPainter painter(&image);
    painter.scale(scale, scale);
    painter.translate(-part.topLeft());
    GraphPainter(fonts).paint(painter, *scene, {}, palette, part, scale);
    painter.end();
    return image;
}

void saveThumbnail(const QImage& image, const QString& pictureFile) {
    QByteArray bytes;
    QBuffer file(&bytes);
    file.open(QIODevice::WriteOnly);
    if (!image.save(&file, "PNG"))
        fail(ErrorCode::io_failure, "the picture could not be written as PNG");
    save_text(pictureFile.toStdU16String(), {bytes.constData(), std::size_t(bytes.size())});
}

void drawThumbnail(const QString& modelFile, const QString& pictureFile, QSize most) {
    LoadOptions load;
    load.infer_types = false;
    auto model = std::make_shared<const Model>(load_model(modelFile.toStdU16String(), load));
    saveThumbnail(thumbnailOf(model, GraphFonts::standard(), QGuiApplication::palette(), most),
                  pictureFile);
}

}  // namespace lapidary::views
