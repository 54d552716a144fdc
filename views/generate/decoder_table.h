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
    std::int64_t longest = long_context;  // the longest context of the record
};

/// Headers name the longest context.
class DecoderRows : public RowsModel<DecoderRow> {
public:
    using RowsModel::RowsModel;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;
    void setLongest(std::int64_t context) { longest_ = context; }

private:
    std::int64_t longest_ = long_context;
};

class DecoderTable : public TableView {
    Q_OBJECT
public:
    explicit DecoderTable(QWidget* parent = nullptr);
    /// `names`: of the record's sides. Null: empty.
    void setRecord(const app::DecodersRecord* record, const QStringList& names);
    const RowsModel<DecoderRow>& rows() const { return rows_; }
    /// The current row; without one the first. Null: there are no rows.
    const DecoderRow* chosen() const;

private:
    void fitColumns();

    DecoderRows rows_;
    bool isFitted_ = false;  // columns, to a complete record: from then on they are the user's
};

}  // namespace lapidary::views
