// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/link_bands.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace lapidary::views {
namespace {

constexpr float most_layers = 3;
constexpr int shades = 256;

/// Premultiplied colours from nothing to `most_layers` bands over each other.
std::array<QRgb, shades> shadesOf(const QColor& color) {
    std::array<QRgb, shades> table{};
    for (int i = 0; i < shades; ++i) {
        const float alpha =
            std::min(1.0f, float(color.alphaF()) * most_layers * float(i) / (shades - 1));
        QColor shade = color;
        shade.setAlphaF(alpha);
        table[std::size_t(i)] = qPremultiply(shade.rgba());
    }
    return table;
}

/// Adds the share of each column that lies right of `x` to a row of differences.
void addEdge(std::vector<float>& row, double x, float sign) {
    const double at = std::clamp(x, 0.0, double(row.size() - 2));
    const auto column = std::size_t(at);
    const auto share = float(at - double(column));
    row[column] += sign * (1 - share);
    row[column + 1] += sign * share;
}

}  // namespace

QImage drawLinkBands(std::span<const LinkBand> bands, const QSize& size, qreal ratio,
                     const QColor& color) {
    const int width = int(std::ceil(size.width() * ratio)),
              height = int(std::ceil(size.height() * ratio));
    QImage image(width, height, QImage::Format_ARGB32_Premultiplied);
    if (image.isNull()) return image;
    image.setDevicePixelRatio(ratio);
    const std::array<QRgb, shades> shade = shadesOf(color);
    std::vector<float> row(std::size_t(width) + 2);
    for (int y = 0; y < height; ++y) {
        std::ranges::fill(row, 0.0f);
        const double down = (y + 0.5) / height;
        for (const LinkBand& band : bands) {
            addEdge(row, std::lerp(band.upper_left, band.lower_left, down) * ratio, 1);
            addEdge(row, std::lerp(band.upper_right, band.lower_right, down) * ratio, -1);
        }
        auto* pixels = reinterpret_cast<QRgb*>(image.scanLine(y));
        float layers = 0;
        for (int x = 0; x < width; ++x) {
            layers += row[std::size_t(x)];
            pixels[x] = shade[std::size_t(
                std::clamp(layers, 0.0f, most_layers) / most_layers * (shades - 1) + 0.5f)];
        }
    }
    return image;
}

}  // namespace lapidary::views
