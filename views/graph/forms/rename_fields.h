// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QTreeWidget>

#include "graph/forms/edit_fields.h"

namespace lapidary::views {

/// Other names for nodes, values, inputs, outputs or scopes, with a list of what the pattern hits.
class RenameFields : public EditFields {
    Q_OBJECT
public:
    /// `model` has to outlive the fields.
    RenameFields(const QString& form, const FormModel& model, const EditTarget& target);
    QString lines() const override { return plain_->lines(); }
    bool changesNothing() const override;
    QStringList missing() const override { return plain_->missing(); }
    /// A row for each name that becomes another one; the first ones of many.
    QTreeWidget* hits() const { return hits_; }

private:
    void showHits();
    const FormModel& model_;
    PlainFields* plain_;
    QLabel* sentence_;
    QTreeWidget* hits_;
};

/// Other names for several nodes: a line for each. In the new name * stands for the old one; where
/// it has no *, the nodes are numbered.
class RenameEachFields : public EditFields {
    Q_OBJECT
public:
    RenameEachFields(const QString& form, const FormModel& model, const EditTarget& target);
    QString lines() const override;
    bool changesNothing() const override;
    QStringList missing() const override;
    QTreeWidget* hits() const { return hits_; }

private:
    QString newName(std::size_t node) const;
    void showHits();
    NamedWords nodes_;
    PlaceField* to_;
    QTreeWidget* hits_;
};

}  // namespace lapidary::views
