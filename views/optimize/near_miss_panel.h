// SPDX-License-Identifier: GPL-3.0-or-later
// Places where a pass almost applied, and the first condition that failed.
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <lapidary/advice/near_miss_groups.h>

#include "models/rows_model.h"
#include "widgets/table/table_view.h"
#include "workbench/document/variant.h"

namespace lapidary::views {

class NearMissPanel : public QWidget {
    Q_OBJECT
public:
    explicit NearMissPanel(QWidget* parent = nullptr);
    /// Shows its near misses in groups, largest share of time first. `shares`: of the variant's
    /// nodes.
    void setVariant(const app::VariantPtr& variant, const TimeShares& shares);
    TableView* table() const { return table_; }
    QLineEdit* filterEdit() const { return filter_; }
    const RowsModel<NearMissGroup>& model() const { return model_; }

signals:
    /// Null: none.
    void missChosen(const lapidary::NearMiss* miss);

private:
    const NearMiss* chosen() const;
    void choose(std::size_t place);
    void refreshDetails();
    QString savingText() const;
    app::VariantPtr variant_;
    bool isMeasured_ = false;  // the shares of time, else estimated
    RowsModel<NearMissGroup> model_;
    std::size_t place_ = 0;  // index of the place in the chosen group
    QLineEdit* filter_;
    TableView* table_;
    QLabel* details_;
    QPushButton* next_;
};

}  // namespace lapidary::views
