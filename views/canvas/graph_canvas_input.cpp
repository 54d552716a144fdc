// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse, keyboard and tool tips of the canvas.
#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <limits>

#include "canvas/graph_canvas.h"
#include "models/rows_model.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

double distance(const QPointF& p, const LayoutPoint& a, const LayoutPoint& b) {
    const QPointF ab(b.x - a.x, b.y - a.y), ap(p.x() - a.x, p.y() - a.y);
    const double length = QPointF::dotProduct(ab, ab);
    const double t = length > 0 ? std::clamp(QPointF::dotProduct(ap, ab) / length, 0.0, 1.0) : 0;
    const QPointF d = ap - t * ab;
    return std::sqrt(QPointF::dotProduct(d, d));
}

}  // namespace

OutlineIndex GraphCanvas::boxAt(const QPointF& at) const {
    if (!scene_) return noIndex;
    const QPointF p = toScene(at);
    return scene_->boxAt(static_cast<float>(p.x()), static_cast<float>(p.y()));
}

OutlineIndex GraphCanvas::tensorAt(const QPointF& at) const {
    if (!scene_ || scale_ < 0.14) return noIndex;
    const QPointF p = toScene(at);
    const double reach = 5 / scale_;
    std::vector<std::uint32_t> found;
    scene_->pieceGrid.find(QRectF(p.x() - reach, p.y() - reach, 2 * reach, 2 * reach), found);
    double nearest = reach;
    OutlineIndex best = noIndex;
    for (std::uint32_t i : found) {
        const auto points = scene_->pointsOf(scene_->pieces[i]);
        for (std::size_t k = 1; k < points.size(); ++k) {
            const double d = distance(p, points[k - 1], points[k]);
            if (d < nearest) {
                nearest = d;
                best = scene_->lines[scene_->pieces[i].line].tensor;
            }
        }
    }
    return best;
}

bool GraphCanvas::onToggle(OutlineIndex box, const QPointF& at) const {
    if (box == noIndex || !scene_->isGroup(scene_->boxes[box])) return false;
    const SceneBox& b = scene_->boxes[box];
    const QPointF p = toScene(at);
    const QRectF sign =
        b.open ? QRectF(b.x + 4, b.y + 4, 22, 22) : QRectF(b.x + b.width - 26, b.y + 2, 24, 24);
    return sign.contains(p) && sign.width() * scale_ > 8;
}

bool GraphCanvas::jumpStub(const QPointF& at) {
    if (!scene_ || scale_ < 0.5) return false;
    const QPointF p = toScene(at);
    for (const SceneStub& stub : scene_->stubs) {
        if (!QRectF(stub.tip.x - 6, stub.tip.y - 12, 118, 24).contains(p)) continue;
        emit jumping();
        choose(selectionAt(stub.other));
        reveal(stub.other, true);
        return true;
    }
    return false;
}

/// Brings a group that a double click opened into the middle; of one that has no room at a readable
/// scale the beginning.
void GraphCanvas::showEntered(OutlineIndex group) {
    const QRectF area = scene_->boxes[scene_->boxOfGroup[group]].rect();
    const QSizeF room(width() - 2 * sceneBorder, height() - 2 * sceneBorder);
    const double fitting = std::min(room.width() / area.width(), room.height() / area.height());
    const double scale = std::clamp(fitting, std::min(scale_, readableScale), scale_);
    QPointF origin = area.center() - QPointF(width(), height()) / 2 / scale;
    if (area.width() * scale > room.width()) origin.setX(area.left() - sceneBorder / scale);
    if (area.height() * scale > room.height()) origin.setY(area.top() - sceneBorder / scale);
    setView(scale, origin);
    arrangeOverlay();
}

void GraphCanvas::wheelEvent(QWheelEvent* event) {
    const QPoint pixels = event->pixelDelta(), angle = event->angleDelta();
    // touch pads scroll
    if (!pixels.isNull() && !event->modifiers().testFlag(Qt::ControlModifier)) {
        moveTo(origin_ - QPointF(pixels) / scale_);
    } else if (event->modifiers().testFlag(Qt::ShiftModifier)) {
        moveTo(origin_ - QPointF(angle.y() + angle.x(), 0) * 0.6 / scale_);
    } else {
        zoomBy(std::pow(1.0015, angle.y() != 0 ? angle.y() : angle.x()), event->position());
    }
    event->accept();
}

/// Handles a click on the overlay. False if there is none at this point.
bool GraphCanvas::pressOverlay(const QPointF& at) {
    const OverlaySubject subject = overlaySubject();
    switch (overlay_.partAt(subject, visibleArea(), at)) {
    case CanvasOverlay::Part::none: return false;
    case CanvasOverlay::Part::legend: break;
    case CanvasOverlay::Part::legendFold: setLegendFolded(!overlay_.isLegendFolded()); break;
    case CanvasOverlay::Part::mapFold: setMapFolded(!overlay_.isMapFolded()); break;
    case CanvasOverlay::Part::map:
        emit jumping();
        drag_ = Drag::Map;
        moveTo(overlay_.sceneAt(*scene_, overlay_.mapRect(subject, visibleArea()), at) -
               QPointF(width(), height()) / 2 / scale_);
    }
    return true;
}

void GraphCanvas::addOverlayActions(QMenu& menu) {
    const OverlaySubject subject = overlaySubject();
    const auto add = [&](const QString& text, bool shown, void (GraphCanvas::*fold)(bool)) {
        QAction* action = menu.addAction(text);
        action->setCheckable(true);
        action->setChecked(shown);
        connect(action, &QAction::triggered, this, [this, fold](bool on) { (this->*fold)(!on); });
    };
    if (!overlay_.legendRect(subject).isEmpty())
        add(tr("Legend of the colours"), !overlay_.isLegendFolded(), &GraphCanvas::setLegendFolded);
    if (!overlay_.mapRect(subject, visibleArea()).isEmpty())
        add(tr("Map of the drawing"), !overlay_.isMapFolded(), &GraphCanvas::setMapFolded);
}

void GraphCanvas::mousePressEvent(QMouseEvent* event) {
    QToolTip::hideText();
    if (!scene_) return;
    dragStart_ = event->position();
    dragOrigin_ = origin_;
    if (event->button() == Qt::LeftButton && pressOverlay(event->position())) return;
    if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && spaceHeld_)) {
        drag_ = Drag::Pan;
        setCursor(Qt::ClosedHandCursor);
    } else if (event->button() == Qt::LeftButton) {
        drag_ = Drag::Maybe;
        extends_ = event->modifiers().testFlag(Qt::ShiftModifier);
        wire_ = extends_ ? noIndex : arrowAt(event->position());
    }
}

void GraphCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (!scene_) return;
    const QPointF moved = event->position() - dragStart_;
    if (drag_ == Drag::Maybe && moved.manhattanLength() >= QApplication::startDragDistance()) {
        drag_ = extends_ ? Drag::Band : wire_ != noIndex ? Drag::Wire : Drag::Pan;
        setCursor(drag_ == Drag::Pan ? Qt::ClosedHandCursor : Qt::CrossCursor);
    }
    if (drag_ == Drag::Band || drag_ == Drag::Wire) {
        dragEnd_ = event->position();
        look_.hoverBox = drag_ == Drag::Wire ? boxAt(dragEnd_) : noIndex;
        update();
    }
    if (drag_ == Drag::Pan) moveTo(dragOrigin_ - moved / scale_);
    if (drag_ == Drag::Map) {
        const QRectF map = overlay_.mapRect(overlaySubject(), visibleArea());
        if (!map.isEmpty())
            moveTo(overlay_.sceneAt(*scene_, map, event->position()) -
                   QPointF(width(), height()) / 2 / scale_);
    }
    if (drag_ != Drag::None) return;
    using Part = CanvasOverlay::Part;
    const Part part = overlay_.partAt(overlaySubject(), visibleArea(), event->position());
    const OutlineIndex hover = part == Part::none ? boxAt(event->position()) : noIndex;
    if (hover != look_.hoverBox) {
        look_.hoverBox = hover;
        update();
    }
    const bool pressable =
        part == Part::mapFold || part == Part::legendFold || onToggle(hover, event->position());
    setCursor(pressable                               ? Qt::PointingHandCursor
              : arrowAt(event->position()) != noIndex ? Qt::CrossCursor
              : spaceHeld_                            ? Qt::OpenHandCursor
                                                      : Qt::ArrowCursor);
}

void GraphCanvas::mouseReleaseEvent(QMouseEvent* event) {
    const Drag was = std::exchange(drag_, Drag::None);
    unsetCursor();
    if (was == Drag::Band && scene_) {
        dragEnd_ = event->position();
        return selectWithin(QRectF(toScene(dragStart_), toScene(dragEnd_)).normalized());
    }
    if (was == Drag::Wire && scene_) return dropWire(event->position());
    if (was != Drag::Maybe || event->button() != Qt::LeftButton || !scene_) return;
    if (extends_) return switchSelected(boxAt(event->position()));
    if (jumpStub(event->position())) return;
    const OutlineIndex box = boxAt(event->position());
    if (onToggle(box, event->position())) {
        emit groupToggled(scene_->boxes[box].group);
        return;
    }
    // lines over the empty part of an open group can be chosen too
    const bool solid = box != noIndex && !scene_->boxes[box].open;
    const OutlineIndex tensor = solid ? noIndex : tensorAt(event->position());
    if (tensor != noIndex) choose({noIndex, noIndex, tensor});
    else choose(selectionAt(box));
}

void GraphCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (!scene_ || event->button() != Qt::LeftButton) return;
    const OutlineIndex box = boxAt(event->position());
    if (box == noIndex) return;
    if (scene_->isGroup(scene_->boxes[box])) {
        entered_ = scene_->boxes[box].group;
        emit groupToggled(entered_);
    } else {
        emit jumping();
        reveal(box, true);
    }
}

void GraphCanvas::leaveEvent(QEvent*) {
    look_.hoverBox = noIndex;
    update();
}

bool GraphCanvas::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && scene_) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const OutlineIndex box = boxAt(help->pos());
        const bool solid = box != noIndex && !scene_->boxes[box].open;
        const OutlineIndex tensor = solid ? noIndex : tensorAt(help->pos());
        const QString text = tensor != noIndex ? describeTensor(tensor)
                             : box != noIndex  ? describe(box)
                                               : QString();
        if (text.isEmpty()) QToolTip::hideText();
        else QToolTip::showText(help->globalPos(), plainToolTip(text), this);
        return true;
    }
    // the canvas handles these keys while it has the keyboard focus
    if (event->type() == QEvent::ShortcutOverride) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const bool isDrawing = drag_ == Drag::Band || drag_ == Drag::Wire;
        // Escape leaves the selection also while something runs that it would cancel.
        if ((key == Qt::Key_Escape && (!selection_.isEmpty() || isDrawing)) || key == Qt::Key_F ||
            key == Qt::Key_Space || key == Qt::Key_Plus || key == Qt::Key_Minus ||
            key == Qt::Key_0) {
            if (!(static_cast<QKeyEvent*>(event)->modifiers() &
                  (Qt::ControlModifier | Qt::AltModifier)))
                event->accept();
        }
    }
    return QWidget::event(event);
}

/// The first or last card along the direction of the drawing.
OutlineIndex GraphCanvas::outermost(bool first) const {
    const bool down = scene_->options.direction == LayoutDirection::down;
    OutlineIndex best = noIndex;
    for (OutlineIndex i = 0; i < scene_->boxes.size(); ++i) {
        if (scene_->boxes[i].open) continue;
        const auto along = [&](OutlineIndex b) {
            return down ? scene_->boxes[b].y : scene_->boxes[b].x;
        };
        if (best == noIndex || (first ? along(i) < along(best) : along(i) > along(best))) best = i;
    }
    return best;
}

/// Handles keys that act alike with any modifier. False if it is another key.
bool GraphCanvas::pressNavigationKey(int key) {
    switch (key) {
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoomIn(); break;
    case Qt::Key_Minus: zoomOut(); break;
    case Qt::Key_0: resetZoom(); break;
    case Qt::Key_Home:
    case Qt::Key_End: {
        const OutlineIndex best = outermost(key == Qt::Key_Home);
        emit jumping();
        choose(selectionAt(best));
        reveal(best);
        break;
    }
    case Qt::Key_Return:
    case Qt::Key_Enter: toggleSelected(); break;
    case Qt::Key_PageUp: moveTo(origin_ - QPointF(0, height() * 0.8 / scale_)); break;
    case Qt::Key_PageDown: moveTo(origin_ + QPointF(0, height() * 0.8 / scale_)); break;
    default: return false;
    }
    return true;
}

void GraphCanvas::keyPressEvent(QKeyEvent* event) {
    if (!scene_) return QWidget::keyPressEvent(event);
    if (pressNavigationKey(event->key())) return;
    const Qt::KeyboardModifiers held = event->modifiers();
    switch (event->key()) {
    case Qt::Key_F:
        if (held & Qt::ControlModifier) break;
        emit jumping();
        if (held & Qt::ShiftModifier) fitSelection();
        else fit();
        return;
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (held & (Qt::AltModifier | Qt::MetaModifier)) break;
        step(event->key(), held & Qt::ShiftModifier);
        return;
    case Qt::Key_Escape:
        if (drag_ == Drag::Band || drag_ == Drag::Wire) {
            drag_ = Drag::None;
            unsetCursor();
            return update();
        }
        if (selection_.isEmpty()) break;
        choose({});
        return;
    case Qt::Key_Space:
        if (event->isAutoRepeat()) return;
        spaceHeld_ = true;
        setCursor(Qt::OpenHandCursor);
        return;
    default: break;
    }
    QWidget::keyPressEvent(event);
}

void GraphCanvas::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
        spaceHeld_ = false;
        unsetCursor();
        return;
    }
    QWidget::keyReleaseEvent(event);
}

void GraphCanvas::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void GraphCanvas::focusOutEvent(QFocusEvent* event) {
    spaceHeld_ = false;
    QWidget::focusOutEvent(event);
    update();
}

OutlineIndex GraphCanvas::otherEnd(OutlineIndex line, bool against) const {
    return against ? scene_->lines[line].source : scene_->lines[line].target;
}

/// Follows a tensor through the frames of open groups to the card where it ends.
OutlineIndex GraphCanvas::throughFrames(OutlineIndex box, OutlineIndex tensor, bool against) const {
    for (int frames = 0; scene_->boxes[box].open && frames < 64; ++frames) {
        const auto& onward = against ? scene_->linesIn[box] : scene_->linesOut[box];
        const auto next = std::find_if(onward.begin(), onward.end(), [&](OutlineIndex line) {
            return scene_->lines[line].tensor == tensor;
        });
        if (next == onward.end()) break;
        box = otherEnd(*next, against);
    }
    return box;
}

/// The first box that a line leads to (`against`: comes from), through the frames of open groups.
OutlineIndex GraphCanvas::neighbour(OutlineIndex box, bool against) const {
    OutlineIndex best = noIndex;
    for (OutlineIndex line : against ? scene_->linesIn[box] : scene_->linesOut[box]) {
        OutlineIndex at = otherEnd(line, against);
        // from an open group itself only outwards
        if (scene_->boxes[box].open && scene_->boxes[at].frame == box) continue;
        at = throughFrames(at, scene_->lines[line].tensor, against);
        if (at == box) continue;
        if (best == noIndex || scene_->boxes[at].x < scene_->boxes[best].x) best = at;
    }
    if (best != noIndex) return best;
    for (const SceneStub& stub : scene_->stubs) {
        if (stub.box == box && (stub.hidden > 0) != against) return stub.other;
    }
    return noIndex;
}

/// The next box beside this one, in the same frame and at about the same height.
OutlineIndex GraphCanvas::sibling(OutlineIndex box, int side) const {
    const bool down = scene_->options.direction == LayoutDirection::down;
    const QRectF self = scene_->boxes[box].rect();
    OutlineIndex best = noIndex;
    double nearest = std::numeric_limits<double>::max();
    for (OutlineIndex i = 0; i < scene_->boxes.size(); ++i) {
        if (i == box || scene_->boxes[i].frame != scene_->boxes[box].frame) continue;
        const QRectF r = scene_->boxes[i].rect();
        const bool beside = down ? r.top() <= self.center().y() && r.bottom() >= self.center().y()
                                 : r.left() <= self.center().x() && r.right() >= self.center().x();
        const double d = down ? (r.center().x() - self.center().x()) * side
                              : (r.center().y() - self.center().y()) * side;
        if (beside && d > 0 && d < nearest) {
            nearest = d;
            best = i;
        }
    }
    return best;
}

void GraphCanvas::toggleSelected() {
    if (look_.selectedBox != noIndex && scene_->isGroup(scene_->boxes[look_.selectedBox]))
        emit groupToggled(scene_->boxes[look_.selectedBox].group);
}

QString GraphCanvas::describe(OutlineIndex index) const {
    const SceneBox& box = scene_->boxes[index];
    const GraphOutline& outline = *scene_->outline;
    QString text = scene_->titleOf(box);
    if (box.group != noIndex && box.leaf == noIndex) {
        text += u'\n' + tr("Group of %1").arg(scene_->outline->countText(box.group));
        if (index < look_.notes.size() && !look_.notes[index].isEmpty())
            text += u'\n' + look_.notes[index];
    } else {
        const OutlineLeaf& leaf = outline.leaves()[box.leaf];
        if (leaf.kind == OutlineLeaf::Kind::Input) text = tr("Input %1").arg(leaf.title);
        if (leaf.kind == OutlineLeaf::Kind::Output) text = tr("Output %1").arg(leaf.title);
        if (leaf.kind == OutlineLeaf::Kind::Node) {
            const Node& node = outline.nodeOf(leaf);
            const Graph& graph = *outline.places()[leaf.place].graph;
            if (!node.name.empty()) text += u'\n' + labelText(node.name);
            auto list = [&](const QString& title, const std::vector<ValueId>& values) {
                int shown = 0;
                for (ValueId v : values) {
                    if (!v) continue;
                    if (++shown > 6) {
                        text += QStringLiteral("\n…");
                        break;
                    }
                    text += QStringLiteral("\n%1 %2  %3")
                                .arg(title, labelText(graph.value(v).name, 120),
                                     labelText(to_string(graph.value(v).type), 120));
                }
            };
            list(QStringLiteral("→"), node.inputs);
            list(QStringLiteral("⇒"), node.outputs);
        } else {
            text += u'\n' + leaf.detail;
        }
        if (box.group != noIndex)
            text += u'\n' + tr("Holds %1").arg(nodeCountText(outline.groups()[box.group].nodes));
    }
    if (index < look_.heat.size() && !std::isnan(look_.heat[index]) && values_)
        text +=
            QStringLiteral("\n%1: %2 %3")
                .arg(values_->title, QLocale().toString(look_.heat[index] * look_.heatMost, 'g', 4),
                     values_->unit);
    return text;
}

QString GraphCanvas::describeTensor(OutlineIndex tensor) const {
    const OutlineTensor& t = scene_->outline->tensors()[tensor];
    const Value& value = scene_->outline->valueOf(t);
    return QStringLiteral("%1\n%2\n%3")
        .arg(labelText(value.name), labelText(to_string(value.type), 200),
             tr("read by %1").arg(nodeCountText(t.readers.size())));
}

}  // namespace lapidary::views
