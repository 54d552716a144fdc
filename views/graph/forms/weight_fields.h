// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/forms/edit_fields.h"

class QCheckBox;
class QLabel;
class QStackedWidget;

namespace lapidary::views {

/// What can be done with a constant: values of a file, another order of its axes, another element
/// type. Its type, shape and bytes stand above.
class WeightFields : public EditFields {
    Q_OBJECT
public:
    /// `form`: the one that is chosen first. `model` has to outlive the fields.
    WeightFields(const QString& form, const FormModel& model, const EditTarget& target);
    QString lines() const override;
    QStringList missing() const override;

private:
    enum Change { replaced, transposed, casted };
    void showWeight();
    PlaceField* field() const;

    const FormModel& model_;
    PlaceField *weight_, *file_, *axes_, *type_;
    QComboBox* change_;
    QStackedWidget* pages_;
    QCheckBox* plain_;
    QLabel* facts_;
    QString shown_;
};

}  // namespace lapidary::views
