// SPDX-License-Identifier: GPL-3.0-or-later
// Run and profile: settings, verdict, time by operator and by node, outputs, timeline.
#pragma once

#include <QLabel>
#include <QStackedWidget>
#include <QTabWidget>

#include "page.h"
#include "run/run_digest.h"

namespace lapidary::views {

class EmptyState;
class InputsDrawer;
class OutputDetails;
class RunSettingsBar;
class RunStrip;
class MemoryCurve;
class MessageBanner;
class NodeTable;
class OperatorBars;
class OutputTable;
class PhaseTable;
class RooflinePlot;
class RowHelpLabel;
class ScopePanel;
class SlowRunView;
class TimelineCounterView;
class TimelineSearchBar;
class TimelineView;
class UnmatchedTable;
class VerdictCard;

class RunPage : public Page {
    Q_OBJECT
public:
    explicit RunPage(app::Workbench& workbench, QWidget* parent = nullptr);
    QList<QAction*> pageActions() const override { return actions_; }
    bool showsFocus() const override { return true; }
    void shown() override;

    enum class State { nothingOpen, noRun, running, failed, done };
    State state() const { return state_; }
    RunDigestPtr digest() const { return digest_; }

public slots:
    /// Files and folders that become inputs of the model.
    void giveInputs(const QStringList& files);

signals:
    void digestChanged();

protected:
    /// Files and folders become inputs of the model.
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    QWidget* makeResults();
    QWidget* makeTimeline();
    QWidget* makeOutputs();
    void makeActions();
    void connectWorkbench();
    void connectViews();
    void showState(State state, const QString& reason = {});
    void startDigest();
    void showDigest(RunDigestPtr digest);
    void showFocus(const app::Focus& focus);
    void showRange(std::int64_t begin, std::int64_t end);
    void startRange(std::int64_t begin, std::int64_t end);
    void showOtherTabs(const RunTotals& totals, bool isRange);
    void showTotals(const RunTotalsPtr& totals, bool isRange);
    void pickNode(NodeId node, const QObject* from);
    void showVerdict();
    void showCheck();
    void showHint(const QString& selection);
    void showSlowest(bool on);
    void showSearch(bool on);
    void goToGraph(NodeId node);
    NodeId shownNode(NodeId node) const;

    app::Workbench& workbench_;
    QStackedWidget* stack_;
    EmptyState* empty_;
    QWidget* results_;
    MessageBanner* progress_;
    VerdictCard* verdict_;
    OperatorBars* operators_;
    RowHelpLabel* help_;
    NodeTable* nodes_;
    RunSettingsBar* settings_;
    InputsDrawer* inputs_;
    OutputTable* outputs_;
    OutputDetails* outputDetails_;
    PhaseTable* phases_;
    MemoryCurve* memory_;
    ScopePanel* scopes_;
    RooflinePlot* roofline_;
    UnmatchedTable* unmatched_;
    QTabWidget* tabs_ = nullptr;
    int outputsTab_ = 0;
    TimelineView* timeline_;
    SlowRunView* slow_;              // in its place while slowest_ is checked
    RunStrip* runs_;                 // above timeline_
    TimelineCounterView* counters_;  // above timeline_
    QWidget* overTime_;              // these three
    QStackedWidget* times_;          // overTime_ and slow_
    TimelineSearchBar* search_;
    QAction* slowest_ = nullptr;
    QAction* find_ = nullptr;  // shows search_
    QLabel* hint_;
    QList<QAction*> actions_;
    RunDigestPtr digest_;
    app::LatestJob digestJob_;
    app::LatestJob rangeJob_;  // sums up a range of very many kernels
    std::int64_t rangeBegin_ = -1, rangeEnd_ = -1;
    State state_ = State::nothingOpen;
};

}  // namespace lapidary::views
