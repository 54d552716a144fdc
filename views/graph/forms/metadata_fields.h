// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableWidget>

#include "graph/forms/edit_fields.h"

namespace lapidary::views {

/// The entries of the model's metadata in a table. A line sets each that was changed or added and
/// removes each that was removed.
class MetadataFields : public EditFields {
    Q_OBJECT
public:
    explicit MetadataFields(const FormModel& model);
    QString lines() const override;
    QStringList missing() const override;
    bool changesNothing() const override { return missing().isEmpty() && changes().isEmpty(); }
    QTableWidget* table() const { return table_; }

private:
    QStringList changes() const;
    void addRow(const QString& key, const QString& text, bool isKnown);
    void removeRow();
    QList<std::pair<QString, QString>> before_;  // in the model
    QTableWidget* table_;
};

}  // namespace lapidary::views
