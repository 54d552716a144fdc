// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/graph_canvas.h"

#include "canvas/group_names.h"
#include "canvas/pinned_text.h"
#include "canvas/slow_block.h"
#include "widgets/plot/picture_export.h"

#include <QAccessible>
#include <QPaintEvent>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lapidary::views {
namespace {
constexpr double mostScale = 4;
constexpr double mostFitted = 1.5;      // largest scale for small drawings
constexpr double border = sceneBorder;  // pixels kept free around a fitted drawing

bool isOpen(const GraphScene& scene, OutlineIndex group) {
    const OutlineIndex box = group == noIndex ? noIndex : scene.boxOfGroup[group];
    return box != noIndex && scene.boxes[box].open;
}
}  // namespace

GraphCanvas::GraphCanvas(QWidget* parent)
    : QWidget(parent), painter_(GraphFonts::standard()), ghostPainter_(GraphFonts::standard()) {
    setObjectName(QStringLiteral("graphCanvas"));
    look_.namesApart = true;
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Graph"));
    setAccessibleDescription(
        tr("The model drawn as a graph. Arrow keys follow the tensors; the table view lists the "
           "same nodes."));
    installPictureKeys(*this, QStringLiteral("graph"));
}

void GraphCanvas::setScene(GraphScenePtr scene, OutlineIndex anchorGroup) {
    const GraphScenePtr old = std::exchange(scene_, std::move(scene));
    const OutlineIndex entered = std::exchange(entered_, noIndex);
    painter_.forget();
    overlay_.invalidate();
    look_.hoverBox = noIndex;
    wire_ = noIndex;
    if (drag_ == Drag::Wire) drag_ = Drag::None;
    const bool same = old && scene_ && old->outline == scene_->outline;
    QPointF before, after;
    bool anchored = false;
    if (same) {
        auto keep = [&](OutlineIndex a, OutlineIndex b) {
            if (anchored || a == noIndex || b == noIndex) return;
            before = fromScene(old->boxes[a].rect().topLeft());
            after = scene_->boxes[b].rect().topLeft();
            anchored = rect().adjusted(-400, -400, 400, 400).contains(before.toPoint());
        };
        if (anchorGroup != noIndex)
            keep(old->boxOfGroup[anchorGroup], scene_->boxOfGroup[anchorGroup]);
        if (selection_.leaf != noIndex)
            keep(old->boxOfLeaf[selection_.leaf], scene_->boxOfLeaf[selection_.leaf]);
        for (OutlineIndex leaf = 0; leaf < scene_->boxOfLeaf.size() && !anchored; ++leaf) {
            if (old->boxOfLeaf[leaf] != noIndex &&
                visibleArea().intersects(old->boxes[old->boxOfLeaf[leaf]].rect()))
                keep(old->boxOfLeaf[leaf], scene_->boxOfLeaf[leaf]);
        }
    } else {
        selection_ = {};
        matches_.clear();
        currentMatch_ = noIndex;
        values_ = nullptr;
        kinds_ = nullptr;
    }
    look_.marks.clear();
    look_.brackets.clear();
    look_.pins.clear();
    refreshHeat();
    refreshLook();
    if (!scene_) {
        update();
    } else if (const bool enters = anchored && anchorGroup == entered && isOpen(*scene_, entered);
               anchored && (viewChosen_ || enters)) {
        setView(scale_, after - before / scale_);
        if (enters) showEntered(entered);
    } else {
        viewChosen_ = false;
        firstView();
    }
}

void GraphCanvas::replaceScene(GraphScenePtr scene) {
    if (!scene_ || !scene || !viewChosen_) return setScene(std::move(scene));
    scene_ = std::move(scene);
    painter_.forget();
    overlay_.invalidate();
    look_.hoverBox = noIndex;
    look_.marks.clear();
    look_.brackets.clear();
    look_.pins.clear();
    selection_ = {};
    matches_.clear();
    currentMatch_ = noIndex;
    values_ = nullptr;
    kinds_ = nullptr;
    refreshHeat();
    refreshLook();
}

void GraphCanvas::setMarks(std::vector<BoxMark> marks, std::vector<SceneBracket> brackets) {
    look_.marks = std::move(marks);
    look_.brackets = std::move(brackets);
    update();
}

void GraphCanvas::setPins(std::vector<ScenePin> pins) {
    look_.pins = std::move(pins);
    update();
}

void GraphCanvas::setGhost(GraphScenePtr scene, std::vector<BoxMark> marks) {
    ghost_ = std::move(scene);
    ghostPainter_.forget();
    ghostLook_ = {};
    ghostLook_.onlyMarked = true;
    ghostLook_.marks = std::move(marks);
    update();
}

void GraphCanvas::showView(double scale, const QPointF& origin) {
    if (scale != scale_ || origin != origin_) setView(scale, origin);
}

void GraphCanvas::fitArea(const QRectF& area, double mostScaleHere) {
    if (scene_ && area.isValid()) fitRect(area, mostScaleHere);
}

OverlaySubject GraphCanvas::overlaySubject() const {
    return {*scene_, look_, palette(), font(), size(), values_.get(), look_.heatMost, kinds_.get()};
}

void GraphCanvas::setMapFolded(bool folded) {
    overlay_.setMapFolded(folded);
    overlay_.invalidate();
    update();
}

void GraphCanvas::setLegendFolded(bool folded) {
    overlay_.setLegendFolded(folded);
    update();
}

QRectF GraphCanvas::visibleArea() const { return QRectF(origin_, QSizeF(size()) / scale_); }

double GraphCanvas::leastScale() const {
    if (!scene_) return 0.1;
    const double whole = std::min(width() / std::max(1.0f, scene_->width),
                                  height() / std::max(1.0f, scene_->height));
    return std::min(0.2, whole * 0.7);
}

void GraphCanvas::setView(double scale, QPointF origin) {
    scale_ = std::clamp(scale, leastScale(), mostScale);
    if (scene_) {  // the drawing never leaves the window
        const double keepX = std::min(80.0, width() / 3.0) / scale_,
                     keepY = std::min(80.0, height() / 3.0) / scale_;
        origin.setX(std::clamp(origin.x(), keepX - width() / scale_,
                               std::max(keepX - width() / scale_, scene_->width - keepX)));
        origin.setY(std::clamp(origin.y(), keepY - height() / scale_,
                               std::max(keepY - height() / scale_, scene_->height - keepY)));
    }
    const double pixels = scale_ * devicePixelRatioF();  // whole pixels keep text and lines sharp
    origin_ =
        QPointF(std::round(origin.x() * pixels) / pixels, std::round(origin.y() * pixels) / pixels);
    viewChosen_ = true;
    update();
    emit viewChanged();
}

void GraphCanvas::zoomBy(double factor, const QPointF& around) {
    const QPointF fixed = toScene(around);
    const double scale = std::clamp(scale_ * factor, leastScale(), mostScale);
    setView(scale, fixed - around / scale);
}

void GraphCanvas::zoomIn() { zoomBy(1.25, rect().toRectF().center()); }
void GraphCanvas::zoomOut() { zoomBy(0.8, rect().toRectF().center()); }
void GraphCanvas::resetZoom() {
    zoomBy(1 / scale_, look_.selectedBox != noIndex
                           ? fromScene(scene_->boxes[look_.selectedBox].rect().center())
                           : rect().toRectF().center());
}

void GraphCanvas::fitRect(const QRectF& area, double mostScaleHere) {
    const double scale =
        std::clamp(std::min((width() - 2 * border) / std::max(1.0, area.width()),
                            (height() - 2 * border) / std::max(1.0, area.height())),
                   leastScale(), mostScaleHere);
    setView(scale, area.center() - QPointF(width(), height()) / 2 / scale);
    arrangeOverlay();
}

void GraphCanvas::arrangeOverlay() {
    if (!scene_) return;
    overlay_.arrange(overlaySubject(), scale_, origin_);
    update();
}

void GraphCanvas::fit() {
    if (scene_) fitRect(QRectF(0, 0, scene_->width, scene_->height), mostFitted);
}

void GraphCanvas::fitSelection() {
    if (look_.selectedBox != noIndex) fitRect(scene_->boxes[look_.selectedBox].rect(), 1.25);
    else fit();
}

void GraphCanvas::centreOn(OutlineIndex box) {
    if (!scene_ || box == noIndex) return;
    const double scale = scale_ < readableScale ? 0.9 : scale_;
    setView(scale, scene_->boxes[box].rect().center() - QPointF(width(), height()) / 2 / scale);
}

void GraphCanvas::reveal(OutlineIndex box, bool centre) {
    if (!scene_ || box == noIndex) return;
    const QRectF target = scene_->boxes[box].rect();
    const double scale = centre && scale_ < readableScale ? 0.9 : scale_;
    const QRectF visible(origin_, QSizeF(size()) / scale);
    const double keep = 40 / scale;
    if (centre) {
        if (scale == scale_ && visible.adjusted(keep, keep, -keep, -keep).contains(target))
            update();
        else setView(scale, target.center() - QPointF(width(), height()) / 2 / scale);
        return;
    }
    QPointF origin = origin_;
    if (target.left() - keep < visible.left()) origin.setX(target.left() - keep);
    else if (target.right() + keep > visible.right())
        origin.setX(std::min(target.left() - keep, target.right() + keep - visible.width()));
    if (target.top() - keep < visible.top()) origin.setY(target.top() - keep);
    else if (target.bottom() + keep > visible.bottom())
        origin.setY(std::min(target.top() - keep, target.bottom() + keep - visible.height()));
    setView(scale_, origin);
}

void GraphCanvas::setColorBy(ColorBy colorBy) {
    look_.colorBy = colorBy;
    painter_.forget();  // the boxes have other texts
    overlay_.invalidate();
    if (scene_) overlay_.arrange(overlaySubject(), scale_, origin_);
    update();
}

void GraphCanvas::setValues(LeafValuesPtr values, LeafValuesPtr weights, double most) {
    values_ = std::move(values);
    weights_ = std::move(weights);
    givenMost_ = most;
    refreshHeat();
    overlay_.invalidate();
    update();
}

void GraphCanvas::setKinds(LeafKindsPtr kinds) {
    kinds_ = std::move(kinds);
    refreshHeat();
    overlay_.invalidate();
    update();
}

void GraphCanvas::refreshKinds() {
    constexpr int none = -1, several = -2;
    look_.kinds.clear();
    if (!scene_ || !kinds_) return;
    look_.kinds.assign(scene_->boxes.size(), none);
    const std::size_t leaves = std::min(kinds_->byLeaf.size(), scene_->boxOfLeaf.size());
    for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
        const OutlineIndex box = scene_->boxOfLeaf[leaf];
        const int kind = kinds_->byLeaf[leaf];
        if (box == noIndex || kind < 0) continue;
        int& held = look_.kinds[box];
        held = held == none || held == kind ? kind : several;
    }
    for (int& kind : look_.kinds) kind = std::max(kind, none);
}

/// The most a single box has: the upper end of the gradient.
static double largest(const std::vector<float>& sums) {
    double most = 0;
    for (float v : sums) {
        if (!std::isnan(v)) most = std::max(most, static_cast<double>(v));
    }
    return most;
}

void GraphCanvas::refreshNotes() {
    look_.notes.clear();
    painter_.forget();
    if (!scene_ || !values_ || !values_->isTime) return;
    look_.notes.resize(scene_->boxes.size());
    const std::vector<OutlineIndex> slow = slowBlocks(*scene_->outline, values_->byLeaf);
    for (std::size_t group = 0; group < slow.size(); ++group)
        if (slow[group] != noIndex && scene_->boxOfGroup[group] != noIndex)
            look_.notes[scene_->boxOfGroup[group]] =
                tr("%1 is slow").arg(blockNumber(*scene_->outline, slow[group]));
}

void GraphCanvas::refreshHeat() {
    refreshKinds();
    refreshNotes();
    look_.heat.clear();
    look_.heatMost = 0;
    look_.written = values_ ? values_->written : nullptr;
    if (!scene_ || !values_) return;
    std::vector<float> sums(scene_->boxes.size(), std::numeric_limits<float>::quiet_NaN()),
        weights(weights_ ? sums.size() : 0, 0);
    const std::size_t leaves = std::min(values_->byLeaf.size(), scene_->boxOfLeaf.size());
    for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
        const OutlineIndex box = scene_->boxOfLeaf[leaf];
        if (box == noIndex || std::isnan(values_->byLeaf[leaf])) continue;
        const float weight =
            weights_ && leaf < weights_->byLeaf.size() && !std::isnan(weights_->byLeaf[leaf])
                ? weights_->byLeaf[leaf]
                : 1;
        const float value = weights_ ? values_->byLeaf[leaf] * weight : values_->byLeaf[leaf];
        sums[box] = std::isnan(sums[box]) ? value : sums[box] + value;
        if (weights_) weights[box] += weight;
    }
    for (std::size_t box = 0; box < weights.size(); ++box)
        if (!std::isnan(sums[box]) && weights[box] > 0) sums[box] /= weights[box];
    look_.heatMost = givenMost_ > 0 ? givenMost_ : largest(sums);
    for (float& v : sums) {
        if (look_.heatMost > 0) v = static_cast<float>(v / look_.heatMost);
    }
    look_.heat = std::move(sums);
}

OutlineIndex GraphCanvas::boxOf(const GraphSelection& selection) const {
    if (!scene_) return noIndex;
    if (selection.group != noIndex) return scene_->boxOfGroup[selection.group];
    return selection.leaf != noIndex ? scene_->boxOfLeaf[selection.leaf] : noIndex;
}

void GraphCanvas::refreshLook() {
    look_.selectedBox = boxOf(selection_);
    look_.selectedTensor = selection_.tensor;
    look_.others.clear();
    if (scene_ && !selection_.others.empty()) {
        look_.others.assign(scene_->boxes.size(), false);
        for (const OutlineIndex leaf : selection_.others)
            if (scene_->boxOfLeaf[leaf] != noIndex) look_.others[scene_->boxOfLeaf[leaf]] = true;
    }
    look_.matches.clear();
    look_.currentMatch = noIndex;
    if (scene_ && !matches_.empty()) {
        look_.matches.assign(scene_->boxes.size(), false);
        for (OutlineIndex leaf : matches_) {
            if (scene_->boxOfLeaf[leaf] != noIndex) look_.matches[scene_->boxOfLeaf[leaf]] = true;
        }
        if (currentMatch_ != noIndex) look_.currentMatch = scene_->boxOfLeaf[currentMatch_];
    }
    update();
}

void GraphCanvas::setSelection(const GraphSelection& selection) {
    selection_ = selection;
    refreshLook();
    announce();
}

void GraphCanvas::setMatches(std::vector<OutlineIndex> leaves, OutlineIndex current) {
    matches_ = std::move(leaves);
    currentMatch_ = current;
    refreshLook();
}

void GraphCanvas::choose(const GraphSelection& selection) {
    if (selection == selection_) return;
    setSelection(selection);
    emit selectionChanged(selection_);
}

GraphSelection GraphCanvas::selectionAt(OutlineIndex box) const {
    GraphSelection selection;
    if (box == noIndex) return selection;
    const SceneBox& b = scene_->boxes[box];
    if (b.leaf != noIndex) selection.leaf = b.leaf;  // a control-flow group is selected as its node
    else selection.group = b.group;
    return selection;
}

void GraphCanvas::announce() {
    if (!scene_) return;
    const QString text =
        !selection_.others.empty()     ? tr("Selected nodes: %1.").arg(selection_.others.size() + 1)
        : look_.selectedBox != noIndex ? describe(look_.selectedBox)
        : selection_.tensor != noIndex
            ? describeTensor(selection_.tensor)
            : tr("Nothing selected; %1.").arg(nodeCountText(scene_->outline->groups()[0].nodes));
    setAccessibleDescription(QString(text).replace(u'\n', u' '));
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

void GraphCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    look_.hasKeyboard = hasFocus();
    paintSeen(painter, palette());
    if (!scene_) return;
    paintBand(painter);
    paintWire(painter);
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(QPen(themeColors(palette()).accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(0.5, 0.5, width() - 1, height() - 1));
    }
}

void GraphCanvas::paintSeen(QPainter& painter, const QPalette& colors) {
    painter.fillRect(rect(), themeColors(colors).canvas);
    if (!scene_) return;
    painter.save();
    painter.scale(scale_, scale_);
    painter.translate(-origin_);
    if (ghost_) {
        ghostLook_.colorBy = look_.colorBy;
        ghostPainter_.paint(painter, *ghost_, ghostLook_, colors, visibleArea(), scale_);
    }
    painter_.paint(painter, *scene_, look_, colors, visibleArea(), scale_);
    painter.restore();
    paintGroupNames(painter, groupNames(), look_, colors, font());
    paintOverlay(painter, colors);
    paintPins(painter, colors);
}

/// The overlay keeps its map and legend in the colours of the widget.
void GraphCanvas::paintOverlay(QPainter& painter, const QPalette& colors) {
    const bool isOther = isDark(colors) != isDark(palette());
    if (isOther) overlay_.invalidate();
    OverlaySubject subject = overlaySubject();
    subject.palette = colors;
    overlay_.paint(painter, subject, visibleArea());
    if (isOther) overlay_.invalidate();
}

std::vector<GroupName> GraphCanvas::groupNames() const {
    return scene_ ? placeGroupNames(*scene_, look_, scale_, origin_, size(), font())
                  : std::vector<GroupName>();
}

void GraphCanvas::paintPins(QPainter& painter, const QPalette& colors) const {
    constexpr std::size_t mostOthers = 2000;
    if (look_.pins.empty()) return;
    std::vector<std::uint32_t> near;
    scene_->boxGrid.find(visibleArea(), near);
    if (near.size() > mostOthers) near.resize(mostOthers);
    const auto onWidget = [&](OutlineIndex box) {
        const QRectF r = scene_->boxes[box].rect();
        return QRectF(fromScene(r.topLeft()), r.size() * scale_);
    };
    for (const ScenePin& pin : look_.pins) {
        std::vector<QRectF> others{overlay_.mapRect(overlaySubject(), visibleArea()),
                                   overlay_.legendRect(overlaySubject())};
        for (const std::uint32_t i : near)
            if (!scene_->boxes[i].open && i != pin.box) others.push_back(onWidget(i));
        paintPin(painter, pin.text, onWidget(pin.box), colors, font(), size(), others);
    }
}

void GraphCanvas::resizeEvent(QResizeEvent*) {
    if (!viewChosen_) firstView();
    else arrangeOverlay();
}

void GraphCanvas::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) {
        overlay_.invalidate();
        update();
    }
    if (event->type() == QEvent::FontChange) {
        painter_.forget();
        ghostPainter_.forget();
        update();
    }
    QWidget::changeEvent(event);
}

}  // namespace lapidary::views
