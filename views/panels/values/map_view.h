// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QWidget>

#include <vector>

#include "panels/values/value_maps.h"

class QPainter;

namespace lapidary::views {

/// Draws ValueMaps beside each other, with a scale below that says which colour is which value. The
/// tool tip says the value below the mouse.
class MapView : public QWidget {
    Q_OBJECT
public:
    explicit MapView(QWidget* parent = nullptr);
    /// Null: nothing is shown. `name`: of one of several maps, with %1 for its number. `axes`: what
    /// rows and columns are, to stand in the middle below the scale.
    void setMaps(ValueMapsPtr maps, const QString& name, const QString& axes = {});
    const QString& axes() const { return axes_; }
    /// Where the scale is: directly below the maps.
    QRect scaleBar() const;
    const ValueMapsPtr& maps() const { return maps_; }
    /// "head 3, [0, 17]: 0.25"; empty: there is no value.
    QString textAt(const QPoint& at) const;
    QSize sizeHint() const override { return {360, 300}; }
    QSize minimumSizeHint() const override { return {160, 120}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    /// Where the maps are drawn: `across` of them in a line, each of `size`.
    struct Grid {
        int across = 1, lines = 1;
        QSize cell, size;
    };
    Grid grid() const;
    QRect placeOf(const Grid& grid, int map) const;
    int shownCount() const { return maps_->isColour ? 1 : maps_->count; }
    int titleHeight() const;
    void drawImages();
    void paintScale(QPainter& painter) const;
    QColor colourOf(double value) const;

    ValueMapsPtr maps_;
    QString name_, axes_;
    std::vector<QImage> images_;  // of the maps; empty: to be drawn
};

}  // namespace lapidary::views
