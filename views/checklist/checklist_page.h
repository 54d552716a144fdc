// SPDX-License-Identifier: GPL-3.0-or-later
// Checklist: what is worth doing with the open model, and what the project keeps of what was done:
// runs and notes.
#pragma once

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTimer>

#include "checklist/kept_runs.h"
#include "models/rows_model.h"
#include "page.h"
#include "widgets/table/table_view.h"
#include "workbench/jobs/checklist.h"
#include "workbench/workbench.h"

namespace lapidary::views {

class EmptyState;

class ChecklistPage : public Page {
    Q_OBJECT
public:
    explicit ChecklistPage(app::Workbench& workbench, QWidget* parent = nullptr);
    ~ChecklistPage() override;
    void shown() override;

    /// As advise() orders them; those that gain nothing are among them only where the user asked
    /// for them.
    const std::vector<Advice>& rows() const { return *model_.rows(); }
    TableView* table() const { return table_; }
    /// What the button of a check does.
    void act(const QString& id);
    /// Everything that advice is made from was looked at.
    bool isSettled() const {
        return !workbench_.checklist().isLooking() && !refreshing_.isActive();
    }

signals:
    void refreshed();

private:
    QWidget* makeContent();
    QWidget* makeDetails();
    void lookCloselyIfVisible();
    void refresh();
    void setWidths();
    void showDetails();
    void guard();

    app::Workbench& workbench_;
    RowsModel<Advice> model_;
    QStackedWidget* stack_;
    EmptyState* empty_;
    QLabel* summary_ = nullptr;
    QCheckBox* all_ = nullptr;
    TableView* table_ = nullptr;
    QLabel *title_ = nullptr, *finding_ = nullptr, *why_ = nullptr, *how_ = nullptr;
    QPushButton* button_ = nullptr;
    QTabWidget* kept_ = nullptr;
    KeptRuns* runs_ = nullptr;

    app::LatestJob guardJob_;
    QTimer refreshing_;  // several changes make one refresh
};

}  // namespace lapidary::views
