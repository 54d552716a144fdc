// SPDX-License-Identifier: GPL-3.0-or-later
// Variants of a decoder side by side: speed, memory, and quality on a text.
#pragma once

#include <QStringList>

#include "models/rows_model.h"
#include "widgets/table/table_view.h"
#include "worker/protocol/decoders_record.h"

namespace lapidary::views {

/// The contexts that have a column of tokens per second.
constexpr std::int64_t short_context = 128, long_context = 1024;

struct DecoderRow {
    QString name;
    app::DecoderSide side;
};

class DecoderTable : public TableView {
    Q_OBJECT
public:
    explicit DecoderTable(QWidget* parent = nullptr);
    /// `names`: of the record's sides. Null: empty.
    void setRecord(const app::DecodersRecord* record, const QStringList& names);
    const RowsModel<DecoderRow>& rows() const { return rows_; }

private:
    RowsModel<DecoderRow> rows_;
};

}  // namespace lapidary::views
