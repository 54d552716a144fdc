// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the Run page and where they stand: actions of the timeline, tabs of results.
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QSplitter>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "run/memory_curve.h"
#include "run/nodes/node_table.h"
#include "run/nodes/operator_bars.h"
#include "run/nodes/roofline_plot.h"
#include "run/nodes/scope_panel.h"
#include "run/nodes/unmatched_table.h"
#include "run/outputs/output_details.h"
#include "run/outputs/output_table.h"
#include "run/row_help_label.h"
#include "run/run_page.h"
#include "run/timeline/run_strip.h"
#include "run/timeline/slow_run_view.h"
#include "run/timeline/timeline_counter_view.h"
#include "run/timeline/timeline_search_bar.h"
#include "run/timeline/timeline_view.h"
#include "run/verdict_card.h"
#include "theme/theme.h"
#include "widgets/text/elided_label.h"
#include "widgets/visible_tabs.h"

namespace lapidary::views {

void RunPage::makeActions() {
    const auto add = [this](const QString& text, const char* icon, const QKeySequence& shortcut,
                            auto slot) {
        auto* action = new QAction(themedIcon(QLatin1String(icon)), text, this);
        action->setShortcut(shortcut);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        action->setProperty("commandGroup", tr("Timeline"));
        connect(action, &QAction::triggered, this, slot);
        actions_.append(action);
        return action;
    };
    const auto isSlow = [this] { return times_->currentWidget() == slow_; };
    add(tr("Zoom timeline in"), "zoom-in", QKeySequence::ZoomIn,
        [this, isSlow] { isSlow() ? slow_->zoomIn() : timeline_->zoomIn(); });
    add(tr("Zoom timeline out"), "zoom-out", QKeySequence::ZoomOut,
        [this, isSlow] { isSlow() ? slow_->zoomOut() : timeline_->zoomOut(); });
    add(tr("Show the whole recording"), "zoom-fit", QKeySequence(Qt::CTRL | Qt::Key_0),
        [this, isSlow] { isSlow() ? slow_->fitAll() : timeline_->fitAll(); });
    add(tr("Show one typical run"), "clock", {}, [this] {
        showSlowest(false);
        timeline_->fitTypicalRun();
    });
    slowest_ =
        add(tr("Slowest over typical run"), "overlay", QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_S),
            [this](bool on) { showSlowest(on); });
    slowest_->setObjectName(QStringLiteral("slowestRun"));
    slowest_->setCheckable(true);
    find_ = add(tr("Find in the timeline"), "search", QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_F),
                [this](bool on) { showSearch(on); });
    find_->setObjectName(QStringLiteral("findInTimeline"));
    find_->setCheckable(true);
    QAction* counters =
        add(tr("Counters over time"), "memory", {}, [this](bool on) { counters_->setVisible(on); });
    counters->setObjectName(QStringLiteral("timelineCountersShown"));
    counters->setToolTip(tr("Threads busy, activations and data moved above the timeline"));
    counters->setCheckable(true);
}

QWidget* RunPage::makeTimeline() {
    auto* title = new QLabel(tr("Timeline"));
    title->setFont(scaledFont(1.0, true));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(12, 4, spacing, 4);
    row->addWidget(title);
    row->addSpacing(8);
    row->addWidget(hint_, 1);
    for (QAction* action : actions_) {
        auto* button = new QToolButton;
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        row->addWidget(button);
    }
    auto* panel = new QWidget;
    auto* layout = new QVBoxLayout(panel);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(row);
    search_->hide();
    layout->addWidget(search_);
    counters_->hide();
    auto* overTime = new QVBoxLayout(overTime_);
    overTime->setContentsMargins(0, 0, 0, 0);
    overTime->setSpacing(0);
    overTime->addWidget(runs_);
    overTime->addWidget(counters_);
    overTime->addWidget(timeline_, 1);
    times_->addWidget(overTime_);
    times_->addWidget(slow_);
    layout->addWidget(times_, 1);
    return panel;
}

QWidget* RunPage::makeResults() {
    auto* tabs = new QTabWidget;
    tabs->setObjectName(QStringLiteral("runTabs"));
    keepTabsVisible(*tabs);
    tabs->setAccessibleName(tr("Results"));
    tabs->setDocumentMode(true);
    tabs_ = tabs;
    tabs->addTab(nodes_, tr("&Nodes"));
    tabs->addTab(scopes_, tr("&Scopes"));
    tabs->addTab(roofline_, tr("&Roofline"));
    outputsTab_ = tabs->addTab(makeOutputs(), tr("&Outputs"));
    tabs->addTab(phases_, tr("&Phases"));
    tabs->addTab(memory_, tr("&Memory"));
    tabs->addTab(unmatched_, tr("&Unmatched"));
    auto* upper = new QSplitter(Qt::Horizontal);
    auto* bars = new QWidget;
    auto* barsColumn = new QVBoxLayout(bars);
    barsColumn->setContentsMargins(0, 0, 0, 0);
    barsColumn->setSpacing(0);
    barsColumn->addWidget(operators_, 1);
    barsColumn->addWidget(help_);
    upper->addWidget(bars);
    upper->addWidget(tabs);
    upper->setStretchFactor(0, 2);
    upper->setStretchFactor(1, 3);
    upper->setSizes({440, 560});
    upper->setChildrenCollapsible(false);
    auto* splitter = new QSplitter(Qt::Vertical);
    splitter->addWidget(upper);
    splitter->addWidget(makeTimeline());
    splitter->setSizes({340, 260});
    splitter->setChildrenCollapsible(false);
    auto* results = new QWidget;
    auto* layout = new QVBoxLayout(results);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing);
    layout->addWidget(verdict_);
    layout->addWidget(splitter, 1);
    return results;
}

QWidget* RunPage::makeOutputs() {
    auto* both = new QSplitter(Qt::Vertical);
    both->addWidget(outputs_);
    both->addWidget(outputDetails_);
    both->setStretchFactor(0, 1);
    both->setStretchFactor(1, 2);
    both->setChildrenCollapsible(false);
    connect(outputs_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& at) {
                outputDetails_->showOutput(digest_, at.isValid() ? outputs_->outputAt(at) : -1);
            });
    return both;
}

}  // namespace lapidary::views
