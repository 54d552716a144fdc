// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/run_page.h"

#include <QDragEnterEvent>
#include <QMimeData>
#include <QPointer>
#include <QTabBar>
#include <QVBoxLayout>

#include <set>

#include "run/inputs_drawer.h"
#include "run/memory_curve.h"
#include "run/nodes/node_table.h"
#include "run/nodes/operator_bars.h"
#include "run/outputs/output_details.h"
#include "run/outputs/output_table.h"
#include "run/nodes/roofline_plot.h"
#include "run/row_help_label.h"
#include "run/run_settings_bar.h"
#include "run/nodes/scope_panel.h"
#include "run/timeline/run_strip.h"
#include "run/timeline/slow_run_view.h"
#include "run/timeline/timeline_counter_view.h"
#include "run/timeline/timeline_search_bar.h"
#include "run/timeline/timeline_view.h"
#include "run/nodes/unmatched_table.h"
#include "run/verdict_card.h"
#include "theme/theme.h"
#include "widgets/text/elided_label.h"
#include "widgets/cards/empty_state.h"
#include "widgets/cards/message_banner.h"
#include "widgets/choices/machine_button.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"
#include "workbench/project/project.h"
#include "workbench/targets/machines.h"

namespace lapidary::views {
namespace {

constexpr std::size_t most_kernels_at_once = 100'000;  // summed up without a job: some milliseconds

/// At which level, with what else the recipe says; nothing of what is no run of the model.
QString levelOf(const app::Workbench& workbench, const RunDigest& digest) {
    const bool isOfNow = digest.run->model && digest.run == workbench.run();
    return isOfNow ? app::nameOf(workbench.recipeInForce().running()) : QString();
}

/// What was measured without the profiler under the conditions of the run that is shown; null:
/// nothing.
const app::RunFigures* measuredOf(app::Workbench& workbench, const RunDigest& digest) {
    const app::RunConditions& conditions = workbench.conditions();
    const bool isOfNow = digest.run->model && digest.run == workbench.run() &&
                         digest.run->machine == workbench.model().machine().text().toStdString() &&
                         conditions.sizes == digest.sizes &&
                         conditions.threads == digest.run->profile->threads;
    const app::RunFigures* time = isOfNow ? workbench.timeOf(workbench.recipeInForce()) : nullptr;
    return time && time->kind == app::RunKind::measurement ? time : nullptr;
}

}  // namespace

RunPage::RunPage(app::Workbench& workbench, QWidget* parent)
    : Page(parent), workbench_(workbench), stack_(new QStackedWidget), empty_(new EmptyState),
      results_(nullptr), progress_(new MessageBanner), verdict_(new VerdictCard),
      operators_(new OperatorBars), help_(new RowHelpLabel(workbench)), nodes_(new NodeTable),
      settings_(new RunSettingsBar(workbench)), inputs_(new InputsDrawer(workbench)),
      outputs_(new OutputTable), outputDetails_(new OutputDetails), phases_(new PhaseTable),
      memory_(new MemoryCurve), scopes_(new ScopePanel), roofline_(new RooflinePlot),
      unmatched_(new UnmatchedTable), timeline_(new TimelineView), slow_(new SlowRunView),
      runs_(new RunStrip(*timeline_)), counters_(new TimelineCounterView(*timeline_)),
      overTime_(new QWidget), times_(new QStackedWidget),
      search_(new TimelineSearchBar(workbench.jobs())), hint_(new ElidedLabel) {
    setObjectName(QStringLiteral("runPage"));
    setAcceptDrops(true);
    inputs_->hide();
    connect(settings_, &RunSettingsBar::inputsToggled, inputs_, &QWidget::setVisible);
    makeActions();
    results_ = makeResults();
    stack_->addWidget(empty_);
    stack_->addWidget(results_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(settings_);
    layout->addWidget(inputs_);
    layout->addWidget(progress_);
    layout->addWidget(stack_, 1);
    connectWorkbench();
    connectViews();
    startDigest();
}

void RunPage::connectWorkbench() {
    using app::Workbench;
    connect(empty_, &EmptyState::clicked, this, [this] {
        if (state_ == State::nothingOpen) emit openRequested();
        else if (state_ == State::running) workbench_.cancelRun();
        else workbench_.startRun();
    });
    connect(progress_, &MessageBanner::cancelRequested, &workbench_, &Workbench::cancelRun);
    connect(&workbench_, &Workbench::runStarted, this, [this] {
        showState(State::running);
        if (!workbench_.runJob()) return;
        connect(workbench_.runJob(), &app::Job::progressed, this,
                [this, job = workbench_.runJob()] {
                    empty_->setFraction(job->fraction());
                    if (state_ != State::running) return;
                    if (!digest_)
                        empty_->setMessage(QStringLiteral("run"), tr("Running …"),
                                           labelText(job->stage()));
                    else
                        progress_->showMessage(MessageBanner::Kind::busy, tr("Running again …"),
                                               labelText(job->stage()));
                    progress_->setFraction(job->fraction());
                });
    });
    connect(&workbench_, &Workbench::runChanged, this, &RunPage::startDigest);
    connect(&workbench_.project(), &app::Project::figuresChanged, this, [this] {
        if (digest_ && rangeBegin_ < 0) showVerdict();
    });
    connect(&workbench_.machines(), &app::Machines::chosenChanged, this, [this] {
        if (state_ == State::noRun) showState(State::noRun);
    });
    connect(&workbench_, &Workbench::runFailed, this,
            [this](const QString& reason) { showState(State::failed, reason); });
    connect(&workbench_, &Workbench::runCancelled, this,
            [this] { showState(digest_ ? State::done : State::noRun); });
    connect(&workbench_, &Workbench::focusChanged, this, &RunPage::showFocus);
}

/// What one view has chosen the others follow.
void RunPage::connectViews() {
    connect(operators_, &OperatorBars::operatorPicked, nodes_, &NodeTable::setOperator);
    connect(nodes_, &NodeTable::allOperatorsWanted, operators_,
            [this] { operators_->selectOperator({}); });
    connect(help_, &RowHelpLabel::pageRequested, this, &Page::pageRequested);
    connect(help_, &RowHelpLabel::nodeRequested, this, &RunPage::goToGraph);
    const auto follow = [this](auto* view) {
        using View = std::remove_pointer_t<decltype(view)>;
        connect(view, &View::nodePicked, this, [this, view](NodeId node) { pickNode(node, view); });
        connect(view, &View::nodeActivated, this, &RunPage::goToGraph);
    };
    follow(nodes_);
    follow(timeline_);
    follow(slow_);
    follow(roofline_);
    follow(scopes_->icicle());
    connect(timeline_, &TimelineView::hovered, this, &Page::statusMessage);
    connect(slow_, &SlowRunView::hovered, this, &Page::statusMessage);
    connect(roofline_, &RooflinePlot::hovered, this, &Page::statusMessage);
    connect(scopes_->icicle(), &IcicleView::hovered, this, &Page::statusMessage);
    connect(runs_, &RunStrip::hovered, this, &Page::statusMessage);
    connect(runs_, &RunStrip::runChosen, timeline_,
            [this](qint64 run) { timeline_->showRun(std::size_t(run)); });
    connect(counters_, &TimelineCounterView::hovered, this, &Page::statusMessage);
    connect(search_, &TimelineSearchBar::found, timeline_, &TimelineView::setMatches);
    connect(search_, &TimelineSearchBar::stepWanted, timeline_, &TimelineView::stepMatch);
    connect(timeline_, &TimelineView::matchShown, search_, &TimelineSearchBar::setShown);
    connect(search_, &TimelineSearchBar::closed, this, [this] {
        showSearch(false);
        timeline_->setFocus();
    });
    connect(timeline_, &TimelineView::operatorWanted, this, [this](const QString& op) {
        operators_->selectOperator(op);
        tabs_->setCurrentWidget(nodes_);
    });
    connect(timeline_, &TimelineView::rangeSelected, this, [this](qint64 begin, qint64 end) {
        app::Focus focus = workbench_.focus();
        focus.beginNs = begin;
        focus.endNs = end;
        workbench_.setFocus(focus);
    });
}

void RunPage::showSearch(bool on) {
    find_->setChecked(on);
    if (on) showSlowest(false);
    search_->setVisible(on);
    if (on) search_->edit()->setFocus();
    else search_->edit()->clear();
}

void RunPage::shown() { help_->refreshSoon(); }

void RunPage::showSlowest(bool on) {
    slowest_->setChecked(on);
    if (on) showSearch(false);
    times_->setCurrentWidget(on ? slow_ : overTime_);
    if (on) slow_->setFocus();
}

void RunPage::dragEnterEvent(QDragEnterEvent* event) {
    if (workbench_.opened() && !inputFiles(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void RunPage::dropEvent(QDropEvent* event) {
    const QStringList files = inputFiles(event->mimeData());
    if (files.isEmpty() || !workbench_.opened()) return;
    event->acceptProposedAction();
    giveInputs(files);
}

void RunPage::giveInputs(const QStringList& files) {
    settings_->setInputsShown(true);
    inputs_->give(files);
}

void RunPage::showState(State state, const QString& reason) {
    state_ = state;
    const bool keep =
        digest_ && (state == State::running || state == State::failed || state == State::done);
    stack_->setCurrentWidget(keep ? results_ : static_cast<QWidget*>(empty_));
    progress_->setVisible(false);
    const QString stage = workbench_.runJob() ? labelText(workbench_.runJob()->stage()) : QString();
    if (state == State::running && keep)
        progress_->showMessage(MessageBanner::Kind::busy, tr("Running again …"), stage);
    if (keep) return;
    empty_->showProgress(state == State::running);
    switch (state) {
    case State::nothingOpen:
        empty_->setMessage(QStringLiteral("model"), tr("No model is open"),
                           tr("Open an ONNX model, take a sample from the start page, or open a "
                              "Chrome trace saved earlier."));
        empty_->setButton(QStringLiteral("open"), tr("Open …"));
        break;
    case State::noRun: {
        const app::RunSettings& settings = workbench_.runSettings();
        const QString host = workbench_.machines().chosen();
        empty_->setMessage(
            QStringLiteral("run"),
            host.isEmpty() ? tr("Press F5 to run this model")
                           : tr("Press F5 to run this model on %1").arg(machineName(host)),
            tr("%1. Warm-ups: %2, profiled runs: %3. You will see where the time goes by operator, "
               "by "
               "node and by thread. Drop arrays, pictures or a text here to run on your own data.")
                .arg(settings.given.isEmpty() ? tr("Inputs are generated")
                                              : tr("Inputs are the given ones"),
                     formatCount(settings.warmups), formatCount(settings.repetitions)));
        empty_->setButton(QStringLiteral("run"), tr("Run"));
        break;
    }
    case State::running:
        empty_->setMessage(QStringLiteral("run"), tr("Running …"), stage);
        empty_->setButton(QStringLiteral("cancel"), tr("Cancel"));
        break;
    case State::failed:
        empty_->setMessage(QStringLiteral("error"), tr("The run failed"), reason);
        empty_->setButton(QStringLiteral("run"), tr("Try again"));
        break;
    case State::done: break;
    }
}

void RunPage::startDigest() {
    digestJob_.drop();
    const app::RunRecordPtr run = workbench_.run();
    if (!run) {
        showDigest(nullptr);
        return;
    }
    const ModelPtr opened = workbench_.opened() ? workbench_.opened()->model : nullptr;
    digestJob_.start<RunDigestPtr>(
        workbench_.jobs(), tr("Prepare the results"),
        [run, opened](const Progress& progress) { return digestRun(run, progress, opened); },
        [this](RunDigestPtr digest) { showDigest(std::move(digest)); },
        [this](const Error& error) {
            if (error.code() == ErrorCode::cancelled)
                showState(digest_ ? State::done : State::noRun);
            else showState(State::failed, tipText(error.what()));
        });
}

void RunPage::showDigest(RunDigestPtr digest) {
    const RunDigestPtr old = std::exchange(digest_, std::move(digest));
    rangeBegin_ = rangeEnd_ = -1;
    showHint({});
    rangeJob_.drop();
    timeline_->setDigest(digest_);
    runs_->setDigest(digest_);
    counters_->setDigest(digest_);
    search_->setDigest(digest_);
    slow_->setDigest(digest_);
    slowest_->setEnabled(slow_->pair() != nullptr);
    slowest_->setToolTip(
        slow_->pair() ? tr("The slowest run over a typical one, with marks where most was lost")
                      : tr("It takes two recorded runs to compare a slow one with a typical one"));
    if (!slow_->pair()) showSlowest(false);
    roofline_->setDigest(digest_);
    unmatched_->setMatch(digest_ && digest_->run->traced
                             ? std::shared_ptr<const TraceMatch>(digest_, &digest_->run->match)
                             : nullptr);
    const int unmatchedTab = tabs_->indexOf(unmatched_);
    tabs_->setTabVisible(unmatchedTab, unmatched_->count() > 0);
    tabs_->setTabText(unmatchedTab, tr("&Unmatched (%1)").arg(unmatched_->count()));
    showCheck();
    if (digest_) {
        nodes_->setGraphs(digest_->original ? digest_->run->executed : nullptr, digest_->original);
        showTotals({digest_, &digest_->whole}, false);
        outputs_->setOutputs({digest_, &digest_->outputs});
        outputDetails_->showOutput(digest_, digest_->outputs.empty() ? -1 : 0);
        phases_->setPhases({digest_, &digest_->phases});
        memory_->setPlan(&digest_->run->plan);
        showState(State::done);
        showFocus(workbench_.focus());
    } else {
        operators_->setOperators(nullptr);
        help_->setRows(nullptr);
        nodes_->setGraphs(nullptr, nullptr);
        nodes_->setNodes(nullptr);
        scopes_->setTree(nullptr);
        outputs_->setOutputs(nullptr);
        outputDetails_->showOutput(nullptr, -1);
        phases_->setPhases(nullptr);
        memory_->setPlan(nullptr);
        showState(workbench_.isRunning()  ? State::running
                  : workbench_.document() ? State::noRun
                                          : State::nothingOpen);
    }
    if (old) workbench_.jobs().releaseLater(old);
    emit digestChanged();
}

void RunPage::showFocus(const app::Focus& focus) {
    if (!digest_) return;
    // nodes of bodies have no row of their own
    const NodeId shown = focus.body ? NodeId() : focus.node;
    const ModelPtr& ran = digest_->run->executed;
    const NodeId node = ran ? workbench_.model().ranNode(*ran, shown) : shown;
    timeline_->setFocusedNode(node);
    slow_->setFocusedNode(node);
    nodes_->selectNode(node);
    roofline_->setFocusedNode(node);
    scopes_->icicle()->setFocusedNode(node);
    showRange(focus.beginNs, focus.endNs);
}

void RunPage::pickNode(NodeId node, const QObject* from) {
    if (const NodeId shown = shownNode(node)) workbench_.focusNode(shown);
    timeline_->setFocusedNode(node);
    slow_->setFocusedNode(node);
    if (from != nodes_) nodes_->selectNode(node);
    if (from != roofline_) roofline_->setFocusedNode(node);
    if (from != scopes_->icicle()) scopes_->icicle()->setFocusedNode(node);
}

void RunPage::showRange(std::int64_t begin, std::int64_t end) {
    if (begin == rangeBegin_ && end == rangeEnd_) return;
    rangeBegin_ = begin;
    rangeEnd_ = end;
    timeline_->setRange(begin, end);
    rangeJob_.drop();
    if (begin < 0 || end <= begin) {
        showTotals({digest_, &digest_->whole}, false);
        showHint({});
        return;
    }
    if (kernelsInRange(*digest_, begin, end) > most_kernels_at_once) return startRange(begin, end);
    showTotals(std::make_shared<const RunTotals>(totalsInRange(*digest_, begin, end)), true);
}

/// Ranges of very many kernels are summed up beside the window.
void RunPage::startRange(std::int64_t begin, std::int64_t end) {
    showHint(tr("Summing up %1 …").arg(formatNanoseconds(end - begin)));
    rangeJob_.start<RunTotalsPtr>(
        workbench_.jobs(), tr("Sum up a range"),
        [digest = digest_, begin, end](const Progress& progress) {
            return std::make_shared<const RunTotals>(
                totalsInRange(*digest, begin, end, progress.cancel));
        },
        [this](RunTotalsPtr totals) { showTotals(totals, true); },
        [this](const Error& error) { emit statusMessage(tipText(error.what())); });
}

void RunPage::showTotals(const RunTotalsPtr& totals, bool isRange) {
    operators_->setOperators({totals, &totals->operators});
    help_->setRows(
        isRange ? nullptr
                : std::shared_ptr<const std::vector<OperatorTotal>>(totals, &totals->operators));
    nodes_->setNodes({totals, &totals->nodes});
    scopes_->setTree({totals, &totals->scopes});
    roofline_->setNodes(
        isRange ? std::shared_ptr<const std::vector<NodeRow>>(totals, &totals->nodes) : nullptr);
    timeline_->setBusy(totals->busy);
    showOtherTabs(*totals, isRange);
    if (!isRange) return showVerdict();
    verdict_->setRange(*digest_, *totals, rangeEnd_ - rangeBegin_);
    showHint(tr("Selected: %1. All tabs are of this range, but for outputs, which a run has once; "
                "Esc ends it.")
                 .arg(formatNanoseconds(rangeEnd_ - rangeBegin_)));
}

void RunPage::showVerdict() {
    const app::RunFigures* measured = measuredOf(workbench_, *digest_);
    const auto& runs = workbench_.project().runs();
    const bool isOlder = measured && std::any_of(runs.begin() + (measured - runs.data()),
                                                 runs.end(), [&](const app::RunFigures& run) {
                                                     return run.kind == app::RunKind::profile &&
                                                            run.recipe == measured->recipe;
                                                 });
    verdict_->setDigest(*digest_, measured, isOlder, levelOf(workbench_, *digest_));
}

/// Red where outputs are not as they were recorded.
void RunPage::showCheck() {
    const std::size_t wrong = digest_ ? digest_->run->check.differing() : 0;
    const ThemeColors& colors = themeColors(palette());
    tabs_->setTabText(outputsTab_, wrong > 0 ? tr("✗ &Outputs (%1)").arg(formatCount(qint64(wrong)))
                                             : tr("&Outputs"));
    tabs_->tabBar()->setTabTextColor(outputsTab_, wrong > 0 ? colors.error : QColor());
    emit badgeChanged(int(wrong),
                      tr("%n output(s) differ from what was recorded", nullptr, int(wrong)), true);
}

/// Phases, steps of the memory plan and kernels of a trace that lie in the range.
void RunPage::showOtherTabs(const RunTotals& totals, bool isRange) {
    if (!isRange) {
        phases_->setRange(0, 0);
        memory_->setRange(-1, -1);
        unmatched_->setNames(std::nullopt);
        return;
    }
    phases_->setRange(rangeBegin_, rangeEnd_);
    std::set<NodeId> nodes;
    std::set<std::string> names;
    for (const NodeRow& row : totals.nodes) nodes.insert(row.node), names.insert(row.name);
    int first = -1, last = -1;
    const auto& steps = digest_->run->plan.steps;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        if (!steps[step].node || !nodes.contains(steps[step].node)) continue;
        if (first < 0) first = int(step);
        last = int(step);
    }
    memory_->setRange(first, last);
    unmatched_->setNames(names);
}

/// In a line of fixed height: a selection must not move what is under the mouse.
void RunPage::showHint(const QString& selection) {
    hint_->setForegroundRole(selection.isEmpty() ? QPalette::PlaceholderText : QPalette::Link);
    hint_->setText(
        selection.isEmpty()
            ? tr("wheel: zoom · drag: pan · drag along the ruler or Shift-drag: select a "
                 "range · double click: show in graph")
            : selection);
}

/// Of the graph that is shown, which a node that ran stands for.
NodeId RunPage::shownNode(NodeId node) const {
    const app::DocumentPtr document = workbench_.document();
    if (!document || !digest_) return {};
    if (digest_->run->executed) return workbench_.model().shownNode(*digest_->run->executed, node);
    return digest_->run->traced == document->model && document->model->graph.is_alive(node)
               ? node
               : NodeId();
}

void RunPage::goToGraph(NodeId node) {
    const NodeId shown = shownNode(node);
    if (!shown) {
        emit statusMessage(workbench_.document() && workbench_.document()->variant
                               ? tr("The variant that is shown does not have this node.")
                               : tr("This node is not part of the open model."));
        return;
    }
    workbench_.focusNode(shown);
    emit pageRequested(QStringLiteral("graph"));
}

}  // namespace lapidary::views
