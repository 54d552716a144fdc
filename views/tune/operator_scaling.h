// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <lapidary/bench/sweep.h>

#include "models/rows_model.h"
#include "widgets/table/table_view.h"

namespace lapidary::views {

/// Which operators profit from more threads: their times as small bars, and where they stop.
class OperatorScalingTable : public TableView {
    Q_OBJECT
public:
    explicit OperatorScalingTable(QWidget* parent = nullptr);
    void setScaling(std::vector<OperatorScaling> scaling);

private:
    RowsModel<OperatorScaling> rows_;
};

}  // namespace lapidary::views
