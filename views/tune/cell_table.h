// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <lapidary/bench/sweep.h>

#include "models/rows_model.h"
#include "tune/tune_figures.h"
#include "widgets/table/table_view.h"

namespace lapidary::views {

/// A row of the table of all settings.
struct CellRow {
    std::size_t cell = 0;
    SweepCell figures;
    FigureValue speedUp;
    bool best = false, equal = false, undecided = false, queued = false;
};

/// A table of all settings with all their figures, the same as in the heat map.
class CellTable : public TableView {
    Q_OBJECT
public:
    explicit CellTable(QWidget* parent = nullptr);
    void setRows(std::vector<CellRow> rows);
    void selectCell(std::ptrdiff_t cell);

signals:
    void cellPicked(std::ptrdiff_t cell);

private:
    RowsModel<CellRow> rows_;
    bool filling_ = false;
};

}  // namespace lapidary::views
