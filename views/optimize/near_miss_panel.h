// SPDX-License-Identifier: GPL-3.0-or-later
// Places where a pass almost applied, and the first condition that failed.
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <vector>

#include <lapidary/advice/near_miss_groups.h>

#include "models/rows_model.h"
#include "panels/inspector_request.h"
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
    /// Asks for the Convert dialog with a conversion that may satisfy the condition.
    void conversionRequested(const lapidary::views::InspectorRequest& request);

private:
    struct Fix {
        InspectorRequest::Kind kind;
        QPushButton* button;
    };
    void addFix(InspectorRequest::Kind kind, const char* name, const QString& text);
    void showFixes(const NearMiss* miss);
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
    std::vector<Fix> fixes_;  // shown where they may help
};

}  // namespace lapidary::views
