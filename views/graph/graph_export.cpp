// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/graph_export.h"

#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QImageWriter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>

#include <lapidary/base/error.h>
#include <lapidary/internal/text_file.h>

#include "theme/theme.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr double margin = 24, mostSide = 16000, mostPixels = 120e6;
constexpr int unitsPerInch = 96;                      // of a page at full size
constexpr double longestPage = 200.0 * unitsPerInch;  // a side, in units

/// `detail`: the scale whose texts and lines are drawn (detailAt()).
void draw(QPaintDevice& device, const GraphScene& scene, const GraphLook& look,
          const QPalette& palette, const GraphFonts& fonts, double scale, double detail) {
    GraphPainter graph(fonts);
    QPainter painter(&device);
    const QRectF whole =
        QRectF(0, 0, scene.width, scene.height).adjusted(-margin, -margin, margin, margin);
    painter.scale(scale, scale);
    painter.translate(margin, margin);
    painter.fillRect(whole, themeColors(palette).canvas);
    graph.paint(painter, scene, look, palette, whole, detail);
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
    const bool svg = ending == QLatin1String("svg"), pdf = ending == QLatin1String("pdf");
    const QString title = labelText(scene.outline->model()->graph.name(), 200);
    if (!svg && !pdf && !QImageWriter::supportedImageFormats().contains(ending.toLatin1()))
        fail_input("the file name must end in .svg, .pdf or .png, found " +
                   quote(ending.toStdString()));
    QByteArray bytes;
    QBuffer file(&bytes);
    file.open(QIODevice::WriteOnly);
    if (svg) {
        QSvgGenerator generator;
        generator.setOutputDevice(&file);
        generator.setTitle(title);
        generator.setResolution(96);
        generator.setSize(size.toSize());
        generator.setViewBox(QRectF(QPointF(0, 0), size));
        draw(generator, scene, look, palette, fonts, 1, 1);
    } else if (pdf) {
        const double scale = std::min(1.0, longestPage / std::max(size.width(), size.height()));
        QPdfWriter writer(&file);
        writer.setTitle(title);
        writer.setResolution(unitsPerInch);
        writer.setPageSize(QPageSize(size * scale / unitsPerInch, QPageSize::Inch, QString(),
                                     QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF());
        draw(writer, scene, look, palette, fonts, scale, 1);
    } else {
        double scale = std::min({2.0, mostSide / size.width(), mostSide / size.height(),
                                 std::sqrt(mostPixels / (size.width() * size.height()))});
        QImage image((size * scale).toSize().expandedTo(QSize(1, 1)), QImage::Format_RGB32);
        if (image.isNull()) fail(path, QStringLiteral("the picture is too large for the memory"));
        draw(image, scene, look, palette, fonts, scale, scale);
        QImageWriter writer(&file, ending.toLatin1());
        if (!writer.write(image)) fail(path, writer.errorString());
    }
    save_text(path.toStdU16String(), {bytes.constData(), std::size_t(bytes.size())});
}

bool printSeen(GraphCanvas& canvas, QPagedPaintDevice& device) {
    const bool isWide = canvas.width() > canvas.height();
    device.setPageOrientation(isWide ? QPageLayout::Landscape : QPageLayout::Portrait);
    QPainter painter;
    if (!painter.begin(&device)) return false;
    const QRectF page(QPointF(), QSizeF(device.width(), device.height()));
    const QSizeF seen = canvas.size();
    const double scale = std::min(page.width() / seen.width(), page.height() / seen.height());
    painter.translate((page.width() - seen.width() * scale) / 2, 0);
    painter.scale(scale, scale);
    painter.setClipRect(QRectF(QPointF(), seen));
    canvas.paintSeen(painter, lightPalette());
    return painter.end();
}

}  // namespace lapidary::views
