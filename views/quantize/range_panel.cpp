// SPDX-License-Identifier: GPL-3.0-or-later
#include "quantize/range_panel.h"

#include <QPainter>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

#include "theme/theme.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

QString numberText(double value) { return QLocale().toString(value, 'g', 4); }
QString intervalText(double low, double high) {
    return QStringLiteral("%1 … %2").arg(numberText(low), numberText(high));
}

const Column<QuantizedRange> rangeColumns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Value"),
     [](const QuantizedRange& r) -> QVariant { return cellText(r.name); }},
    {QT_TRANSLATE_NOOP("Columns", "Seen"),
     [](const QuantizedRange& r) -> QVariant { return double(r.high) - double(r.low); },
     [](const QuantizedRange& r) { return intervalText(r.low, r.high); }},
    {QT_TRANSLATE_NOOP("Columns", "Quantized"),
     [](const QuantizedRange& r) -> QVariant { return double(r.highest) - double(r.lowest); },
     [](const QuantizedRange& r) { return intervalText(r.lowest, r.highest); }},
    {QT_TRANSLATE_NOOP("Columns", "Step"),
     [](const QuantizedRange& r) -> QVariant { return double(r.scale); },
     [](const QuantizedRange& r) { return numberText(r.scale); }},
    {QT_TRANSLATE_NOOP("Columns", "Type"),
     [](const QuantizedRange& r) -> QVariant { return cellText(name_of(r.dtype)); }},
    {QT_TRANSLATE_NOOP("Columns", "Beyond"),
     [](const QuantizedRange& r) -> QVariant { return r.saturated; },
     [](const QuantizedRange& r) { return formatPercent(r.saturated); },
     [](const QuantizedRange&) {
         return RangePanel::tr("Elements that become the smallest or largest integer");
     }},
};

constexpr int margin = 8;

}  // namespace

RangeHistogram::RangeHistogram(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("rangeHistogram"));
    setAccessibleName(tr("Histogram"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

QSize RangeHistogram::sizeHint() const {
    return {fontMetrics().averageCharWidth() * 44, fontMetrics().height() * 12};
}

void RangeHistogram::setRange(std::optional<QuantizedRange> range) {
    range_ = std::move(range);
    setAccessibleDescription(range_ ? tr("%1: seen %2, quantized %3, %4 beyond")
                                          .arg(labelText(range_->name, 60),
                                               intervalText(range_->low, range_->high),
                                               intervalText(range_->lowest, range_->highest),
                                               formatPercent(range_->saturated))
                                    : QString());
    update();
}

double RangeHistogram::bottom() const { return std::min({0.0F, range_->low, range_->lowest}); }

double RangeHistogram::top() const {
    const double high = std::max({0.0F, range_->high, range_->highest});
    return high > bottom() ? high : bottom() + 1;
}

void RangeHistogram::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& colors = themeColors(palette());
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (!range_) {
        painter.setPen(colors.mutedText);
        painter.drawText(rect().adjusted(margin, margin, -margin, -margin),
                         Qt::AlignCenter | Qt::TextWordWrap,
                         tr("Choose a value to see how often each size of it was seen."));
        return;
    }
    const int line = fontMetrics().height();
    const QRectF area = QRectF(rect()).adjusted(margin, margin + line, -margin, -margin - line);
    if (area.height() < 4 || area.width() < 4) return;
    drawBars(painter, area);
    drawEnds(painter, area);
    painter.setPen(colors.mutedText);
    const QRectF below(area.left(), area.bottom() + 2, area.width(), line);
    painter.drawText(below, Qt::AlignLeft, numberText(bottom()));
    painter.drawText(below, Qt::AlignRight, numberText(top()));
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(
        QRectF(area.left(), margin / 2.0, area.width(), line), Qt::AlignLeft,
        fontMetrics().elidedText(labelText(range_->name, 200), Qt::ElideMiddle, int(area.width())));
}

/// Heights by the logarithm: single outliers are to be seen beside millions.
void RangeHistogram::drawBars(QPainter& painter, const QRectF& area) const {
    const ThemeColors& colors = themeColors(palette());
    if (range_->histogram.empty()) {
        painter.setPen(colors.mutedText);
        painter.drawText(area, Qt::AlignCenter | Qt::TextWordWrap,
                         tr("Ranges by extremes count no values."));
        return;
    }
    const double low = std::min(0.0F, range_->low), high = std::max(0.0F, range_->high),
                 bin = (high - low) / double(range_->histogram.size()),
                 scale = area.width() / (top() - bottom());
    const double most = std::log1p(double(*std::ranges::max_element(range_->histogram)));
    for (std::size_t i = 0; i < range_->histogram.size(); ++i) {
        if (range_->histogram[i] == 0 || most <= 0) continue;
        const double from = low + bin * double(i), middle = from + bin / 2,
                     height = std::log1p(double(range_->histogram[i])) / most * area.height();
        const bool inside = middle >= double(range_->lowest) && middle <= double(range_->highest);
        painter.fillRect(QRectF(area.left() + (from - bottom()) * scale, area.bottom() - height,
                                std::max(1.0, bin * scale), height),
                         inside ? colors.accent : colors.warning);
    }
}

void RangeHistogram::drawEnds(QPainter& painter, const QRectF& area) const {
    const ThemeColors& colors = themeColors(palette());
    const double scale = area.width() / (top() - bottom());
    painter.setPen(QPen(colors.border, 1));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    painter.setPen(QPen(colors.error, 1.5, Qt::DashLine));
    for (const double end : {double(range_->lowest), double(range_->highest)}) {
        const double x = area.left() + (end - bottom()) * scale;
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    }
}

RangePanel::RangePanel(QWidget* parent)
    : QWidget(parent), rows_(rangeColumns), table_(new TableView(tr("Ranges of activations"))),
      histogram_(new RangeHistogram), caption_(new QLabel) {
    table_->setObjectName(QStringLiteral("rangeTable"));
    table_->setModel(&rows_);
    table_->setSortingEnabled(true);
    table_->sortByColumn(-1, Qt::AscendingOrder);
    table_->setEmptyText(tr(
        "After quantizing with fixed ranges (int8 static), every quantized value stands here. The "
        "other ways take ranges in each run, or none."));
    for (int column = 1; column < rows_.columnCount(); ++column)
        table_->resizeColumnToContents(column);
    caption_->setWordWrap(true);
    caption_->setForegroundRole(QPalette::PlaceholderText);
    caption_->setContentsMargins(12, 4, 8, 4);
    caption_->setText(
        tr("Bars: how often values were seen, heights by the logarithm. Between the dashed lines "
           "integers stand for them; what is beyond becomes the smallest or largest integer."));
    auto* side = new QWidget;
    auto* sideColumn = new QVBoxLayout(side);
    sideColumn->setContentsMargins(0, 0, 0, 0);
    sideColumn->setSpacing(0);
    sideColumn->addWidget(histogram_, 1);
    sideColumn->addWidget(caption_);
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->addWidget(table_);
    splitter->addWidget(side);
    splitter->setChildrenCollapsible(false);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(splitter);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) {
                histogram_->setRange(index.isValid() ? std::optional(rows_.row(index.row()))
                                                     : std::nullopt);
            });
    setRecord(nullptr);
}

void RangePanel::setRecord(const app::QuantizeRecord* record) {
    std::vector<QuantizedRange> ranges = record ? record->ranges : std::vector<QuantizedRange>();
    if (ranges == shown_) return;
    shown_ = std::move(ranges);
    const bool first = rows_.rowCount() == 0;
    rows_.setRows(shown_);
    if (rows_.rowCount() == 0) return histogram_->setRange(std::nullopt);
    if (first)
        for (int column = 1; column < rows_.columnCount(); ++column)
            table_->resizeColumnToContents(column);
    table_->setCurrentIndex(rows_.index(0, 0));
    histogram_->setRange(rows_.row(0));
}

}  // namespace lapidary::views
