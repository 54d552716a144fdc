// SPDX-License-Identifier: GPL-3.0-or-later
// The copies between kinds of memory in a run, and the nodes that needed them.
#pragma once

#include <lapidary/exec/placement.h>

#include "models/rows_model.h"
#include "widgets/table/table_view.h"

namespace lapidary::views {

class CopyTable : public TableView {
    Q_OBJECT
public:
    explicit CopyTable(QWidget* parent = nullptr);
    /// Largest first.
    void setCopies(std::vector<PlannedCopy> copies);
    const RowsModel<PlannedCopy>& rows() const { return rows_; }

private:
    RowsModel<PlannedCopy> rows_;
};

}  // namespace lapidary::views
