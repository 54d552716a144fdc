// SPDX-License-Identifier: GPL-3.0-or-later
// Checklist: what is worth doing with the open model, and what the project keeps of what was done: runs and notes.
#pragma once

#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTimer>

#include "checklist/advice_texts.h"
#include "checklist/kept_runs.h"
#include "models/rows_model.h"
#include "page.h"
#include "widgets/table_view.h"
#include "workbench/advisor.h"
#include "workbench/workbench.h"

namespace lapidary::views {

class EmptyState;

struct AdviceRow {
    app::Advice advice;
    AdviceText text;
};

class ChecklistPage : public Page {
    Q_OBJECT
public:
    explicit ChecklistPage(app::Workbench& workbench, QWidget* parent = nullptr);
    ~ChecklistPage() override;
    void shown() override;

    /// Those worth doing come first, the weightiest of them before others.
    const std::vector<AdviceRow>& rows() const { return *model_.rows(); }
    TableView* table() const { return table_; }
    /// What the button of a check does.
    void act(const QString& id);
    /// Everything that advice is made from was looked at.
    bool isSettled() const { return !job_ && !peakJob_ && !refreshing_.isActive(); }

signals:
    void refreshed();

private:
    QWidget* makeContent();
    QWidget* makeDetails();
    void lookAtModel();
    void lookAtMemory();
    app::AdvisorInput input() const;
    void refresh();
    void setWidths();
    void showDetails();
    void guard();

    app::Workbench& workbench_;
    RowsModel<AdviceRow> model_;
    QHash<QString, AdviceText> texts_;
    QString locale_;
    QStackedWidget* stack_;
    EmptyState* empty_;
    QLabel* summary_ = nullptr;
    TableView* table_ = nullptr;
    QLabel *title_ = nullptr, *finding_ = nullptr, *why_ = nullptr, *how_ = nullptr;
    QPushButton* button_ = nullptr;
    QTabWidget* kept_ = nullptr;
    KeptRuns* runs_ = nullptr;

    std::shared_ptr<const app::ModelFacts> facts_;    // of the opened model
    std::shared_ptr<const app::PeakTensor> peak_;     // of the shown one
    ModelPtr peakModel_;                              // that it was asked for
    MemoryAssumptions peakAssumptions_;               // under which
    app::LatestJob job_, peakJob_, guardJob_;
    QTimer refreshing_;                               // several changes make one refresh
};

}  // namespace lapidary::views
