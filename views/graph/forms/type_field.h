// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/forms/place_field.h"

namespace lapidary::views {

/// The type of an input or output: element type and dimensions, `float[batch,3,224,224]`. It begins
/// with the type that the named value has.
class TypeField : public PlaceField {
    Q_OBJECT
public:
    /// `model` has to outlive the field.
    TypeField(const QString& title, const FormModel& model);
    QString word() const override;
    /// A type as lines have it.
    void setWord(const QString& word) override;
    bool isUnchanged() const override { return !present_.isEmpty() && word() == present_; }
    /// Shows the type of that value, unless the user entered one.
    void useName(const QString& word) override;

private:
    const FormModel& model_;
    QComboBox* element_;
    QLineEdit* dimensions_;
    QString present_;  // the type of the named value; empty: not known
    bool isEntered_ = false;
};

}  // namespace lapidary::views
