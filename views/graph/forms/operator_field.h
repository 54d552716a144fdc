// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QTreeWidget>

#include "graph/forms/attribute_table.h"
#include "graph/forms/place_field.h"

namespace lapidary::views {

/// An operator for a new node, found among all that the model can have, with its attributes and
/// further inputs: `Cast(to=float)`.
class OperatorField : public PlaceField {
    Q_OBJECT
public:
    OperatorField(const QString& title, const FormModel& model);
    QString word() const override;
    /// Attributes that the chosen operator needs, or those whose values do not fit.
    QString missingPart() const override;
    /// Chooses an operator by its name: "Cast", "com.microsoft::Gelu"; brackets behind it are left
    /// out.
    void setWord(const QString& word) override;
    QTreeWidget* operators() const { return operators_; }
    AttributeTable* attributes() const { return attributes_; }

private:
    void filter(const QString& words);
    void choose();
    void fitList();
    const OperatorForm* chosen() const;

    std::vector<OperatorForm> forms_;
    const OperatorForm* shown_ = nullptr;  // whose attributes are shown
    QLineEdit* search_;
    QTreeWidget* operators_;
    QLabel* signature_;
    AttributeTable* attributes_;
};

}  // namespace lapidary::views
