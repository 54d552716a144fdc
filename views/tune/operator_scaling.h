// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <lapidary/bench/sweep.h>

#include "models/rows_model.h"
#include "widgets/table/table_view.h"

namespace lapidary::views {

/// Shows which operators profit from more threads: their times as small bars, and the number of
/// threads beyond which they do not.
class OperatorScalingTable : public TableView {
    Q_OBJECT
public:
    explicit OperatorScalingTable(QWidget* parent = nullptr);
    void setScaling(std::vector<OperatorScaling> scaling);

private:
    RowsModel<OperatorScaling> rows_;
};

}  // namespace lapidary::views
