// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/rows_model.h"
#include "run/run_digest.h"
#include "widgets/table/table_view.h"

namespace lapidary::views {

/// What came out of the run: type, statistics, first values.
class OutputTable : public TableView {
    Q_OBJECT
public:
    explicit OutputTable(QWidget* parent = nullptr);
    void setOutputs(std::shared_ptr<const std::vector<OutputRow>> outputs);
    /// The index among the outputs of the row at `at`.
    int outputAt(const QModelIndex& at) const { return int(model_.sourceRow(at.row())); }

private:
    RowsModel<OutputRow> model_;
};

/// How long loading, optimizing, making the session and ending it took; a dash if the recording
/// does not contain it.
class PhaseTable : public TableView {
    Q_OBJECT
public:
    explicit PhaseTable(QWidget* parent = nullptr);
    void setPhases(std::shared_ptr<const std::vector<PhaseRow>> phases);
    /// What of the phases lies between two times of the recording; a range that is empty: all of
    /// them whole.
    void setRange(std::int64_t begin, std::int64_t end);

private:
    RowsModel<PhaseRow> model_;
    std::shared_ptr<const std::vector<PhaseRow>> phases_;
};

}  // namespace lapidary::views
