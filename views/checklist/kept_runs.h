// SPDX-License-Identifier: GPL-3.0-or-later
// A table of the runs that the project keeps, with one line of key figures each.
#pragma once

#include "models/rows_model.h"
#include "widgets/table/table_view.h"
#include "workbench/project/project_state.h"

namespace lapidary::app {
class Workbench;
}

namespace lapidary::views {

class KeptRuns : public TableView {
    Q_OBJECT
public:
    explicit KeptRuns(app::Workbench& workbench, QWidget* parent = nullptr);

private:
    void refresh();
    app::Workbench& workbench_;
    RowsModel<app::RunFigures> model_;
};

}  // namespace lapidary::views
