// SPDX-License-Identifier: GPL-3.0-or-later
// What the page shows: documents, runs, focus, layouts.
#include "graph/graph_page.h"

#include <QScopedValueRollback>
#include <QSignalBlocker>
#include <QToolBar>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

#include "canvas/layout_notice.h"
#include "graph/kept_view.h"
#include "graph/quantizing_loss.h"
#include "graph/quickest_calls.h"
#include "widgets/cards/empty_state.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"
#include "workbench/jobs/comparison.h"
#include "workbench/jobs/difference_search.h"
#include "workbench/jobs/quantizing.h"

namespace lapidary::views {
namespace {

constexpr std::size_t most_pins = 8;  // messages on nodes; the Problems dock lists all

}  // namespace

GraphPage::GraphPage(app::Workbench& workbench, QWidget* parent)
    : Page(parent), workbench_(workbench), stack_(new QStackedWidget), empty_(new EmptyState),
      canvas_(new GraphCanvas), table_(new GraphTable) {
    setObjectName(QStringLiteral("graphPage"));
    const GraphFonts fonts = GraphFonts::standard();
    titleWidths_ = fonts.titleWidths();
    bodyWidths_ = fonts.bodyWidths();

    connect(empty_, &EmptyState::clicked, this, [this] {
        if (emptyRetries_) showDocument();
        else emit openRequested();
    });

    stack_->addWidget(empty_);
    stack_->addWidget(canvas_);
    stack_->addWidget(table_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeToolBar());
    column->addWidget(stack_, 1);
    notice_ = new LayoutNotice(stack_);

    connect(canvas_, &GraphCanvas::selectionChanged, this, &GraphPage::publishSelection);
    connect(canvas_, &GraphCanvas::selectionChanged, this, &GraphPage::refreshActions);
    connect(canvas_, &GraphCanvas::groupToggled, this, &GraphPage::toggleGroup);
    connect(canvas_, &GraphCanvas::jumping, this, &GraphPage::leavePlace);
    connect(canvas_, &GraphCanvas::viewChanged, this,
            [this] { zoom_->setText(QStringLiteral("%1 %").arg(qRound(canvas_->scale() * 100))); });
    connect(table_, &GraphTable::leavesSelected, this, [this](std::vector<OutlineIndex> leaves) {
        GraphSelection selection;
        if (!leaves.empty()) {
            selection.leaf = leaves.back();
            leaves.pop_back();
            selection.others = std::move(leaves);
        }
        publishSelection(selection);
        refreshActions();
    });
    connect(table_, &GraphTable::leafActivated, this, [this](OutlineIndex leaf) {
        asTable_->setChecked(false);
        leavePlace();
        reveal(leaf);
        canvas_->setFocus();
    });
    connect(&workbench_, &app::Workbench::documentChanged, this, &GraphPage::showDocument);
    connect(&workbench_, &app::Workbench::openedChanged, this, [this] {
        variantRun_ = nullptr;
        wantedColours_ = by_type;
        arriveAt_.reset();
        bookmarks_.clear();
    });
    connect(&workbench_, &app::Workbench::runChanged, this, &GraphPage::showRun);
    connect(&workbench_, &app::Workbench::focusChanged, this, &GraphPage::showFocus);
    connect(&workbench_.comparison().search(), &app::DifferenceSearch::changed, this, [this] {
        if (wantedColours_ == by_difference) showCosts();
    });
    connect(&workbench_.quantizing(), &app::Quantizing::changed, this, [this] {
        if (!workbench_.quantizing().isRunning()) showCosts();
    });
    showDocument();
}

GraphPage::~GraphPage() = default;

void GraphPage::shown() {
    isUnseen_ = false;
    if (outline_)
        (asTable_->isChecked() ? static_cast<QWidget*>(table_->view()) : canvas_)->setFocus();
    arriveIfAsked();
}

/// The room for the drawing; for a page that was not shown yet, the room that it will have.
QSize GraphPage::room() const {
    const QSize size = isVisible() || !parentWidget() ? stack_->size() : parentWidget()->size();
    return size.expandedTo({200, 200});
}

SceneOptions GraphPage::sceneOptions() const {
    SceneOptions options;
    options.direction = sideways_->isChecked() ? LayoutDirection::right : LayoutDirection::down;
    options.showConstants = constants_->isChecked();
    if (columns_->isChecked())
        options.aspect = std::clamp(room().width() / double(room().height()), 0.8, 2.2);
    // a group that opens moves no others
    if (canvas_->scene()) options.flatter = canvas_->scene()->options.flatter;
    options.title = titleWidths_;
    options.body = bodyWidths_;
    return options;
}

void GraphPage::showEmpty(const QString& title, const QString& text, bool retry) {
    emptyRetries_ = retry;
    empty_->setMessage(QStringLiteral("graph"), title, text);
    if (retry) empty_->setButton(QStringLiteral("layout"), tr("Lay out again"));
    else
        empty_->setButton(QStringLiteral("open"), workbench_.document() ? QString() : tr("Open …"));
    stack_->setCurrentWidget(empty_);
    refreshActions();
}

void GraphPage::showView() {
    if (!outline_) return;
    stack_->setCurrentWidget(asTable_->isChecked() ? static_cast<QWidget*>(table_) : canvas_);
    notice_->raise();
    refreshActions();
}

/// Marks nodes that make the model invalid in red, with the message; in a closed group, marks the
/// group.
void GraphPage::showFaults() {
    const GraphScenePtr& scene = canvas_->scene();
    const app::DocumentPtr document = workbench_.document();
    if (!scene || !document || document->faults.empty()) return;
    std::vector<BoxMark> marks(scene->boxes.size(), BoxMark::None);
    std::vector<ScenePin> pins;
    for (const ModelFault& fault : document->faults) {
        const OutlineIndex leaf = outline_->leafOf(0, fault.node);
        const OutlineIndex box = leaf == noIndex ? noIndex : scene->boxOfLeaf[leaf];
        if (box == noIndex) continue;
        marks[box] = BoxMark::Fault;
        if (pins.size() < most_pins) pins.push_back({box, sentenceText(fault.message)});
    }
    canvas_->setMarks(std::move(marks));
    canvas_->setPins(std::move(pins));
}

void GraphPage::showDocument() {
    const app::DocumentPtr document = workbench_.document();
    const KeptView kept = keptView();
    const NodeId added = kept.isKept() && !kept.isReadAgain ? newNode() : NodeId();
    job_.drop();
    emit groupSelected({});
    history_.clear();
    if (outline_) workbench_.jobs().releaseLater(std::exchange(outline_, nullptr));
    if (canvas_->scene()) workbench_.jobs().releaseLater(canvas_->scene());
    canvas_->setScene(nullptr);
    if (table_->model().rows()) workbench_.jobs().releaseLater(table_->model().rows());
    table_->setRows(nullptr);
    matches_.clear();
    refreshSearch();
    if (!document)
        return showEmpty(tr("No model is open"),
                         tr("Open an ONNX model to see its graph, or drop a file on the window."));
    showEmpty(tr("Laying out the graph …"), document->title);

    SceneOptions options = sceneOptions();
    if (kept.isKept()) options.flatter = kept.flatter;
    app::Job* job = job_.start<Prepared>(
        workbench_.jobs(), tr("Lay out %1").arg(document->title),
        [model = document->model, options, kept](const Progress& progress) mutable {
            Prepared made;
            auto outline = std::make_shared<const GraphOutline>(model, progress);
            made.outline = outline;
            progress.step("table");
            made.rows = std::make_shared<const std::vector<GraphRow>>(
                makeGraphRows(*outline, progress.cancel));
            progress.step("layout");
            options.cancel = progress.cancel;
            made.scenes = kept.isKept() ? std::vector<GraphScenePtr>{buildScene(
                                              outline, openAgain(*outline, kept), options)}
                                        : buildFirstScenes(outline, options);
            return made;
        },
        [this, kept, added](Prepared made) {
            const QScopedValueRollback restoring(isRestoring_, kept.isKept());
            outline_ = made.outline;
            table_->setRows(made.rows);
            canvas_->setScene(firstLook(made.scenes, room()));
            restoreView(*canvas_, kept);
            if (outline_->leaves().empty())
                showEmpty(tr("This model has no nodes"), tr("There is nothing to draw."));
            else showView();
            if (kept.hasKeyboard && canvas_->isVisible()) canvas_->setFocus();
            showRun();
            if (asTable_->isChecked()) refreshSearch();
            else search(search_->text());
            showFaults();
            if (added) workbench_.focusNode(added);  // and showFocus() keeps it in view
            if (const app::DocumentPtr shown = workbench_.document();
                shown && !shown->faults.empty() && workbench_.focus() == app::Focus())
                workbench_.focusNode(shown->faults.front().node);  // the first fault is shown first
            showFocus();
            if (kept.isKept()) canvas_->arrangeOverlay();
            arriveIfAsked();
            emit sceneShown();
        },
        [this](const Error& error) {
            if (error.code() == ErrorCode::cancelled)
                showEmpty(tr("The layout was cancelled"), tr("Nothing is drawn yet."), true);
            else showEmpty(tr("The graph could not be drawn"), tipText(error.what()), true);
        });
    notice_->follow(job);
}

void GraphPage::layOut(OpenGroups open, OutlineIndex anchorGroup, std::function<void()> then) {
    if (!outline_) return;
    app::Job* job = job_.start<GraphScenePtr>(
        workbench_.jobs(), tr("Lay out the graph"),
        [outline = outline_, open = std::move(open),
         options = sceneOptions()](const Progress& progress) mutable {
            options.cancel = progress.cancel;
            progress.step("layout");
            return buildScene(outline, std::move(open), options);
        },
        [this, anchorGroup, then = std::move(then)](GraphScenePtr scene) {
            if (canvas_->scene()) workbench_.jobs().releaseLater(canvas_->scene());
            canvas_->setScene(scene, anchorGroup);
            if (scene) showRun();
            showFaults();
            if (then) then();
            refreshActions();
            emit sceneShown();
        },
        [this](const Error& error) {
            refreshActions();
            emit statusMessage(error.code() == ErrorCode::cancelled
                                   ? tr("The layout was cancelled; the drawing is unchanged.")
                                   : tipText(error.what()));
        });
    notice_->follow(job);
}

void GraphPage::toggleGroup(OutlineIndex group) {
    if (!canvas_->scene()) return;
    leavePlace();
    layOut(toggled(*outline_, canvas_->scene()->open, group), group);
}

void GraphPage::setAllGroups(bool open) {
    if (!outline_) return;
    leavePlace();
    layOut(allGroups(*outline_, open));
}

/// The shown graph's own newest run; on the original also that of a variant of it.
void GraphPage::showRun() {
    const app::DocumentPtr document = workbench_.document();
    app::RunRecordPtr run = workbench_.run();
    if (run && document && !run->isOfModel()) run = nullptr;
    if (run && run->model) {
        variantRun_ = run;
        variantRunOf_ = app::nameOf(workbench_.recipeInForce().running());
    }
    if (!run && document && workbench_.opened() && document->model == workbench_.opened()->model)
        run = variantRun_;
    if (!outline_) return;
    if (!run || !document) {
        costs_ = nullptr;
    } else if (!costs_ || costs_->run != run || costs_->shown != document->model) {
        startCosts(run);
        auto times =
            std::make_shared<NodeCosts>();  // times that need no computing are shown at once
        times->run = run;
        times->shown = document->model;
        if (run->model == document->model || run->traced == document->model)
            for (const NodeTotal& total : run->summary.nodes)
                if (total.node) times->ms[total.node] += total.ms;
        costs_ = std::move(times);
    }
    showCosts();
}

void GraphPage::startCosts(const app::RunRecordPtr& run) {
    costsJob_.start<NodeCostsPtr>(
        workbench_.jobs(), tr("Find out what nodes cost"),
        [run, shown = workbench_.document()->model](const Progress& progress) {
            return nodeCosts(run, shown, progress);
        },
        [this](NodeCostsPtr costs) {
            if (!costs_ || costs_->run != costs->run || costs_->shown != costs->shown) return;
            costs_ = std::move(costs);
            showCosts();
        },
        [this](const Error& error) {
            if (error.code() != ErrorCode::cancelled) emit statusMessage(tipText(error.what()));
        });
}

LeafValuesPtr GraphPage::byLeaf(const std::unordered_map<NodeId, double>& of, const QString& title,
                                const QString& unit, double factor) const {
    if (of.empty()) return nullptr;
    auto values = std::make_shared<LeafValues>();
    values->title = title;
    values->unit = unit;
    values->written = unit == tr("ms") ? &formatMilliseconds : +[](double percent) {
        return formatRoundPercent(percent / 100);
    };
    values->byLeaf.assign(outline_->leaves().size(), std::numeric_limits<float>::quiet_NaN());
    for (const auto& [node, number] : of) {
        const OutlineIndex leaf = outline_->leafOf(0, node);
        if (leaf != noIndex) values->byLeaf[leaf] = static_cast<float>(number * factor);
    }
    values->isTime =
        unit == tr("ms") && costs_->run && areSlowAtBest(*outline_, values->byLeaf, *costs_->run);
    return values;
}

std::pair<LeafValuesPtr, LeafValuesPtr> GraphPage::quantizingLossByLeaf() const {
    const app::DocumentPtr document = workbench_.document(), opened = workbench_.opened();
    if (!outline_ || !document || !opened) return {};
    const auto loss =
        quantizingLoss(workbench_.quantizing().record().get(), *opened->model, *document->model);
    std::unordered_map<NodeId, double> alike;  // a group shows the mean of its nodes
    for (const auto& [node, share] : loss) alike[node] = 1;
    const QString title = tr("Noise that quantizing left, as a share of the result");
    return {byLeaf(loss, title, QStringLiteral("%"), 100), byLeaf(alike, QString(), QString(), 1)};
}

std::pair<LeafValuesPtr, LeafValuesPtr> GraphPage::differenceByLeaf() const {
    const app::DifferencePtr record = workbench_.comparison().search().result();
    const app::DocumentPtr document = workbench_.document();
    if (!outline_ || !document || !record) return {};
    std::unordered_map<NodeId, double> shares, alike;
    for (const ValuePair& value : record->found.divergence.values) {
        if (!value.path.empty()) continue;
        const NodeId node = app::nodeOf(document->model->graph, value);
        if (!node) continue;
        double& share = shares[node];
        share = std::max(share, std::min(value.relative, 1.0));
        alike[node] = 1;
    }
    const QString title = tr("Difference of A and B, as a share of the largest element");
    return {byLeaf(shares, title, QStringLiteral("%"), 100),
            byLeaf(alike, QString(), QString(), 1)};
}

/// Of the newest run of the shown graph; null: it has not run.
LeafKindsPtr GraphPage::providerKinds() const {
    const app::RunRecordPtr run = workbench_.run();
    const app::DocumentPtr document = workbench_.document();
    if (!run || !outline_ || !document) return nullptr;
    auto kinds = std::make_shared<LeafKinds>();
    kinds->title = tr("Provider");
    kinds->names << QStringLiteral("CPU");
    kinds->byLeaf.assign(outline_->leaves().size(), -1);
    const auto put = [&](NodeId node, const std::string& provider) {
        if (!node || !document->model->graph.is_alive(node)) return;
        const OutlineIndex leaf = outline_->leafOf(0, node);
        if (leaf == noIndex) return;
        const QString name = labelText(provider);
        qsizetype kind = kinds->names.indexOf(name);
        if (kind < 0) {
            kind = kinds->names.size();
            kinds->names << name;
        }
        kinds->byLeaf[leaf] = int(kind);
    };
    for (const NodeTotal& total : run->summary.nodes)
        if (!total.is_copy) put(total.node, total.provider);
    for (const NodePlacement& placed : run->placement.nodes) {
        put(placed.node, placed.provider);
        if (!run->executed || !placed.node || !run->executed->graph.is_alive(placed.node)) continue;
        for (const NodeId origin : run->executed->graph.node(placed.node).origins)
            put(origin, placed.provider);
    }
    return kinds;
}

void GraphPage::showCosts() {
    LeafValuesPtr shares;
    times_ = nullptr;
    if (costs_ && outline_) {
        times_ = byLeaf(costs_->ms,
                        costs_->rolledBack
                            ? tr("Time per run of %1, on original nodes").arg(variantRunOf_)
                            : tr("Time per run"),
                        tr("ms"), 1);
        shares = byLeaf(costs_->shareOfPeak,
                        costs_->rolledBack
                            ? tr("Share of this machine's peak, run of %1").arg(variantRunOf_)
                            : tr("Share of this machine's peak"),
                        QStringLiteral("%"), 100);
    }
    const LeafKindsPtr kinds = wantedColours_ == by_provider ? providerKinds() : nullptr;
    std::pair<LeafValuesPtr, LeafValuesPtr> loss;
    if (wantedColours_ == by_loss) loss = quantizingLossByLeaf();
    if (wantedColours_ == by_difference) loss = differenceByLeaf();
    const bool isKnown = wantedColours_ == by_time   ? times_ != nullptr
                         : wantedColours_ == by_peak ? shares != nullptr
                         : wantedColours_ == by_loss || wantedColours_ == by_difference
                             ? loss.first != nullptr
                         : wantedColours_ == by_provider ? kinds != nullptr
                                                         : true;
    {
        const QSignalBlocker quiet(
            colorBy_);  // the wanted choice returns as soon as its figures are known
        colorBy_->setCurrentIndex(isKnown ? wantedColours_ : by_type);
    }
    canvas_->setColorBy(static_cast<ColorBy>(colorBy_->currentData().toInt()));
    canvas_->setKinds(kinds);
    if (wantedColours_ == by_peak && isKnown) canvas_->setValues(shares, times_, 100);
    else if (loss.first && isKnown) canvas_->setValues(loss.first, loss.second);
    else canvas_->setValues(times_);
    table_->setValues(times_);
    if (canvas_->selection().group != noIndex) publishGroup();
}

void GraphPage::showFocus() {
    if (!outline_ || !canvas_->scene()) return;
    const app::Focus& focus = workbench_.focus();
    const OutlineIndex place = outline_->placeOf(focus.body.get());
    if (place == noIndex) return;
    GraphSelection selection;
    if (focus.node) selection.leaf = outline_->leafOf(place, focus.node);
    else if (focus.value) selection.tensor = outline_->tensorOf(place, focus.value);
    // a group has no focus
    if (selection.isEmpty() && !focus.node && !focus.value && canvas_->selection().group != noIndex)
        return;
    if (selection.leadsAs(canvas_->selection())) return;
    // inputs and outputs are focused as the value they are
    const OutlineIndex chosen = canvas_->selection().leaf;
    if (chosen != noIndex && focus.value && outline_->leaves()[chosen].value == focus.value &&
        outline_->leaves()[chosen].place == place)
        return;
    if (!isRestoring_) leavePlace();
    canvas_->setSelection(selection);
    publishGroup();
    table_->selectLeaves(selection.leaves());
    refreshActions();
    OutlineIndex leaf = selection.leaf;
    if (leaf == noIndex && selection.tensor != noIndex)
        leaf = outline_->tensors()[selection.tensor].producer;
    if (leaf != noIndex) canvas_->reveal(canvas_->scene()->boxOfLeaf[leaf], !isRestoring_);
}

void GraphPage::publishSelection(const GraphSelection& selection) {
    if (!outline_) return;
    hideRefusal();
    app::Focus focus = workbench_.focus();
    focus.node = {};
    focus.value = {};
    focus.body = nullptr;
    OutlineIndex place = 0;
    if (selection.leaf != noIndex) {
        const OutlineLeaf& leaf = outline_->leaves()[selection.leaf];
        place = leaf.place;
        focus.node = leaf.node;
        focus.value = leaf.value;
    } else if (selection.tensor != noIndex) {
        place = outline_->tensors()[selection.tensor].place;
        focus.value = outline_->tensors()[selection.tensor].value;
    }
    if (place != 0) focus.body = outline_->places()[place].graph;
    if (canvas_->selection() != selection) {
        canvas_->setSelection(selection);
        if (selection.leaf != noIndex && canvas_->scene())
            canvas_->reveal(canvas_->scene()->boxOfLeaf[selection.leaf], true);
    }
    table_->selectLeaves(selection.leaves());
    workbench_.setFocus(focus);
    publishGroup();
    if (const std::size_t count = selection.leaves().size(); count > 1)
        emit statusMessage(tr("%1 selected; the Inspector shows the last one").arg(count));
}

void GraphPage::publishGroup() {
    const OutlineIndex leaf = canvas_->selection().leaf;
    const OutlineIndex group =
        leaf != noIndex && outline_ ? outline_->leaves()[leaf].group : canvas_->selection().group;
    if (!outline_ || group == noIndex) return emit groupSelected({});
    emit groupSelected({outline_, group, leaf, times_, costs_ ? costs_->run : nullptr});
}

}  // namespace lapidary::views
