// SPDX-License-Identifier: GPL-3.0-or-later
// A value over several runs, with other seeds of generated inputs or other files: its figures, a
// row for each run.
#pragma once

#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QWidget>

#include <functional>
#include <vector>

#include "models/rows_model.h"
#include "widgets/table/table_view.h"
#include "worker/jobs/inspect_job.h"
#include "workbench/workbench.h"

namespace lapidary::views {

/// A value as it was in one run.
struct WatchedRun {
    QString inputs;           // "seed 3", or a file
    app::InspectedItem item;  // as in it
};

class RunWatch : public QWidget {
    Q_OBJECT
public:
    /// `jobOf`: the look at the value that is watched, with the inputs of the Run page.
    RunWatch(app::Workbench& workbench, std::function<app::InspectJob()> jobOf,
             QWidget* parent = nullptr);
    const RowsModel<WatchedRun>& rows() const { return rows_; }
    bool isRunning() const { return job_.isRunning(); }
    QString sentence() const { return sentence_->text(); }
    /// Another value: nothing is known of it.
    void clear();
    /// Ends the runs.
    void drop();

public slots:
    /// One run for each of so many seeds, from that of the run settings on.
    void watchSeeds();
    /// One run for each file of inputs.
    void watchFiles(const QStringList& files);
    void chooseFiles();

private:
    struct Run {
        QString inputs;
        app::InspectJob job;
        std::string file;  // whose values it gets; empty: none
    };
    void start(std::vector<Run> runs);
    void show(std::vector<WatchedRun> runs);
    void refresh();

    app::Workbench& workbench_;
    std::function<app::InspectJob()> jobOf_;
    QSpinBox* count_;
    QPushButton *watch_, *files_, *cancel_;
    QLabel* sentence_;
    RowsModel<WatchedRun> rows_;
    TableView* table_;
    app::LatestJob job_;
};

}  // namespace lapidary::views
