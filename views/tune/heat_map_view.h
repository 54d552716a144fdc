// SPDX-License-Identifier: GPL-3.0-or-later
// The cells of a sweep as a coloured table. A click or the space bar adds cells that were not
// measured to the queue.
#pragma once

#include <QTableView>

#include "tune/heat_map_model.h"

namespace lapidary::views {

class HeatMapView : public QTableView {
    Q_OBJECT
public:
    HeatMapView(app::Tuning& tuning, HeatMapModel& model, QWidget* parent = nullptr);
    /// The selected cells, or all if fewer than two are selected, as tab-separated text with both
    /// headers.
    QString selectedText() const;
    /// The whole table as it looks, on the page's background.
    QImage picture(qreal scale);
    QSize sizeHint() const override;

signals:
    void cellPicked(std::ptrdiff_t cell);  // -1: none
    void applyRequested(std::size_t cell);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    std::vector<std::size_t> selectedCells() const;
    void toggle(const std::vector<std::size_t>& cells);
    void layOut();

    app::Tuning& tuning_;
    HeatMapModel& model_;
    QAction* exportTable_;
};

}  // namespace lapidary::views
