// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of a trace that are no node of the open model, and why.
#pragma once

#include <lapidary/trace_match.h>

#include "models/rows_model.h"
#include "widgets/table_view.h"

namespace lapidary::views {

class UnmatchedTable : public TableView {
    Q_OBJECT
public:
    explicit UnmatchedTable(QWidget* parent = nullptr);
    void setMatch(const std::shared_ptr<const TraceMatch>& match);
    int count() const { return rows_.rowCount(); }

private:
    RowsModel<UnmatchedKernel> rows_;
};

}  // namespace lapidary::views
