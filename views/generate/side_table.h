// SPDX-License-Identifier: GPL-3.0-or-later
// The variants of a generation side by side.
#pragma once

#include <QStringList>

#include "models/rows_model.h"
#include "widgets/table/table_view.h"
#include "worker/protocol/generate_record.h"

namespace lapidary::views {

/// The figures of one variant.
struct SideRow {
    QString name;
    double first_ms = 0, each_ms = 0;
    std::uint64_t weight_bytes = 0, cache_bytes = 0, activation_bytes = 0;
    // against the first variant; negative: it is the first
    std::int64_t changed = -1;
    std::int64_t tokens = 0;
    double mean_divergence = -1, most_divergence = -1;
};

class SideTable : public TableView {
    Q_OBJECT
public:
    explicit SideTable(QWidget* parent = nullptr);
    /// Null: empty.
    void setRecord(const app::GenerateRecord* record, const QStringList& names);
    const RowsModel<SideRow>& rows() const { return rows_; }

private:
    RowsModel<SideRow> rows_;
};

}  // namespace lapidary::views
