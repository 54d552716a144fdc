// SPDX-License-Identifier: GPL-3.0-or-later
// What almost matched, and the first condition that failed.
#pragma once

#include <QLabel>
#include <QLineEdit>

#include "models/rows_model.h"
#include "widgets/table_view.h"
#include "workbench/variant.h"

namespace lapidary::views {

class NearMissPanel : public QWidget {
    Q_OBJECT
public:
    explicit NearMissPanel(QWidget* parent = nullptr);
    void setVariant(const app::VariantPtr& variant);
    TableView* table() const { return table_; }
    QLineEdit* filterEdit() const { return filter_; }
    const RowsModel<NearMiss>& model() const { return model_; }

signals:
    /// Null: none.
    void missChosen(const lapidary::NearMiss* miss);

private:
    void refreshDetails();
    app::VariantPtr variant_;
    RowsModel<NearMiss> model_;
    QLineEdit* filter_;
    TableView* table_;
    QLabel* details_;
};

}  // namespace lapidary::views
