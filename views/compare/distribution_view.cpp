// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/distribution_view.h"

#include <QHeaderView>
#include <QHelpEvent>
#include <QPainter>
#include <QSplitter>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

#include "compare/signed_text.h"
#include "theme/theme.h"
#include "widgets/plot/picture_export.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int fewest_bins = 7, most_bins = 41;
constexpr double outside_share = 0.01;  // of the samples, at either end

const Column<RoundSample> sample_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Round"),
     [](const RoundSample& r) -> QVariant { return r.round; }},
    {QT_TRANSLATE_NOOP("Columns", "A"), [](const RoundSample& r) -> QVariant { return r.a_ms; },
     [](const RoundSample& r) { return formatMilliseconds(r.a_ms); }},
    {QT_TRANSLATE_NOOP("Columns", "B"), [](const RoundSample& r) -> QVariant { return r.b_ms; },
     [](const RoundSample& r) { return formatMilliseconds(r.b_ms); }},
    {QT_TRANSLATE_NOOP("Columns", "Difference"),
     [](const RoundSample& r) -> QVariant { return r.share(); },
     [](const RoundSample& r) { return signedPercent(r.share()); }},
};

}  // namespace

Histogram histogramOf(const std::vector<RoundSample>& samples) {
    Histogram histogram;
    if (samples.empty()) return histogram;
    std::vector<double> shares;
    for (const RoundSample& sample : samples) shares.push_back(sample.share());
    std::ranges::sort(shares);
    const auto cut = static_cast<std::size_t>(double(shares.size()) * outside_share);
    histogram.low = std::min(shares[cut], 0.0);
    histogram.high = std::max(shares[shares.size() - 1 - cut], 0.0);
    const double margin = std::max((histogram.high - histogram.low) * 0.05, 0.001);
    histogram.low -= margin;
    histogram.high += margin;
    const int bins =
        std::clamp(int(std::lround(2 * std::sqrt(double(shares.size())))), fewest_bins, most_bins);
    histogram.counts.assign(std::size_t(bins), 0);
    for (const double share : shares) {
        const int bin = int((share - histogram.low) / (histogram.high - histogram.low) * bins);
        ++histogram.counts[std::size_t(std::clamp(bin, 0, bins - 1))];
    }
    return histogram;
}

DistributionCanvas::DistributionCanvas(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("distributionCanvas"));
    setAccessibleName(tr("Distribution of the difference"));
    setFocusPolicy(Qt::StrongFocus);
    installPictureMenu(*this, QStringLiteral("difference"));
}

void DistributionCanvas::setSamples(const std::vector<RoundSample>& samples,
                                    const std::optional<Difference>& difference) {
    histogram_ = histogramOf(samples);
    difference_ = difference;
    setAccessibleDescription(difference ? tipText(difference->sentence) : QString());
    update();
}

QRectF DistributionCanvas::plotArea() const {
    const int line = fontMetrics().height();
    return QRectF(rect()).adjusted(16, line + 10, -16, -2 * line - 14);
}

bool DistributionCanvas::event(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FocusIn ||
        event->type() == QEvent::FocusOut)
        update();
    if (event->type() != QEvent::ToolTip || histogram_.counts.empty()) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QRectF area = plotArea();
    const double share = (help->pos().x() - area.left()) / area.width();
    if (share < 0 || share >= 1) return QToolTip::hideText(), true;
    const auto bin = static_cast<std::size_t>(share * double(histogram_.counts.size()));
    const double width = (histogram_.high - histogram_.low) / double(histogram_.counts.size());
    const double low = histogram_.low + double(bin) * width;
    QToolTip::showText(help->globalPos(),
                       tr("%1: %n round(s)", nullptr, histogram_.counts[bin])
                           .arg(percentInterval(low, low + width)),
                       this);
    return true;
}

void DistributionCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& colors = themeColors(palette());
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (histogram_.counts.empty()) {
        painter.setPen(colors.mutedText);
        painter.drawText(
            rect().adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap,
            tr("Press Compare: A and B run in turn, and each round gives one difference."));
        return;
    }
    const QRectF area = plotArea();
    const auto x = [&](double share) {
        return area.left() +
               (share - histogram_.low) / (histogram_.high - histogram_.low) * area.width();
    };
    const int tallest = std::max(1, *std::ranges::max_element(histogram_.counts));
    const double bin = area.width() / double(histogram_.counts.size());
    if (difference_) {
        const double low = std::clamp(x(difference_->ratio.low - 1), area.left(), area.right()),
                     high = std::clamp(x(difference_->ratio.high - 1), area.left(), area.right());
        painter.fillRect(QRectF(low, area.top() - 6, std::max(2.0, high - low), area.height() + 6),
                         colors.selection);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i < histogram_.counts.size(); ++i) {
        const double height = area.height() * histogram_.counts[i] / tallest;
        const double middle = histogram_.low + (double(i) + 0.5) *
                                                   (histogram_.high - histogram_.low) /
                                                   double(histogram_.counts.size());
        painter.fillRect(QRectF(area.left() + double(i) * bin + 1, area.bottom() - height,
                                std::max(1.0, bin - 2), height),
                         differenceColor(middle, palette()));
    }
    painter.setPen(QPen(palette().color(QPalette::Text), 1));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    painter.setPen(QPen(palette().color(QPalette::Text), 1.5, Qt::DashLine));
    painter.drawLine(QPointF(x(0), area.top() - 6), QPointF(x(0), area.bottom()));
    const int line = fontMetrics().height();
    painter.setPen(colors.mutedText);
    const auto label = [&](double share, const QString& text) {
        const int width = fontMetrics().horizontalAdvance(text) + 4;
        const double left = std::clamp(x(share) - width / 2.0, 2.0,
                                       std::max(2.0, double(this->width() - width - 2)));
        painter.drawText(QRectF(left, area.bottom() + 3, width, line), Qt::AlignCenter, text);
    };
    label(histogram_.low, signedPercent(histogram_.low));
    label(histogram_.high, signedPercent(histogram_.high));
    const int side = fontMetrics().horizontalAdvance(signedPercent(histogram_.low)) + 24;
    if (x(0) - area.left() > side && area.right() - x(0) > side) label(0, QStringLiteral("0 %"));
    painter.drawText(
        QRectF(0, area.bottom() + line + 5, width(), line), Qt::AlignCenter,
        tr("Time of B against A in the same round; the band is the 95 % interval of the median"));
    painter.drawText(QRectF(area.left(), 2, area.width(), line), Qt::AlignLeft | Qt::AlignVCenter,
                     tr("▲ B faster"));
    painter.drawText(QRectF(area.left(), 2, area.width(), line), Qt::AlignRight | Qt::AlignVCenter,
                     tr("▼ B slower"));
    if (hasFocus()) {
        painter.setPen(QPen(colors.accent, 1, Qt::DotLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5));
    }
}

DistributionView::DistributionView(QWidget* parent)
    : QWidget(parent), rows_(sample_columns), canvas_(new DistributionCanvas),
      table_(new TableView(tr("Rounds in which both ran"))), sentence_(new QLabel) {
    table_->setObjectName(QStringLiteral("roundTable"));
    table_->setModel(&rows_);
    table_->setSortingEnabled(true);
    table_->sortByColumn(-1, Qt::AscendingOrder);
    table_->setEmptyText(tr("Nothing was measured yet."));
    sentence_->setTextFormat(Qt::PlainText);
    sentence_->setWordWrap(true);
    sentence_->setMargin(spacing);
    sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->addWidget(canvas_);
    splitter->addWidget(table_);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setSizes({600, 360});
    splitter->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(sentence_);
    layout->addWidget(splitter, 1);
}

void DistributionView::setMeasurements(const Measurement* a, const Measurement* b,
                                       const std::optional<Difference>& difference) {
    std::vector<RoundSample> samples;
    if (a && b)
        for (std::size_t i = 0; i < std::min(a->samples_ms.size(), b->samples_ms.size()); ++i)
            samples.push_back({int(i) + 1, a->samples_ms[i], b->samples_ms[i]});
    canvas_->setSamples(samples, difference);
    QStringList sentences;
    if (difference) sentences << tipText(difference->sentence);
    for (const Measurement* side : {a, b})
        if (side && !side->wall.note.empty())
            sentences << (side == a ? tr("A: %1") : tr("B: %1")).arg(tipText(side->wall.note));
    sentence_->setText(sentenceText(sentences.join(u'\n')));
    sentence_->setVisible(!sentences.isEmpty());
    rows_.setRows(std::move(samples));
}

}  // namespace lapidary::views
