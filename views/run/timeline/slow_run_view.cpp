// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/timeline/slow_run_view.h"

#include <QAccessible>
#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

#include "models/rows_model.h"
#include "run/verdict_text.h"
#include "widgets/plot/picture_export.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr double closest_ns_per_pixel = 0.05;
constexpr qsizetype longest_kernel_name = 60;  // characters in the headline

/// "+12 µs", "−3 µs"
QString signedTime(std::int64_t ns) {
    return (ns < 0 ? QChar(0x2212) : QLatin1Char('+')) + formatNanoseconds(std::abs(ns));
}

}  // namespace

SlowRunView::SlowRunView(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("slowRunView"));
    setAccessibleName(tr("The slowest run over a typical one"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    installPictureMenu(*this, QStringLiteral("slowest-run"));
}

void SlowRunView::setDigest(RunDigestPtr digest) {
    digest_ = std::move(digest);
    current_ = hover_ = -1;
    colors_.clear();
    setAccessibleDescription(headline());
    fitAll();
}

void SlowRunView::setFocusedNode(NodeId node) {
    if (focused_ == node) return;
    focused_ = node;
    update();
}

const Span& SlowRunView::recordOf(std::size_t kernel) const {
    return profile().kernels[pair()->kernels[kernel].any()];
}

QString SlowRunView::headline() const {
    if (!digest_) return {};
    if (!pair()) return tr("It takes two recorded runs to compare a slow one with a typical one.");
    const RunPair& two = *pair();
    QString text = tr("Run %1 took %2, %3 longer than run %4, a typical one (%5)")
                       .arg(two.slowestRun + 1)
                       .arg(formatNanoseconds(two.slowestNs), formatNanoseconds(two.lostNs()))
                       .arg(two.typicalRun + 1)
                       .arg(formatNanoseconds(two.typicalNs));
    QStringList where;
    for (std::size_t i = 0; i < std::min<std::size_t>(2, two.marks.size()); ++i) {
        const PairedKernel& kernel = two.kernels[two.marks[i]];
        const Span& span = recordOf(two.marks[i]);
        where << tr("%1 in %2 %3")
                     .arg(signedTime(kernel.lostNs), operatorWords(profile().op(span)),
                          labelText(profile().name(span), longest_kernel_name));
    }
    if (std::abs(two.betweenNs) * 20 >= two.lostNs())
        where << tr("%1 between kernels").arg(signedTime(two.betweenNs));
    if (where.isEmpty()) return tr("%1; the loss is spread over all kernels.").arg(text);
    return QStringLiteral("%1: %2.").arg(text, where.join(QStringLiteral(", ")));
}

QString SlowRunView::sentenceOf(std::size_t kernel) const {
    const PairedKernel& of = pair()->kernels[kernel];
    const Span& span = recordOf(kernel);
    const auto lengthOf = [&](std::size_t at) {
        return at == PairedKernel::none ? QStringLiteral("–")
                                        : formatNanoseconds(profile().kernels[at].duration_ns());
    };
    return tr("%1 · %2: typically %3, in the slowest run %4 (%5)")
        .arg(labelText(profile().name(span)), operatorWords(profile().op(span)),
             lengthOf(of.typical), lengthOf(of.slowest), signedTime(of.lostNs));
}

int SlowRunView::gutter() const {
    int widest = 0;
    for (const QString& text : {tr("typical"), tr("slowest"), tr("Time")})
        widest = std::max(widest, fontMetrics().horizontalAdvance(text));
    return widest + 24;
}

SlowRunView::Rows SlowRunView::rows() const {
    const int line = fontMetrics().height();
    Rows rows;
    rows.height = line + 8;
    const int top = line + 12;  // the headline
    rows.ruler = top;
    rows.typical = top + line + 8;
    const int room = height() - rows.typical - 3 * line - 2 * rows.height;
    rows.slowest = rows.typical + rows.height + std::clamp(room, line, 4 * line);
    rows.marks = rows.slowest + rows.height;
    return rows;
}

QSize SlowRunView::minimumSizeHint() const {
    const int line = fontMetrics().height();
    return {240, 7 * line + 2 * (line + 8)};
}

double SlowRunView::wholeNs() const {
    return pair() ? double(std::max(pair()->slowestNs, pair()->typicalNs)) : 1;
}

void SlowRunView::fitAll() {
    isFitted_ = true;
    begin_ = -0.01 * wholeNs();
    nsPerPixel_ = wholeNs() * 1.02 / plotWidth();
    update();
}

void SlowRunView::setView(double begin, double nsPerPixel) {
    const double widest = wholeNs() * 1.02 / plotWidth();
    nsPerPixel_ = std::clamp(nsPerPixel, std::min(closest_ns_per_pixel, widest), widest);
    isFitted_ = nsPerPixel_ == widest;
    const double shown = nsPerPixel_ * plotWidth(), low = -0.01 * wholeNs();
    begin_ = std::clamp(begin, low, std::max(low, 1.01 * wholeNs() - shown));
    update();
}

void SlowRunView::zoom(double factor, double x) {
    if (!pair()) return;
    const double fixed = begin_ + (x - gutter()) * nsPerPixel_;
    setView(begin_, nsPerPixel_ * factor);
    setView(fixed - (x - gutter()) * nsPerPixel_, nsPerPixel_);
}

void SlowRunView::resizeEvent(QResizeEvent*) {
    if (isFitted_) fitAll();
    else setView(begin_, nsPerPixel_);
}

std::ptrdiff_t SlowRunView::kernelAt(const QPointF& at) const {
    if (!pair() || at.x() < gutter()) return -1;
    const Rows place = rows();
    const double time = begin_ + (at.x() - gutter()) * nsPerPixel_, slack = 2 * nsPerPixel_;
    const auto in = [&](const TimelineLane& lane) {
        const std::ptrdiff_t span = spanAt(lane, time, slack);
        return span < 0 ? std::ptrdiff_t(-1) : std::ptrdiff_t(lane[std::size_t(span)].index);
    };
    if (at.y() >= place.typical && at.y() < place.typical + place.height)
        return in(pair()->typical);
    if (at.y() >= place.slowest) return in(pair()->slowest);
    return -1;
}

void SlowRunView::makeCurrent(std::ptrdiff_t kernel) {
    if (!pair() || kernel < 0 || kernel >= std::ptrdiff_t(pair()->kernels.size())) return;
    current_ = kernel;
    const QString sentence = sentenceOf(std::size_t(kernel));
    setAccessibleDescription(sentence);
    QAccessibleEvent spoken(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&spoken);
    update();
    emit hovered(sentence);
    if (const NodeId node = recordOf(std::size_t(kernel)).node) emit nodePicked(node);
}

void SlowRunView::wheelEvent(QWheelEvent* event) {
    const QPoint turn = event->angleDelta();
    if (event->modifiers() & Qt::ShiftModifier)
        setView(begin_ - (turn.y() + turn.x()) * nsPerPixel_, nsPerPixel_);
    else zoom(std::pow(0.5, turn.y() / 240.0), event->position().x());
    event->accept();
}

void SlowRunView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    pressedAt_ = event->position();
    pressedBegin_ = begin_;
    isDragged_ = false;
}

void SlowRunView::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) {
        const double moved = event->position().x() - pressedAt_.x();
        isDragged_ = isDragged_ || std::abs(moved) > QApplication::startDragDistance();
        if (isDragged_) setView(pressedBegin_ - moved * nsPerPixel_, nsPerPixel_);
        return;
    }
    const std::ptrdiff_t kernel = kernelAt(event->position());
    if (kernel == hover_) return;
    hover_ = kernel;
    setCursor(kernel >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
    emit hovered(kernel >= 0 ? sentenceOf(std::size_t(kernel)) : QString());
}

void SlowRunView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && !isDragged_) makeCurrent(kernelAt(event->position()));
}

void SlowRunView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const std::ptrdiff_t kernel = kernelAt(event->position()); kernel >= 0)
        if (const NodeId node = recordOf(std::size_t(kernel)).node) emit nodeActivated(node);
}

void SlowRunView::keyPressEvent(QKeyEvent* event) {
    const auto walk = [this](int by) {
        if (!pair() || pair()->marks.empty()) return;
        const auto& marks = pair()->marks;
        const auto at = std::ranges::find(marks, std::size_t(current_));
        const std::ptrdiff_t next = at == marks.end() ? 0 : (at - marks.begin()) + by;
        makeCurrent(std::ptrdiff_t(
            marks[std::size_t(std::clamp<std::ptrdiff_t>(next, 0, std::ssize(marks) - 1))]));
    };
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Up: return walk(-1);
    case Qt::Key_Right:
    case Qt::Key_Down: return walk(1);
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoomIn();
    case Qt::Key_Minus: return zoomOut();
    case Qt::Key_Home: return fitAll();
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (current_ >= 0)
            if (const NodeId node = recordOf(std::size_t(current_)).node) emit nodeActivated(node);
        return;
    default: QWidget::keyPressEvent(event);
    }
}

bool SlowRunView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const std::ptrdiff_t kernel = kernelAt(help->pos());
        if (kernel >= 0)
            QToolTip::showText(help->globalPos(), plainToolTip(sentenceOf(std::size_t(kernel))),
                               this);
        else QToolTip::hideText();
        return true;
    }
    if (event->type() == QEvent::PaletteChange) colors_.clear();
    if (event->type() == QEvent::Leave && hover_ >= 0) {
        hover_ = -1;
        update();
        emit hovered({});
    }
    return QWidget::event(event);
}

}  // namespace lapidary::views
