// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/values/map_view.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

#include "theme/theme.h"
#include "widgets/plot/picture_export.h"
#include "widgets/text/figure.h"

namespace lapidary::views {
namespace {

constexpr int map_gap = 6;       // pixels between maps
constexpr int scale_height = 8;  // of the bar of colours

QColor between(const QColor& from, const QColor& to, double share) {
    const auto mixed = [share](int a, int b) { return int(std::lround(a + (b - a) * share)); };
    return QColor(mixed(from.red(), to.red()), mixed(from.green(), to.green()),
                  mixed(from.blue(), to.blue()));
}

QString mapNumber(double value) { return figureText(value, 4); }

}  // namespace

MapView::MapView(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("valueMaps"));
    setAccessibleName(tr("The values as a picture"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setFocusPolicy(Qt::StrongFocus);
    installPictureMenu(*this, QStringLiteral("values"));
}

void MapView::setMaps(ValueMapsPtr maps, const QString& name, const QString& axes) {
    maps_ = std::move(maps);
    name_ = name;
    axes_ = axes;
    images_.clear();
    setVisible(maps_ != nullptr);
    setAccessibleDescription(
        maps_ ? tr("%n picture(s) of %1 × %2 values, from %3 to %4", nullptr, shownCount())
                    .arg(maps_->rows)
                    .arg(maps_->columns)
                    .arg(mapNumber(maps_->low), mapNumber(maps_->high))
              : QString());
    update();
}

int MapView::titleHeight() const { return maps_ && shownCount() > 1 ? fontMetrics().height() : 0; }

/// As many in a line as make the maps largest.
MapView::Grid MapView::grid() const {
    const int foot = fontMetrics().height() + scale_height + map_gap;
    const QSize room(width(), std::max(1, height() - foot));
    const int count = shownCount();
    Grid best;
    double most = 0;
    for (int across = 1; across <= count; ++across) {
        const int lines = (count + across - 1) / across;
        const int wide = room.width() / across - map_gap,
                  high = room.height() / lines - map_gap - titleHeight();
        const double scale = std::min(double(wide) / maps_->columns, double(high) / maps_->rows);
        if (scale <= most) continue;
        most = scale;
        best.across = across;
        best.size =
            QSize(std::max(1, int(maps_->columns * scale)), std::max(1, int(maps_->rows * scale)));
        best.lines = lines;
        best.cell = QSize(room.width() / across, best.size.height() + titleHeight() + map_gap);
    }
    return best;
}

QRect MapView::placeOf(const Grid& grid, int map) const {
    const QPoint corner(map % grid.across * grid.cell.width(),
                        map / grid.across * grid.cell.height() + titleHeight());
    return {corner, grid.size};
}

/// Values of both signs: two colours from zero on. Others: one colour from the lowest on.
QColor MapView::colourOf(double value) const {
    const ThemeColors& colors = themeColors(palette());
    if (!std::isfinite(value)) return colors.error;
    if (maps_->low < 0 && maps_->high > 0) {
        const double most = std::max(-maps_->low, maps_->high);
        return between(colors.canvas, value < 0 ? colors.warning : colors.accent,
                       std::min(1.0, std::fabs(value) / most));
    }
    const double width = maps_->high / 2 - maps_->low / 2;
    const double share = width > 0 ? (value / 2 - maps_->low / 2) / width : 1;
    return between(colors.canvas, colors.accent, std::clamp(share, 0.0, 1.0));
}

void MapView::drawImages() {
    const int count = shownCount();
    const double width = maps_->high / 2 - maps_->low / 2;
    const auto part = [&](double value) {
        const double share = width > 0 ? (value / 2 - maps_->low / 2) / width : 0;
        return std::isfinite(share) ? int(std::lround(255 * std::clamp(share, 0.0, 1.0))) : 0;
    };
    for (int map = 0; map < count; ++map) {
        QImage image(maps_->columns, maps_->rows, QImage::Format_RGB32);
        for (int row = 0; row < maps_->rows; ++row) {
            auto* line = reinterpret_cast<QRgb*>(image.scanLine(row));
            for (int column = 0; column < maps_->columns; ++column)
                line[column] = maps_->isColour ? qRgb(part(maps_->at(0, row, column)),
                                                      part(maps_->at(1, row, column)),
                                                      part(maps_->at(2, row, column)))
                                               : colourOf(maps_->at(map, row, column)).rgb();
        }
        images_.push_back(std::move(image));
    }
}

QRect MapView::scaleBar() const {
    if (!maps_) return {};
    const Grid where = grid();
    return {0, where.lines * where.cell.height(), width(), scale_height};
}

void MapView::paintScale(QPainter& painter) const {
    const QRect bar = scaleBar();
    if (!maps_->isColour) {
        constexpr int steps = 64;
        for (int i = 0; i < steps; ++i) {
            const double share = (i + 0.5) / steps;
            const int left = bar.width() * i / steps, right = bar.width() * (i + 1) / steps;
            painter.fillRect(QRect(left, bar.top(), right - left, bar.height()),
                             colourOf(maps_->low * (1 - share) + maps_->high * share));
        }
    }
    painter.setPen(themeColors(palette()).mutedText);
    const QRect under(0, bar.bottom() + 1, width(), fontMetrics().height());
    painter.drawText(under, Qt::AlignLeft | Qt::AlignVCenter, mapNumber(maps_->low));
    painter.drawText(under, Qt::AlignHCenter | Qt::AlignVCenter, axes_);
    painter.drawText(under, Qt::AlignRight | Qt::AlignVCenter, mapNumber(maps_->high));
}

void MapView::paintEvent(QPaintEvent*) {
    if (!maps_) return;
    if (images_.empty()) drawImages();
    QPainter painter(this);
    const ThemeColors& colors = themeColors(palette());
    const Grid where = grid();
    for (int map = 0; map < int(images_.size()); ++map) {
        const QRect place = placeOf(where, map);
        painter.drawImage(place, images_[std::size_t(map)]);
        painter.setPen(colors.border);
        painter.drawRect(place.adjusted(0, 0, -1, -1));
        if (titleHeight() == 0) continue;
        painter.setPen(colors.mutedText);
        painter.drawText(QRect(place.left(), place.top() - titleHeight(),
                               where.cell.width() - map_gap, titleHeight()),
                         Qt::AlignLeft | Qt::AlignVCenter, name_.arg(map));
    }
    paintScale(painter);
}

QString MapView::textAt(const QPoint& at) const {
    if (!maps_) return {};
    const Grid where = grid();
    for (int map = 0; map < shownCount(); ++map) {
        const QRect place = placeOf(where, map);
        if (!place.contains(at)) continue;
        const int row = (at.y() - place.top()) * maps_->rows / place.height(),
                  column = (at.x() - place.left()) * maps_->columns / place.width();
        const QString values = maps_->isColour ? QStringLiteral("%1, %2, %3")
                                                     .arg(mapNumber(maps_->at(0, row, column)),
                                                          mapNumber(maps_->at(1, row, column)),
                                                          mapNumber(maps_->at(2, row, column)))
                                               : mapNumber(maps_->at(map, row, column));
        const QString text = QStringLiteral("[%1, %2]: %3").arg(row).arg(column).arg(values);
        return shownCount() > 1 ? QStringLiteral("%1 %2").arg(name_.arg(map), text) : text;
    }
    return {};
}

bool MapView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString text = textAt(help->pos());
        if (text.isEmpty()) QToolTip::hideText();
        else QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    return QWidget::event(event);
}

void MapView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) images_.clear();
    QWidget::changeEvent(event);
}

}  // namespace lapidary::views
