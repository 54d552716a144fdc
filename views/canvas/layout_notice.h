// SPDX-License-Identifier: GPL-3.0-or-later
// A small card over the canvas while the layout runs, with its Cancel button.
#pragma once

#include <QFrame>
#include <QLabel>
#include <QPointer>
#include <QProgressBar>
#include <QTimer>

#include "workbench/jobs/job_runner.h"

namespace lapidary::views {

class LayoutNotice : public QFrame {
    Q_OBJECT
public:
    explicit LayoutNotice(QWidget* parent);
    /// Shows the progress of the job, unless it ends within a moment. Null: hides.
    void follow(app::Job* job);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();
    QPointer<app::Job> job_;
    QTimer delay_;
    QLabel* text_;
    QProgressBar* bar_;
};

}  // namespace lapidary::views
