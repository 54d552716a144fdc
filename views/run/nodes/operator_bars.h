// SPDX-License-Identifier: GPL-3.0-or-later
// Time by operator: one bar per operator in its family's colour.
#pragma once

#include <lapidary/profile/profile.h>

#include "models/rows_model.h"
#include "widgets/table/table_view.h"

namespace lapidary::views {

class OperatorBars : public TableView {
    Q_OBJECT
public:
    explicit OperatorBars(QWidget* parent = nullptr);
    /// The picked operator stays picked where there still is one of its name.
    void setOperators(std::shared_ptr<const std::vector<OperatorTotal>> operators);
    /// As if the user picked its row; empty: none.
    void selectOperator(const QString& op);

signals:
    /// The operator the user picked; empty when the selection was cleared.
    void operatorPicked(const QString& op);

private:
    void pick(const QString& op);
    RowsModel<OperatorTotal> operators_;
    QString picked_;
};

}  // namespace lapidary::views
