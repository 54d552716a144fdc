// SPDX-License-Identifier: GPL-3.0-or-later
// Problems of the open model and its newest run.
#pragma once

#include <QTreeView>

#include <vector>

#include "models/rows_model.h"
#include "workbench/workbench.h"

namespace lapidary::views {

struct Problem {
    enum class Severity { error, warning, note };
    Severity severity = Severity::note;
    QString where, message;
};

/// Finds the problems, gravest first.
std::vector<Problem> findProblems(const app::Document& document, const app::RunRecord* run);

class ProblemsPanel : public QTreeView {
    Q_OBJECT
public:
    explicit ProblemsPanel(app::Workbench& workbench, QWidget* parent = nullptr);
    int problemCount() const;
    /// The severity of the gravest problem; note if there is none.
    Problem::Severity worst() const { return worst_; }

signals:
    void countChanged(int problems);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    app::Workbench& workbench_;
    RowsModel<Problem> problems_;
    Problem::Severity worst_ = Problem::Severity::note;
};

}  // namespace lapidary::views
