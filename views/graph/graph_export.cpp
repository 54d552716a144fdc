// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/graph_export.h"

#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QImageWriter>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>

#include <lapidary/base/error.h>
#include <lapidary/internal/text_file.h>

#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr double margin = 24, mostSide = 16000, mostPixels = 120e6;

void draw(QPaintDevice& device, const GraphScene& scene, const GraphLook& look,
          const QPalette& palette, const GraphFonts& fonts, double scale) {
    GraphPainter graph(fonts);
    QPainter painter(&device);
    const QRectF whole =
        QRectF(0, 0, scene.width, scene.height).adjusted(-margin, -margin, margin, margin);
    painter.scale(scale, scale);
    painter.translate(margin, margin);
    painter.fillRect(whole, themeColors(palette).canvas);
    graph.paint(painter, scene, look, palette, whole, scale);
}

[[noreturn]] void fail(const QString& path, const QString& reason) {
    lapidary::fail(ErrorCode::io_failure,
                   "cannot write " + quote(path.toStdString()) + ": " + reason.toStdString());
}

}  // namespace

void exportGraph(const GraphScene& scene, const GraphLook& look, const QPalette& palette,
                 const GraphFonts& fonts, const QString& path) {
    const QSizeF size(scene.width + 2 * margin, scene.height + 2 * margin);
    const QString ending = QFileInfo(path).suffix().toLower();
    const bool svg = ending == QLatin1String("svg");
    if (!svg && !QImageWriter::supportedImageFormats().contains(ending.toLatin1()))
        fail_input("the file name must end in .svg or .png, found " + quote(ending.toStdString()));
    QByteArray bytes;
    QBuffer file(&bytes);
    file.open(QIODevice::WriteOnly);
    if (svg) {
        QSvgGenerator generator;
        generator.setOutputDevice(&file);
        generator.setTitle(labelText(scene.outline->model()->graph.name(), 200));
        generator.setResolution(96);
        generator.setSize(size.toSize());
        generator.setViewBox(QRectF(QPointF(0, 0), size));
        draw(generator, scene, look, palette, fonts, 1);
    } else {
        double scale = std::min({2.0, mostSide / size.width(), mostSide / size.height(),
                                 std::sqrt(mostPixels / (size.width() * size.height()))});
        QImage image((size * scale).toSize().expandedTo(QSize(1, 1)), QImage::Format_RGB32);
        if (image.isNull()) fail(path, QStringLiteral("the picture is too large for the memory"));
        draw(image, scene, look, palette, fonts, scale);
        QImageWriter writer(&file, ending.toLatin1());
        if (!writer.write(image)) fail(path, writer.errorString());
    }
    save_text(path.toStdU16String(), {bytes.constData(), std::size_t(bytes.size())});
}

}  // namespace lapidary::views
