// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/histogram_view.h"

#include <QPainter>

#include <algorithm>
#include <utility>

#include "theme/theme.h"
#include "widgets/text/figure.h"
#include "widgets/text/quantity.h"

namespace lapidary::views {

HistogramView::HistogramView(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("valueHistogram"));
    setAccessibleName(tr("Distribution of the values"));
}

void HistogramView::setBins(std::vector<double> counts, double low, double high) {
    bins_ = std::move(counts);
    low_ = low;
    high_ = high;
    const double most = bins_.empty() ? 0 : *std::ranges::max_element(bins_);
    setToolTip(bins_.empty() ? QString()
                             : tr("At most %1 values in a bar").arg(formatCount(qint64(most))));
    setAccessibleDescription(
        bins_.empty() ? tr("nothing to show")
                      : tr("from %1 to %2").arg(figureText(low_, 4), figureText(high_, 4)));
    setVisible(!bins_.empty());
    update();
}

void HistogramView::paintEvent(QPaintEvent*) {
    if (bins_.empty()) return;
    QPainter painter(this);
    const ThemeColors& colors = themeColors(palette());
    const int line = fontMetrics().height();
    const QRect plot = rect().adjusted(4, 4, -4, -line - 2);
    const double most = std::max(1.0, *std::ranges::max_element(bins_));
    for (std::size_t i = 0; i < bins_.size(); ++i) {
        const int left = plot.left() + int(i * std::size_t(plot.width()) / bins_.size());
        const int right = plot.left() + int((i + 1) * std::size_t(plot.width()) / bins_.size());
        const int high = bins_[i] == 0 ? 0 : std::max(1, int(bins_[i] / most * plot.height()));
        painter.fillRect(QRect(left, plot.bottom() - high + 1, std::max(1, right - left - 1), high),
                         colors.accent);
    }
    painter.setPen(colors.mutedText);
    const QRect axis(plot.left(), plot.bottom() + 2, plot.width(), line);
    painter.drawText(axis, Qt::AlignLeft | Qt::AlignVCenter, figureText(low_, 4));
    painter.drawText(axis, Qt::AlignRight | Qt::AlignVCenter, figureText(high_, 4));
}

}  // namespace lapidary::views
