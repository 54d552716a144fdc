// SPDX-License-Identifier: GPL-3.0-or-later
// Where A and B first differ: what was found in sentences, the nodes that are the cause, and how
// large the difference is along the graph. Also what a recording of the original program says.
#pragma once

#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QWidget>

#include "models/rows_model.h"
#include "widgets/table/table_view.h"
#include "worker/jobs/proof/recording_job.h"
#include "workbench/jobs/difference_search.h"
#include "workbench/workbench.h"

namespace lapidary::views {

class MessageBanner;
class Plot;

class DifferencePanel : public QWidget {
    Q_OBJECT
public:
    explicit DifferencePanel(app::Workbench& workbench, QWidget* parent = nullptr);
    /// What is shown of the newest finding, a sentence for each line.
    QString text() const;
    const RowsModel<DivergenceCause>& causes() const { return rows_; }
    MessageBanner* banner() const { return banner_; }
    /// The place on the curve that is chosen, as an index of Divergence::values; -1: none.
    int place() const { return place_; }
    bool isChecking() const { return recordingJob_.isRunning(); }

public slots:
    /// Asks for a recording.
    void chooseRecording();
    /// Holds the opened model against a recording.
    void checkRecording(const QString& path);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

signals:
    /// The node is in the focus: show it.
    void nodeShown();
    void statusMessage(const QString& text);
    /// Something is under way that is to be seen here.
    void started();

private:
    void putTogether();
    void connectSearch();
    void refresh();
    void showResult();
    void clearFinding();
    void showFinding(const std::vector<FoundLine>& lines);
    QString precisionText() const;
    void drawCurve(const Divergence& divergence);
    void connectCurve();
    void choosePlace(int place);
    const std::vector<ValuePair>* curve() const;
    void showChosen();
    void fitNames();
    void showCause(int row);
    void focus(const ValuePair& value);

    app::Workbench& workbench_;
    QPushButton *find_, *recording_, *show_;
    QLabel *subject_, *verdict_, *text_, *placeText_;
    MessageBanner* banner_;
    Plot* plot_;
    RowsModel<DivergenceCause> rows_;
    TableView* table_;
    QSplitter* figures_;  // curve and table; hidden while there is no curve
    app::LatestJob recordingJob_;
    app::DifferencePtr shown_;
    int place_ = -1;              // on the curve
    bool isOfRecording_ = false;  // what is shown, and not of the search
    ValuePair recorded_;          // the value of the first module that differs from it
};

/// Where a difference of this share is on an axis of shares (AxisKind::share).
double heightOfShare(double share);

}  // namespace lapidary::views
