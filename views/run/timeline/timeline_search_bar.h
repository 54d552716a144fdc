// SPDX-License-Identifier: GPL-3.0-or-later
// Searches the timeline: a text, how many kernels it names, and the way through them.
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QWidget>

#include "run/run_digest.h"
#include "run/timeline/timeline_matches.h"
#include "workbench/jobs/latest_job.h"

namespace lapidary::views {

class TimelineSearchBar : public QWidget {
    Q_OBJECT
public:
    explicit TimelineSearchBar(app::JobRunner& jobs, QWidget* parent = nullptr);
    /// Searches the same text in this recording. Null: there is none.
    void setDigest(RunDigestPtr digest);
    /// This one of the matches is shown; the count says so.
    void setShown(qint64 match);
    QLineEdit* edit() const { return edit_; }
    QString countText() const { return count_->text(); }

signals:
    /// Null: nothing is searched.
    void found(lapidary::views::TimelineMatchesPtr matches);
    void stepWanted(int by);  // 1: to the next match, -1: to the previous one
    void closed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void search();
    void showMatches(TimelineMatchesPtr matches);

    app::JobRunner& jobs_;
    QLineEdit* edit_;
    QLabel* count_;
    QToolButton *previous_, *next_;
    RunDigestPtr digest_;
    TimelineMatchesPtr matches_;
    app::LatestJob job_;
};

}  // namespace lapidary::views
