// SPDX-License-Identifier: GPL-3.0-or-later
// The Checklist page: advice about the open model, and the runs and notes that the project keeps.
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

    /// In the order of advise(). Advice without a gain is included only if the user asked for it.
    const std::vector<Advice>& rows() const { return *model_.rows(); }
    TableView* table() const { return table_; }
    /// Carries out the action of the check's button.
    void act(const QString& id);
    /// True if nothing that advice depends on is being computed.
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
    QTimer refreshing_;  // combines several changes into one refresh
};

}  // namespace lapidary::views
