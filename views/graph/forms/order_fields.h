// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QListWidget>

#include "graph/forms/edit_fields.h"

namespace lapidary::views {

/// Inputs or outputs in a list that is brought into another order, by dragging or by buttons.
class OrderFields : public EditFields {
    Q_OBJECT
public:
    /// `model` has to outlive the fields.
    OrderFields(const FormModel& model, const EditTarget& target);
    QString lines() const override;
    bool changesNothing() const override;
    QListWidget* list() const { return list_; }
    /// Moves the chosen name one place up (-1) or down (1).
    void move(int places);

private:
    void showNames();
    QStringList names() const;
    const FormModel& model_;
    QComboBox* kind_;
    QListWidget* list_;
    QStringList before_;
};

}  // namespace lapidary::views
