// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/forms/attribute_table.h"
#include "graph/forms/edit_fields.h"

class QLabel;

namespace lapidary::views {

/// All attributes of nodes of one operator in one table, with the values in which they agree. The
/// lines set what was changed and unset what was emptied, for each of the nodes.
class AttributeFields : public EditFields {
    Q_OBJECT
public:
    /// `model` has to outlive the fields.
    AttributeFields(const QString& form, const FormModel& model, const EditTarget& target);
    QString lines() const override;
    QStringList missing() const override;
    bool changesNothing() const override;
    void showRefusal(const QString& reason) override { table_->showRefusal(reason); }
    AttributeTable* table() const { return table_; }

private:
    void showNodes();
    bool areOfOneOperator(const std::vector<NodeId>& nodes) const;
    const FormModel& model_;
    PlaceField* nodes_;
    QLabel* sentence_;
    AttributeTable* table_;
    QString shown_;         // the word of the nodes whose attributes the table has
    bool isMixed_ = false;  // they have different operators, and the table is empty
};

}  // namespace lapidary::views
