// SPDX-License-Identifier: GPL-3.0-or-later
// The planned activations of A and B over the steps of a run, as two curves in one plot, and their
// key figures.
#pragma once

#include <QLabel>
#include <QWidget>

#include "compare/compare_digest.h"
#include "models/rows_model.h"
#include "widgets/table/table_view.h"

namespace lapidary::views {

class Plot;

struct MemoryFigure {
    QString name;
    double a = 0, b = 0;  // bytes
};

class MemoryOverlay : public QWidget {
    Q_OBJECT
public:
    explicit MemoryOverlay(QWidget* parent = nullptr);
    void setSides(const std::optional<MemorySide>& a, const std::optional<MemorySide>& b);
    QString sentence() const { return sentence_->text(); }
    const RowsModel<MemoryFigure>& rows() const { return rows_; }

private:
    RowsModel<MemoryFigure> rows_;
    Plot* plot_;
    TableView* table_;
    QLabel* sentence_;
};

}  // namespace lapidary::views
