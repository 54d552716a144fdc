// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/nodes/icicle_view.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <cmath>

#include "canvas/graph_look.h"
#include "models/rows_model.h"
#include "theme/theme.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int margin = 8;
constexpr int least_label_width = 24;

}  // namespace

IcicleView::IcicleView(QWidget* parent) : QAbstractScrollArea(parent) {
    setObjectName(QStringLiteral("icicleView"));
    setAccessibleName(tr("Time by scope"));
    setAccessibleDescription(
        tr("Arrow keys walk, Return zooms into a scope or shows a node in the graph, Backspace "
           "zooms out. The table "
           "lists the same figures."));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
}

void IcicleView::setTree(Tree tree) {
    tree_ = std::move(tree);
    zoomed_ = 0;
    current_ = hover_ = -1;
    updateScrollBar();
    viewport()->update();
    emit zoomChanged();
}

int IcicleView::rowHeight() const { return fontMetrics().height() + 8; }

void IcicleView::updateScrollBar() {
    const int rows = tree_ ? tree_->depth - tree_->nodes[std::size_t(zoomed_)].depth + 1 : 0;
    verticalScrollBar()->setRange(0,
                                  qMax(0, rows * rowHeight() + 2 * margin - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(rowHeight());
}

QRect IcicleView::rectOf(int index) const {
    if (!tree_ || index < 0) return {};
    const ScopeNode &node = tree_->nodes[std::size_t(index)],
                    &whole = tree_->nodes[std::size_t(zoomed_)];
    if (whole.ms <= 0 || !isWithin(index, zoomed_)) return {};
    const double width = viewport()->width() - 2 * margin;
    const double left = (node.beginMs - whole.beginMs) / whole.ms * width,
                 right = (node.beginMs + node.ms - whole.beginMs) / whole.ms * width;
    const int x = margin + int(std::floor(left)), end = margin + int(std::floor(right));
    return {x, margin + (node.depth - whole.depth) * rowHeight() - verticalScrollBar()->value(),
            qMax(1, end - x), rowHeight() - 1};
}

bool IcicleView::isWithin(int index, int scope) const {
    while (index >= 0 && index != scope) index = tree_->nodes[std::size_t(index)].parent;
    return index == scope;
}

int IcicleView::partAt(const QPoint& at) const {
    if (!tree_ || tree_->nodes[std::size_t(zoomed_)].ms <= 0) return -1;
    int index = zoomed_;
    while (index >= 0) {
        const QRect rect = rectOf(index);
        if (at.x() < rect.left() || at.x() > rect.right()) return -1;
        if (at.y() >= rect.top() && at.y() <= rect.bottom()) return index;
        if (at.y() < rect.top()) return -1;
        int child = tree_->nodes[std::size_t(index)].firstChild, found = -1;
        for (; child >= 0; child = tree_->nodes[std::size_t(child)].nextSibling) {
            const QRect part = rectOf(child);
            if (at.x() >= part.left() && at.x() <= part.right()) {
                found = child;  // of those that share a pixel the first, which is the slowest
                break;
            }
            if (part.left() > at.x()) break;
        }
        index = found;
    }
    return -1;
}

QString IcicleView::sentenceOf(int index) const {
    if (!tree_ || index < 0) return {};
    const ScopeNode &node = tree_->nodes[std::size_t(index)], &all = tree_->nodes[0];
    const QString share = formatPercent(all.ms > 0 ? node.ms / all.ms : 0);
    if (node.isLeaf)
        return tr("%1 · %2: %3, %4 of the time in kernels")
            .arg(labelText(node.path), withoutDomain(labelText(node.op)),
                 formatMilliseconds(node.ms), share);
    const QString name = index == 0 ? tr("All nodes") : labelText(node.path);
    return tr("%1: %2, %3 of the time in kernels; nodes: %4")
        .arg(name, formatMilliseconds(node.ms), share, formatCount(node.leaves));
}

void IcicleView::zoomTo(int scope) {
    if (!tree_ || scope < 0 || scope == zoomed_ || tree_->nodes[std::size_t(scope)].isLeaf) return;
    zoomed_ = scope;
    verticalScrollBar()->setValue(0);
    updateScrollBar();
    viewport()->update();
    emit zoomChanged();
}

void IcicleView::zoomOut() {
    if (tree_) zoomTo(tree_->nodes[std::size_t(zoomed_)].parent);
}

void IcicleView::setFocusedNode(NodeId node) {
    if (!tree_) return;
    int found = -1;
    for (std::size_t i = 0; node && i < tree_->nodes.size() && found < 0; ++i)
        if (tree_->nodes[i].isLeaf && tree_->nodes[i].node == node) found = int(i);
    // a scope stays current
    if (found < 0 && current_ >= 0 && !tree_->nodes[std::size_t(current_)].isLeaf) return;
    if (found == current_) return;
    current_ = found;
    viewport()->update();
}

void IcicleView::makeCurrent(int index) {
    if (!tree_ || index < 0) return;
    current_ = index;
    if (!isWithin(index, zoomed_)) zoomTo(qMax(0, tree_->nodes[std::size_t(index)].parent));
    const QRect rect = rectOf(index);
    if (rect.top() < 0) verticalScrollBar()->setValue(verticalScrollBar()->value() + rect.top());
    if (rect.bottom() > viewport()->height())
        verticalScrollBar()->setValue(verticalScrollBar()->value() + rect.bottom() -
                                      viewport()->height() + margin);
    const QString sentence = sentenceOf(index);
    setAccessibleDescription(sentence);
    QAccessibleEvent spoken(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&spoken);
    viewport()->update();
    emit hovered(sentence);
    if (const ScopeNode& node = tree_->nodes[std::size_t(index)]; node.isLeaf && node.node)
        emit nodePicked(node.node);
}

void IcicleView::activate(int index) {
    if (!tree_ || index < 0) return;
    const ScopeNode& node = tree_->nodes[std::size_t(index)];
    if (!node.isLeaf) index == zoomed_ ? zoomOut() : zoomTo(index);
    else if (node.node) emit nodeActivated(node.node);
}

QColor IcicleView::colorOf(const ScopeNode& node) const {
    if (node.isLeaf) return operatorColor(labelText(node.op), palette());
    const double share = tree_->nodes[0].ms > 0 ? node.ms / tree_->nodes[0].ms : 0;
    return heatColor(0.15 + 0.6 * share, palette());
}

void IcicleView::paintPart(QPainter& painter, int index) const {
    const ScopeNode& node = tree_->nodes[std::size_t(index)];
    const QRect rect = rectOf(index);
    if (rect.bottom() >= 0 && rect.top() <= viewport()->height()) {
        const QColor color = colorOf(node);
        painter.fillRect(rect.width() > 3 ? rect.adjusted(0, 0, -1, 0) : rect, color);
        if (index == current_ || index == hover_) {
            painter.setPen(QPen(palette().color(QPalette::Text), index == current_ ? 2 : 1));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(rect.adjusted(1, 1, -2, -1));
        }
        if (rect.width() >= least_label_width) {
            painter.setPen(readableOn(color));
            const QString label = index == 0 ? tr("All nodes · %1").arg(formatMilliseconds(node.ms))
                                             : labelText(node.label);
            const QRect words = rect.adjusted(5, 0, -4, 0);
            painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                             fontMetrics().elidedText(label, Qt::ElideRight, words.width()));
        }
    }
    int lastPixel = -1;  // of parts that share a pixel one is enough
    for (int child = node.firstChild; child >= 0;
         child = tree_->nodes[std::size_t(child)].nextSibling) {
        const QRect part = rectOf(child);
        if (part.width() == 1 && part.left() == lastPixel) continue;
        lastPixel = part.left();
        paintPart(painter, child);
    }
}

void IcicleView::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    const ThemeColors& colors = themeColors(palette());
    painter.fillRect(viewport()->rect(), colors.canvas);
    if (!tree_ || tree_->nodes[0].ms <= 0) {
        painter.setPen(colors.mutedText);
        painter.drawText(viewport()->rect(), Qt::AlignCenter,
                         tr("No kernel ran in the selected range."));
        return;
    }
    paintPart(painter, zoomed_);
}

void IcicleView::resizeEvent(QResizeEvent*) { updateScrollBar(); }

void IcicleView::mouseMoveEvent(QMouseEvent* event) {
    const int part = partAt(event->pos());
    if (part == hover_) return;
    hover_ = part;
    viewport()->setCursor(part >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    viewport()->update();
    emit hovered(sentenceOf(part));
}

void IcicleView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) makeCurrent(partAt(event->pos()));
}

void IcicleView::mouseDoubleClickEvent(QMouseEvent* event) { activate(partAt(event->pos())); }

void IcicleView::keyPressEvent(QKeyEvent* event) {
    if (!tree_) return QAbstractScrollArea::keyPressEvent(event);
    const auto at = [this](int index) -> const ScopeNode& {
        return tree_->nodes[std::size_t(index)];
    };
    switch (event->key()) {
    case Qt::Key_Left: return makeCurrent(current_ < 0 ? zoomed_ : at(current_).previousSibling);
    case Qt::Key_Right: return makeCurrent(current_ < 0 ? zoomed_ : at(current_).nextSibling);
    case Qt::Key_Up: return makeCurrent(current_ < 0 ? zoomed_ : at(current_).parent);
    case Qt::Key_Down: return makeCurrent(current_ < 0 ? zoomed_ : at(current_).firstChild);
    case Qt::Key_Return:
    case Qt::Key_Enter: return activate(current_);
    case Qt::Key_Backspace: return zoomOut();
    case Qt::Key_Home: return zoomTo(0);
    case Qt::Key_Escape:
        if (zoomed_ == 0) break;
        return zoomTo(0);
    default: break;
    }
    QAbstractScrollArea::keyPressEvent(event);
}

bool IcicleView::event(QEvent* event) {
    // Escape shows everything again also while something runs that it would cancel.
    if (event->type() == QEvent::ShortcutOverride && tree_ && zoomed_ != 0 &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape)
        event->accept();
    return QAbstractScrollArea::event(event);
}

bool IcicleView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int part = partAt(help->pos());
        if (part >= 0)
            QToolTip::showText(help->globalPos(), plainToolTip(sentenceOf(part)), viewport());
        else QToolTip::hideText();
        return true;
    }
    if (event->type() == QEvent::Leave && hover_ >= 0) {
        hover_ = -1;
        viewport()->update();
        emit hovered({});
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void IcicleView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange) updateScrollBar();
    if (event->type() == QEvent::PaletteChange) viewport()->update();
    QAbstractScrollArea::changeEvent(event);
}

}  // namespace lapidary::views
