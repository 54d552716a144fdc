// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/rows_model.h"
#include "widgets/table/table_view.h"
#include "worker/protocol/quantize_record.h"

namespace lapidary::views {

struct RecipeRow {
    std::size_t trial = 0;
    app::QuantizeTrial figures;
    std::uint64_t originalBytes = 0;
    bool best = false;
    double heat = 0;  // SQNR as a bar length, 0..1
};

/// A table of the recipes that were tried, the best first, failed ones last.
class RecipeTable : public TableView {
    Q_OBJECT
public:
    explicit RecipeTable(QWidget* parent = nullptr);
    void setRecord(const app::QuantizeRecord* record);
    /// The trial of the current row; -1: none.
    std::ptrdiff_t currentTrial() const;

public slots:
    void setCurrentTrial(std::size_t trial);

signals:
    void trialActivated(std::size_t trial);
    void currentTrialChanged();

private:
    RowsModel<RecipeRow> rows_;
};

}  // namespace lapidary::views
