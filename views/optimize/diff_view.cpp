// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimize/diff_view.h"

#include <QScopedValueRollback>
#include <QVBoxLayout>

#include <algorithm>

#include "theme/theme.h"
#include "widgets/text/elided_label.h"
#include "widgets/text/quantity.h"

namespace lapidary::views {

DiffView::DiffView(QWidget* parent)
    : QWidget(parent), splitter_(new QSplitter(Qt::Horizontal)), beforeTitle_(new ElidedLabel),
      afterTitle_(new ElidedLabel), before_(new GraphCanvas), after_(new GraphCanvas) {
    setObjectName(QStringLiteral("diffView"));
    before_->setObjectName(QStringLiteral("beforeCanvas"));
    before_->setAccessibleName(tr("Graph before"));
    after_->setObjectName(QStringLiteral("afterCanvas"));
    after_->setAccessibleName(tr("Graph after"));
    beforePane_ = pane(before_, beforeTitle_);
    afterPane_ = pane(after_, afterTitle_);
    splitter_->addWidget(beforePane_);
    splitter_->addWidget(afterPane_);
    splitter_->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(splitter_);
    link(before_, after_);
    link(after_, before_);
    apply();
}

QWidget* DiffView::pane(GraphCanvas* canvas, QLabel* title) {
    title->setContentsMargins(10, 3, 10, 3);
    title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    canvas->setMinimumSize(120, 100);
    auto* pane = new QWidget;
    auto* column = new QVBoxLayout(pane);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(title);
    column->addWidget(canvas, 1);
    return pane;
}

void DiffView::link(GraphCanvas* from, GraphCanvas* to) {
    connect(from, &GraphCanvas::viewChanged, this, [this, from, to] {
        if (linking_ || !to->scene() || mode_ == Mode::Overlay) return;
        const QScopedValueRollback guard(linking_, true);
        to->showView(from->scale(), from->origin());
    });
    connect(from, &GraphCanvas::selectionChanged, this,
            [this, from, to](const GraphSelection& selection) {
                showCounterpart(from, to, selection);
            });
}

/// Rings the nodes in the other pane that the selected node replaces, or that replace it.
void DiffView::showCounterpart(GraphCanvas* from, GraphCanvas* to,
                               const GraphSelection& selection) {
    if (!film_ || !from->scene() || !to->scene()) return;
    to->setSelection({});
    to->setMatches(selection.leaf == noIndex
                       ? std::vector<OutlineIndex>()
                       : film_->counterparts(*from->scene(), selection.leaf, *to->scene()));
    from->setMatches({});
}

void DiffView::setMode(Mode mode) {
    if (mode == mode_) return;
    mode_ = mode;
    const bool wasCompact = after_->scene() && after_->scene() == lastCompact_;
    if (mode == Mode::Overlay) after_->showView(before_->scale(), before_->origin());
    apply();
    if (mode == Mode::Split && !wasCompact) before_->showView(after_->scale(), after_->origin());
    for (GraphCanvas* canvas : {before_, after_}) canvas->arrangeOverlay();
}

void DiffView::setCompact(bool compact) {
    if (compact == compact_) return;
    compact_ = compact;
    if (mode_ != Mode::Overlay || !diff_ || !diff_->compact) return;
    apply();
    if (!showsCompact()) after_->fit();
}

bool DiffView::showsCompact() const {
    return compact_ && mode_ == Mode::Overlay && diff_ && diff_->compact &&
           diff_->with == CompareWith::Original;
}

void DiffView::show(StepFilmPtr film, DiffScenesPtr diff, bool zoom) {
    film_ = std::move(film);
    diff_ = std::move(diff);
    apply();
    if (zoom) zoomToStep();
    // legend and map have another drawing below them
    for (GraphCanvas* canvas : {before_, after_}) canvas->arrangeOverlay();
}

void DiffView::apply() {
    const QScopedValueRollback guard(linking_, true);
    const bool overlay = mode_ == Mode::Overlay;
    beforePane_->setVisible(!overlay);
    if (!diff_) {
        before_->setScene(nullptr);
        after_->setScene(nullptr);
        lastCompact_ = nullptr;
        after_->setGhost(nullptr, {});
        beforeTitle_->clear();
        afterTitle_->clear();
        return;
    }
    if (showsCompact()) return applyCompact();
    const bool first = !after_->scene() || after_->scene() == lastCompact_;
    if (before_->scene() != diff_->before) before_->replaceScene(diff_->before);
    before_->setMarks(diff_->beforeMarks, diff_->beforeBrackets);
    const GraphScenePtr& shown = overlay ? diff_->overlay : diff_->after;
    if (after_->scene() != shown) after_->replaceScene(shown);
    after_->setMarks(overlay ? diff_->overlayMarks : diff_->afterMarks,
                     overlay ? diff_->overlayBrackets : std::vector<SceneBracket>());
    after_->setGhost(overlay ? diff_->before : nullptr,
                     overlay ? diff_->beforeMarks : std::vector<BoxMark>());
    const QString from = diff_->with == CompareWith::Original || diff_->step <= 1
                             ? tr("Original")
                             : tr("Before the step");
    const QString to = diff_->step == 0 ? tr("Original")
                       : film_ && diff_->step == film_->steps()
                           ? film_->variant()->name
                           : tr("After step %1").arg(diff_->step);
    const QString minus = QChar(0x2212);
    beforeTitle_->setText(tr("%1 · %2 · %3%4 go")
                              .arg(from, nodeCountText(diff_->nodesBefore), minus,
                                   formatCount(qint64(diff_->removed))));
    afterTitle_->setText(
        overlay
            ? tr("%1 over %2 · %3 · %4%5 go, +%6 come")
                  .arg(to, from, nodeCountText(diff_->nodesAfter), minus,
                       formatCount(qint64(diff_->removed)), formatCount(qint64(diff_->added)))
            : tr("%1 · %2 · +%3 come")
                  .arg(to, nodeCountText(diff_->nodesAfter), formatCount(qint64(diff_->added))));
    if (!first) return;
    // Begin where the first nodes were replaced, not where the graph begins.
    const auto top = std::ranges::min_element(diff_->beforeBrackets, {},
                                              [](const SceneBracket& b) { return b.around.top(); });
    if (top == diff_->beforeBrackets.end()) {
        if (!overlay) after_->showView(before_->scale(), before_->origin());
        return;
    }
    after_->fitArea(readable(top->around.adjusted(-60, -80, 100, 60)));
    before_->showView(after_->scale(), after_->origin());
}

void DiffView::applyCompact() {
    if (before_->scene() != diff_->before) before_->replaceScene(diff_->before);
    before_->setMarks(diff_->beforeMarks, diff_->beforeBrackets);
    if (after_->scene() != diff_->compact) after_->setScene(diff_->compact);
    lastCompact_ = diff_->compact;
    after_->setGhost(nullptr, {});
    after_->setMarks(diff_->compactMarks);
    const QString minus = QChar(0x2212);
    afterTitle_->setText(
        tr("%1, the result · %2 · %3%4 went, +%5 came")
            .arg(film_ ? film_->variant()->name : QString(), nodeCountText(diff_->nodesAfter),
                 minus, formatCount(qint64(diff_->removed)), formatCount(qint64(diff_->added))));
}

bool DiffView::markMiss(const NearMiss* miss) {
    if (!diff_) return false;
    if (!miss) {
        apply();
        return true;
    }
    const GraphScenePtr scene = after_->scene();
    const auto& places = scene->outline->places();
    const auto place = std::ranges::find(places, miss->place, &OutlinePlace::path);
    if (place == places.end()) return false;
    const auto at = static_cast<OutlineIndex>(place - places.begin());
    std::vector<BoxMark> marks(scene->boxes.size(), BoxMark::None);
    QRectF area;
    const auto mark = [&](NodeId node, BoxMark as) {
        const OutlineIndex leaf = scene->outline->leafOf(at, node);
        const OutlineIndex box = leaf == noIndex ? noIndex : scene->boxOfLeaf[leaf];
        if (box == noIndex) return;
        marks[box] = as;
        area |= scene->boxes[box].rect();
    };
    for (NodeId node : miss->nodes) mark(node, BoxMark::Matched);
    mark(miss->node, BoxMark::Root);
    if (area.isEmpty()) return false;
    after_->setMarks(std::move(marks));
    after_->fitArea(readable(area.adjusted(-80, -80, 80, 80)));
    return true;
}

void DiffView::zoomToStep() {
    if (!diff_ || diff_->focus.isEmpty()) return;
    after_->fitArea(readable(diff_->focus.adjusted(-60, -60, 60, 60)));
}

/// Limits the area of a rewrite across the graph to its beginning, so that text is readable.
QRectF DiffView::readable(QRectF area) const {
    constexpr double smallest = 0.75;  // the margins of the canvas come off
    const double width = after_->width() / smallest, height = after_->height() / smallest;
    if (area.height() > height) area.setHeight(height);
    if (area.width() > width)
        area = QRectF(area.center().x() - width / 2, area.y(), width, area.height());
    return area;
}

void DiffView::fit() { after_->fit(); }

}  // namespace lapidary::views
