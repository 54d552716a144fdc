// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/nodes/roofline_plot.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "models/rows_model.h"
#include "run/verdict_text.h"
#include "theme/theme.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr double least_radius = 3.5, most_radius = 20;
constexpr int most_stamps = 4;  // at one place
constexpr int note_flags = Qt::AlignRight | Qt::AlignBottom | Qt::TextWordWrap;

QString shown_figure(double value) { return QLocale().toString(value, 'g', 3); }

}  // namespace

RooflinePlot::RooflinePlot(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("rooflinePlot"));
    setAccessibleName(tr("Roofline"));
    setAccessibleDescription(
        tr("Left and right walk from node to node, slowest first; Return shows the node in the "
           "graph. The node table "
           "lists the same figures."));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
}

void RooflinePlot::setDigest(RunDigestPtr digest) {
    digest_ = std::move(digest);
    nodes_ = nullptr;
    current_ = hover_ = -1;
    layOut();
}

void RooflinePlot::setNodes(std::shared_ptr<const std::vector<NodeRow>> nodes) {
    nodes_ = std::move(nodes);
    current_ = hover_ = -1;
    layOut();
    setFocusedNode(focused_);
}

void RooflinePlot::setFocusedNode(NodeId node) {
    focused_ = node;
    current_ = -1;
    for (std::size_t i = 0; node && i < dots_.size(); ++i)
        if (digest_->roofline[dots_[i].point].node == node) current_ = int(i);
    update();
}

QRectF RooflinePlot::plotArea() const {
    const QFontMetricsF metrics(font());
    const double left = metrics.horizontalAdvance(QStringLiteral("0.001")) + metrics.height() + 18;
    return QRectF(rect()).adjusted(
        left, 12, -16,
        -(2 * metrics.height() + 18) - (note_.isEmpty() ? 0 : noteArea().height() + 4));
}

QRectF RooflinePlot::noteArea() const {
    const QFontMetricsF metrics(font());
    const QRectF across = QRectF(rect()).adjusted(12, 0, -16, -6);
    const double wanted = metrics.boundingRect(across, note_flags, note_).height() + 2;
    const double most = std::max(metrics.height() + 2, across.height() / 3);
    return {across.left(), across.bottom() - std::min(wanted, most), across.width(),
            std::min(wanted, most)};
}

void RooflinePlot::layOut() {
    dots_.clear();
    roofs_.clear();
    dotsDrawn_ = {};
    note_.clear();
    hasInteger_ = false;
    update();
    if (!digest_) return;
    if (!digest_->roofs) {
        note_ = !digest_->run->machine.empty()
                    ? tr("It ran on %1, and what that machine can do at most was not measured: run "
                         "the model on this computer to see it under roofs.")
                          .arg(labelText(digest_->run->machine))
                    : tr("A trace does not say what the machine that it was recorded on can do: "
                         "run the "
                         "model here to see it "
                         "under this machine's roofs.");
        return;
    }
    std::unordered_map<NodeId, double> times;
    if (nodes_)
        for (const NodeRow& row : *nodes_)
            if (row.node) times[row.node] = row.ms;
    std::vector<double> intensities, speeds;
    double all = 0, moving = 0;
    int movers = 0;
    for (std::size_t i = 0; i < digest_->roofline.size(); ++i) {
        const RooflinePoint& p = digest_->roofline[i];
        const auto time = times.find(p.node);
        if (nodes_ && time == times.end()) continue;
        const double ms = nodes_ ? time->second : p.ms;
        all += ms;
        if (p.work.flop <= 0) {
            moving += ms;
            ++movers;
            continue;
        }
        dots_.push_back({i, {}, 0, ms});
        intensities.push_back(p.flop_per_byte);
        speeds.push_back(p.gflops);
        hasInteger_ = hasInteger_ || p.work.integer;
    }
    note_ = noteOf(movers, all > 0 ? moving / all : 0);
    if (dots_.empty()) return;
    std::stable_sort(dots_.begin(), dots_.end(),
                     [](const Dot& a, const Dot& b) { return a.ms > b.ms; });
    raiseRoofs();
    for (const Roof& roof : roofs_) {
        intensities.push_back(roof.gops / roof.gbPerS);
        speeds.push_back(roof.gops);
    }
    x_ = logAxisFor(intensities);
    y_ = logAxisFor(speeds);
    const QRectF area = plotArea();
    x_.from = area.left(), x_.to = area.right();
    y_.from = area.bottom(), y_.to = area.top();
    const double most = std::max(dots_.front().ms, 1e-12);
    for (Dot& dot : dots_) {
        const RooflinePoint& p = digest_->roofline[dot.point];
        dot.at = {x_.pixelOf(p.flop_per_byte), y_.pixelOf(p.gflops)};
        dot.radius = std::max(least_radius, most_radius * std::sqrt(dot.ms / most) *
                                                std::min(1.0, area.height() / 400));
    }
}

QString RooflinePlot::noteOf(int movers, double shareOfMovers) const {
    QStringList parts;
    if (dots_.empty())
        parts << (movers > 0 ? tr("The nodes here only move data.")
                             : tr("The work of no node is known."));
    else if (movers > 0)
        parts << tr("Nodes not drawn, as they only move data: %1 (%2 of the time).")
                     .arg(formatCount(movers), formatPercent(shareOfMovers));
    for (const DevicePeak& device : digest_->roofs->devices)
        if (!device.problem.empty())
            parts << tr("Nodes on %1 are not drawn: its roofs are not known (%2).")
                         .arg(labelText(device.provider), labelText(device.problem));
    return parts.join(u' ');
}

/// Each roof that a dot is under, once; those of the processor first.
void RooflinePlot::raiseRoofs() {
    const MachinePeak& machine = digest_->roofs->machine;
    const bool isOnDevice = std::ranges::any_of(
        dots_, [&](const Dot& dot) { return !digest_->roofline[dot.point].arithmetic.empty(); });
    const bool isOnProcessor = std::ranges::any_of(
        dots_, [&](const Dot& dot) { return digest_->roofline[dot.point].arithmetic.empty(); });
    if (isOnProcessor) {
        const QString memory =
            isOnDevice ? tr("memory of the processor: %1 GB/s") : tr("memory %1 GB/s");
        const QString floats =
            isOnDevice ? tr("float on the processor: %1 GFLOP/s") : tr("float %1 GFLOP/s");
        const QString integers =
            isOnDevice ? tr("int8 on the processor: %1 GOP/s") : tr("int8 %1 GOP/s");
        roofs_.push_back({floats.arg(shown_figure(machine.gflops)),
                          memory.arg(shown_figure(machine.gb_per_s)), machine.gflops,
                          machine.gb_per_s, false});
        if (hasInteger_ && machine.int8_gops > 0)
            roofs_.push_back({integers.arg(shown_figure(machine.int8_gops)),
                              {},
                              machine.int8_gops,
                              machine.gb_per_s,
                              true});
    }
    std::set<std::pair<std::string, std::string>> seen;
    std::set<std::string> devices;
    for (const Dot& dot : dots_) {
        const RooflinePoint& p = digest_->roofline[dot.point];
        if (p.arithmetic.empty() || !seen.emplace(p.provider, p.arithmetic).second) continue;
        const QString device = labelText(p.provider);
        const QString memory =
            devices.insert(p.provider).second
                ? tr("memory of %1: %2 GB/s").arg(device, shown_figure(p.roof_gb_per_s))
                : QString();
        roofs_.push_back({tr("%1 on %2: %3 GOP/s")
                              .arg(labelText(p.arithmetic), device, shown_figure(p.roof_gops)),
                          memory, p.roof_gops, p.roof_gb_per_s, p.work.integer});
    }
}

int RooflinePlot::dotAt(const QPointF& at) const {
    int best = -1;
    double nearest = 1e300;
    for (std::size_t i = 0; i < dots_.size(); ++i) {
        const QPointF away = dots_[i].at - at;
        const double distance = std::hypot(away.x(), away.y()) - dots_[i].radius;
        // Within several dots the smallest, which lies on top.
        const double rank = distance <= 0 ? dots_[i].radius - 1000 : distance;
        if (distance <= 4 && rank < nearest) nearest = rank, best = int(i);
    }
    return best;
}

QString RooflinePlot::sentenceOf(int dot) const {
    if (dot < 0 || dot >= int(dots_.size())) return {};
    const RooflinePoint& p = pointOf(dot);
    const QString bound = p.from_cache     ? tr("its data came out of the caches")
                          : p.memory_bound ? tr("bound by memory")
                                           : tr("bound by arithmetic");
    if (p.arithmetic.empty())
        return tr("%1 · %2: %3 GFLOP/s at %4 operations per byte, %5 of this machine's peak, %6; "
                  "%7 per run")
            .arg(labelText(p.name), operatorWords(p.op), shown_figure(p.gflops),
                 shown_figure(p.flop_per_byte), peakShareText(p.share_of_peak, isAbovePeak(p)),
                 bound, formatMilliseconds(p.ms));
    return tr("%1 · %2: %3 GOP/s at %4 operations per byte, %5 of the peak of %6 (%7), %8; %9 per "
              "run")
        .arg(labelText(p.name), operatorWords(p.op), shown_figure(p.gflops),
             shown_figure(p.flop_per_byte), peakShareText(p.share_of_peak, isAbovePeak(p)),
             labelText(p.provider), labelText(p.arithmetic), bound, formatMilliseconds(p.ms));
}

void RooflinePlot::makeCurrent(int dot) {
    if (dot < 0 || dot >= int(dots_.size())) return;
    current_ = dot;
    focused_ = pointOf(dot).node;
    const QString sentence = sentenceOf(dot);
    setAccessibleDescription(sentence);
    QAccessibleEvent spoken(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&spoken);
    update();
    emit hovered(sentence);
    emit nodePicked(pointOf(dot).node);
}

void RooflinePlot::paintAxes(QPainter& painter) const {
    const ThemeColors& colors = themeColors(palette());
    const QRectF area = plotArea();
    const QFontMetricsF metrics(font());
    painter.setPen(QPen(colors.border, 0, Qt::DotLine));
    for (double mark : x_.decades())
        painter.drawLine(QPointF(x_.pixelOf(mark), area.top()),
                         QPointF(x_.pixelOf(mark), area.bottom()));
    for (double mark : y_.decades())
        painter.drawLine(QPointF(area.left(), y_.pixelOf(mark)),
                         QPointF(area.right(), y_.pixelOf(mark)));
    painter.setPen(colors.border);
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    painter.drawLine(area.bottomLeft(), area.topLeft());
    painter.setPen(colors.mutedText);
    for (double mark : x_.decades())
        painter.drawText(QRectF(x_.pixelOf(mark) - 50, area.bottom() + 3, 100, metrics.height()),
                         Qt::AlignHCenter | Qt::AlignTop, decadeLabel(mark));
    for (double mark : y_.decades())
        painter.drawText(
            QRectF(0, y_.pixelOf(mark) - metrics.height() / 2, area.left() - 6, metrics.height()),
            Qt::AlignRight | Qt::AlignVCenter, decadeLabel(mark));
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(QRectF(area.left(), area.bottom() + metrics.height() + 4, area.width(),
                            metrics.height() + 2),
                     Qt::AlignHCenter | Qt::AlignTop, tr("operations per byte moved"));
    painter.save();
    painter.translate(4 + metrics.height(), area.center().y());
    painter.rotate(-90);
    painter.drawText(
        QRectF(-area.height() / 2, -metrics.height(), area.height(), metrics.height() + 2),
        Qt::AlignHCenter | Qt::AlignTop, hasInteger_ ? tr("GFLOP/s, GOP/s") : tr("GFLOP/s"));
    painter.restore();
    if (note_.isEmpty()) return;
    painter.setPen(colors.mutedText);
    painter.drawText(noteArea(), note_flags, note_);
}

void RooflinePlot::paintRoof(QPainter& painter, const Roof& roof) const {
    const ThemeColors& colors = themeColors(palette());
    const QRectF area = plotArea();
    const QFontMetricsF metrics(font());
    const double ridge = roof.gops / roof.gbPerS;
    const double left = std::max(x_.least, ridge);
    painter.setPen(roof.isInteger ? QPen(colors.warning, 1.5, Qt::DashLine)
                                  : QPen(colors.accent, 2));
    if (left < x_.most)
        painter.drawLine(QPointF(x_.pixelOf(left), y_.pixelOf(roof.gops)),
                         QPointF(area.right(), y_.pixelOf(roof.gops)));
    const double low = x_.least * roof.gbPerS;  // where the slope enters
    const double high = std::min(ridge, x_.most);
    if (x_.least < high)
        painter.drawLine(QPointF(area.left(), y_.pixelOf(low)),
                         QPointF(x_.pixelOf(high), y_.pixelOf(high * roof.gbPerS)));
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(QRectF(area.left(), y_.pixelOf(roof.gops) - metrics.height() - 2,
                            area.width() - 4, metrics.height()),
                     Qt::AlignRight | Qt::AlignBottom, roof.label);
    if (roof.memoryLabel.isEmpty()) return;
    // Beside the slope, along it.
    const QPointF from(x_.pixelOf(x_.least), y_.pixelOf(low)),
        to(x_.pixelOf(ridge), y_.pixelOf(roof.gops));
    if (to.x() - area.left() < 80) return;
    const double start = std::max(x_.least, y_.least / roof.gbPerS);
    painter.save();
    painter.translate(x_.pixelOf(start), y_.pixelOf(start * roof.gbPerS));
    painter.rotate(std::atan2(to.y() - from.y(), to.x() - from.x()) * 180 / M_PI);
    painter.drawText(QPointF(24, -5), roof.memoryLabel);
    painter.restore();
}

void RooflinePlot::paintRoofs(QPainter& painter) const {
    painter.save();
    painter.setClipRect(plotArea().adjusted(0, -10, 4, 0));
    for (auto roof = roofs_.rbegin(); roof != roofs_.rend(); ++roof) paintRoof(painter, *roof);
    painter.restore();
}

/// Of dots there may be ten thousand: each is stamped, and where several of a size lie within a
/// fourth of their radius more than a few cannot be seen from all of them.
void RooflinePlot::drawDots(double ratio) {
    dotsDrawn_ = QPixmap((QSizeF(size()) * ratio).toSize());
    dotsDrawn_.setDevicePixelRatio(ratio);
    dotsDrawn_.fill(Qt::transparent);
    QPainter painter(&dotsDrawn_);
    const QPen rim(themeColors(palette()).canvas, 1);
    std::unordered_map<std::string_view, QColor> colors;  // by operator
    std::map<std::pair<QRgb, int>, QPixmap> stamps;       // by color and half pixels of radius
    std::map<std::tuple<int, int, int>, int> stamped;     // by size and cell
    for (const Dot& dot : dots_) {                        // largest first: small ones lie on top
        const int halves = int(std::lround(2 * dot.radius));
        const double cell = std::max(1.0, dot.radius / 4);
        if (++stamped[{halves, int(dot.at.x() / cell), int(dot.at.y() / cell)}] > most_stamps)
            continue;
        const std::string& op = digest_->roofline[dot.point].op;
        const auto [color, fresh] = colors.try_emplace(op);
        if (fresh) color->second = operatorColor(labelText(op), palette());
        QPixmap& stamp = stamps[{color->second.rgb(), halves}];
        const double side = halves + 4;
        if (stamp.isNull()) {
            stamp = QPixmap((QSizeF(side, side) * ratio).toSize());
            stamp.setDevicePixelRatio(ratio);
            stamp.fill(Qt::transparent);
            QPainter once(&stamp);
            once.setRenderHint(QPainter::Antialiasing);
            QColor pale = color->second;
            pale.setAlphaF(0.65F);
            once.setBrush(pale);
            once.setPen(rim);
            once.drawEllipse(QPointF(side / 2, side / 2), halves / 2.0, halves / 2.0);
        }
        painter.drawPixmap(dot.at - QPointF(side / 2, side / 2), stamp);
    }
}

void RooflinePlot::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const ThemeColors& colors = themeColors(palette());
    painter.fillRect(rect(), colors.canvas);
    if (dots_.empty()) {
        painter.setPen(colors.mutedText);
        painter.drawText(QRectF(rect()).adjusted(24, 0, -24, 0), Qt::AlignCenter | Qt::TextWordWrap,
                         note_);
        return;
    }
    paintAxes(painter);
    paintRoofs(painter);
    const double ratio = painter.device()->devicePixelRatioF();
    if (dotsDrawn_.isNull() || dotsDrawn_.devicePixelRatio() != ratio) drawDots(ratio);
    painter.drawPixmap(QPointF(), dotsDrawn_);
    for (const int marked : {hover_, current_}) {
        if (marked < 0) continue;
        const Dot& dot = dots_[std::size_t(marked)];
        painter.setBrush(operatorColor(labelText(pointOf(marked).op), palette()));
        painter.setPen(QPen(palette().color(QPalette::Text), marked == current_ ? 2 : 1));
        painter.drawEllipse(dot.at, dot.radius, dot.radius);
    }
    if (hasFocus() && current_ < 0) {
        painter.setPen(QPen(colors.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void RooflinePlot::resizeEvent(QResizeEvent*) { layOut(); }

void RooflinePlot::mouseMoveEvent(QMouseEvent* event) {
    const int dot = dotAt(event->position());
    if (dot == hover_) return;
    hover_ = dot;
    setCursor(dot >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
    emit hovered(sentenceOf(dot));
}

void RooflinePlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) makeCurrent(dotAt(event->position()));
}

void RooflinePlot::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const int dot = dotAt(event->position()); dot >= 0) emit nodeActivated(pointOf(dot).node);
}

void RooflinePlot::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Up: return makeCurrent(current_ < 0 ? 0 : std::max(0, current_ - 1));
    case Qt::Key_Right:
    case Qt::Key_Down:
        return makeCurrent(current_ < 0 ? 0 : std::min(int(dots_.size()) - 1, current_ + 1));
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (current_ >= 0) emit nodeActivated(pointOf(current_).node);
        return;
    default: QWidget::keyPressEvent(event);
    }
}

bool RooflinePlot::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const int dot = dotAt(help->pos()); dot >= 0)
            QToolTip::showText(help->globalPos(), plainToolTip(sentenceOf(dot)), this);
        else if (!note_.isEmpty() && !dots_.empty() && noteArea().contains(help->pos()))
            QToolTip::showText(help->globalPos(), plainToolTip(note_), this);
        else QToolTip::hideText();
        return true;
    }
    if (event->type() == QEvent::Leave && hover_ >= 0) {
        hover_ = -1;
        update();
        emit hovered({});
    }
    return QWidget::event(event);
}

void RooflinePlot::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange) layOut();
    if (event->type() == QEvent::PaletteChange) {
        dotsDrawn_ = {};
        update();
    }
    QWidget::changeEvent(event);
}

}  // namespace lapidary::views
