// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/graph_pair.h"

#include <QHBoxLayout>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QVBoxLayout>

#include <limits>

#include <lapidary/base/error.h>

#include "theme/theme.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {

GraphPair::GraphPair(app::Workbench& workbench, QWidget* parent)
    : QWidget(parent), workbench_(workbench), changesOnly_(new QCheckBox(tr("C&hanges only"))),
      next_(new QPushButton(themedIcon(QStringLiteral("next")), tr("Ne&xt difference"))),
      sentence_(new QLabel), titleA_(new QLabel), titleB_(new QLabel), a_(new GraphCanvas),
      b_(new GraphCanvas) {
    setObjectName(QStringLiteral("graphPair"));
    changesOnly_->setObjectName(QStringLiteral("changesOnly"));
    changesOnly_->setToolTip(tr("Groups in which nothing differs stay closed"));
    changesOnly_->setChecked(true);
    next_->setObjectName(QStringLiteral("nextDifference"));
    next_->setToolTip(tr("Go to the next node that only one of the two has, or that differs"));
    sentence_->setObjectName(QStringLiteral("pairSentence"));
    sentence_->setTextFormat(Qt::PlainText);
    sentence_->setWordWrap(true);
    a_->setObjectName(QStringLiteral("canvasA"));
    a_->setAccessibleName(tr("Graph of A"));
    b_->setObjectName(QStringLiteral("canvasB"));
    b_->setAccessibleName(tr("Graph of B"));
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(10, 4, 10, 4);
    bar->addWidget(sentence_, 1);
    bar->addWidget(changesOnly_);
    bar->addWidget(next_);
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(pane(a_, titleA_));
    splitter->addWidget(pane(b_, titleB_));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(splitter, 1);
    link(a_, b_);
    link(b_, a_);
    connect(changesOnly_, &QCheckBox::toggled, this, [this] {
        stale_ = variantA_ && variantB_;
        if (isVisible()) layOut();
    });
    connect(next_, &QPushButton::clicked, this, &GraphPair::nextDifference);
    showDrawing(nullptr);
}

QWidget* GraphPair::pane(GraphCanvas* canvas, QLabel* title) {
    title->setTextFormat(Qt::PlainText);
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

void GraphPair::setPair(app::VariantPtr a, app::VariantPtr b) {
    if (a == variantA_ && b == variantB_) return;
    job_.drop();
    toggling_.drop();
    for (app::VariantPtr* held : {&variantA_, &variantB_})
        if (*held) workbench_.jobs().releaseLater(std::exchange(*held, nullptr));
    variantA_ = std::move(a);
    variantB_ = std::move(b);
    stale_ = variantA_ && variantB_;
    showDrawing(nullptr);
    if (isVisible()) layOut();
}

void GraphPair::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    layOut();
}

void GraphPair::layOut() {
    if (!stale_) return;
    stale_ = false;
    const GraphFonts fonts = GraphFonts::standard();
    SceneOptions options;
    options.title = fonts.titleWidths();
    options.body = fonts.bodyWidths();
    job_.start<PairDrawingPtr>(
        workbench_.jobs(), tr("Draw A and B side by side"),
        [a = variantA_->model, b = variantB_->model, only = changesOnly_->isChecked(),
         options](const Progress& progress) { return drawPair(a, b, only, options, progress); },
        [this](PairDrawingPtr drawing) { showDrawing(std::move(drawing)); },
        [this](const Error& error) {
            stale_ = error.code() == ErrorCode::cancelled;
            sentence_->setText(stale_ ? tr("The drawing was cancelled.")
                                      : sentenceText(error.what()));
        });
    sentence_->setText(tr("Laying out the graphs …"));
}

void GraphPair::showDrawing(PairDrawingPtr drawing) {
    if (drawing_) workbench_.jobs().releaseLater(std::exchange(drawing_, nullptr));
    drawing_ = std::move(drawing);
    shown_ = 0;
    const QScopedValueRollback guard(linking_, true);
    a_->setScene(drawing_ ? drawing_->a.scene : nullptr);
    b_->setScene(drawing_ ? drawing_->b.scene : nullptr);
    next_->setEnabled(drawing_ && !drawing_->isSame());
    titleA_->setText(variantA_ ? tr("A · %1").arg(variantA_->name) : QString());
    titleB_->setText(variantB_ ? tr("B · %1").arg(variantB_->name) : QString());
    if (!drawing_) return sentence_->clear();
    a_->setMarks(drawing_->a.marks);
    b_->setMarks(drawing_->b.marks);
    sentence_->setText(
        drawing_->isSame()
            ? tr("Every node of A stands in B, with the same operator, attributes and weights.")
            : tr("Nodes only in A: %1, only in B: %2. In both, with another operator, attribute or "
                 "weight: %3.")
                  .arg(drawing_->a.alone)
                  .arg(drawing_->b.alone)
                  .arg(drawing_->changed));
    if (!drawing_->isSame()) nextDifference();
    emit drawn();
}

void GraphPair::link(GraphCanvas* from, GraphCanvas* to) {
    connect(from, &GraphCanvas::viewChanged, this, [this, from, to] {
        if (linking_ || !drawing_) return;
        const QScopedValueRollback guard(linking_, true);
        follow(from, to);
    });
    connect(from, &GraphCanvas::selectionChanged, this,
            [this, from, to](const GraphSelection& selection) {
                if (!drawing_ || selection.leaf == noIndex) return;
                const OutlineIndex other = sideOf(from).counterpart[selection.leaf];
                to->setSelection(other == noIndex ? GraphSelection()
                                                  : GraphSelection{other, noIndex, noIndex});
            });
    connect(from, &GraphCanvas::groupToggled, this,
            [this, from](OutlineIndex group) { toggle(from, group); });
}

void GraphPair::toggle(GraphCanvas* canvas, OutlineIndex group) {
    if (!drawing_) return;
    toggling_.start<std::shared_ptr<const PairSide>>(
        workbench_.jobs(), tr("Lay out the graph"),
        [side = sideOf(canvas), group](const Progress& progress) {
            SceneOptions options = side.scene->options;
            options.cancel = progress.cancel;
            const GraphOutlinePtr outline = side.scene->outline;
            return std::make_shared<const PairSide>(
                drawSide(side, outline, toggled(*outline, side.scene->open, group), options));
        },
        [this, canvas, group](const std::shared_ptr<const PairSide>& side) {
            if (!drawing_ || sideOf(canvas).scene->outline != side->scene->outline) return;
            auto drawing = std::make_shared<PairDrawing>(*drawing_);
            (canvas == a_ ? drawing->a : drawing->b) = *side;
            workbench_.jobs().releaseLater(std::exchange(drawing_, drawing));
            const QScopedValueRollback guard(linking_, true);
            canvas->setScene(side->scene, group);
            canvas->setMarks(side->marks);
        },
        [this](const Error& error) {
            if (error.code() != ErrorCode::cancelled)
                sentence_->setText(sentenceText(error.what()));
        });
}

/// Moves one canvas so that the box nearest to the centre of the other is at the same height as its
/// counterpart.
void GraphPair::follow(const GraphCanvas* from, GraphCanvas* to) {
    const PairSide &here = sideOf(from), &there = sideOf(to);
    const QPointF middle = from->visibleArea().center();
    double nearest = std::numeric_limits<double>::infinity();
    QPointF at, counterpart;
    for (OutlineIndex leaf = 0; leaf < here.counterpart.size(); ++leaf) {
        const OutlineIndex other = here.counterpart[leaf];
        if (other == noIndex) continue;
        const OutlineIndex box = here.scene->boxOfLeaf[leaf],
                           otherBox = there.scene->boxOfLeaf[other];
        if (box == noIndex || otherBox == noIndex) continue;
        const QPointF centre = here.scene->boxes[box].rect().center();
        const double distance = QPointF::dotProduct(centre - middle, centre - middle);
        if (distance >= nearest) continue;
        nearest = distance;
        at = centre;
        counterpart = there.scene->boxes[otherBox].rect().center();
    }
    if (nearest == std::numeric_limits<double>::infinity()) return;
    to->showView(from->scale(), counterpart - from->fromScene(at) / from->scale());
}

void GraphPair::nextDifference() {
    // in the order of the drawing of A, then of B
    std::vector<std::pair<GraphCanvas*, OutlineIndex>> places;
    for (GraphCanvas* canvas : {a_, b_})
        for (OutlineIndex box = 0; box < sideOf(canvas).marks.size(); ++box)
            if (sideOf(canvas).marks[box] != BoxMark::None) places.emplace_back(canvas, box);
    if (places.empty()) return;
    auto [canvas, box] = places[shown_++ % places.size()];
    {
        const QScopedValueRollback guard(linking_, true);
        if (canvas->scale() < readableScale) canvas->showView(1, canvas->origin());
        canvas->reveal(box, true);
    }
    const QScopedValueRollback guard(linking_, true);
    follow(canvas, canvas == a_ ? b_ : a_);
}

}  // namespace lapidary::views
