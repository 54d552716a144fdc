// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of a trace that are no node of the open model, and why.
#pragma once

#include <optional>
#include <set>
#include <string>

#include <lapidary/profile/trace_match.h>

#include "models/rows_model.h"
#include "widgets/table/table_view.h"

namespace lapidary::views {

class UnmatchedTable : public TableView {
    Q_OBJECT
public:
    explicit UnmatchedTable(QWidget* parent = nullptr);
    void setMatch(const std::shared_ptr<const TraceMatch>& match);
    /// Only kernels of these names, those of a selected range; nothing: all.
    void setNames(const std::optional<std::set<std::string>>& names);
    /// Of the whole recording.
    int count() const { return match_ ? int(match_->unmatched.size()) : 0; }

private:
    RowsModel<UnmatchedKernel> rows_;
    std::shared_ptr<const TraceMatch> match_;
};

}  // namespace lapidary::views
