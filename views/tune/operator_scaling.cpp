// SPDX-License-Identifier: GPL-3.0-or-later
#include "tune/operator_scaling.h"

#include <QHeaderView>
#include <QPainter>

#include <algorithm>

#include "theme/theme.h"
#include "tune/tune_figures.h"
#include "widgets/table/heat_bar_delegate.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int operator_column = 0, bars_column = 2;

double first_ms(const OperatorScaling& s) { return s.ms.empty() ? 0 : s.ms.front().second; }
double last_ms(const OperatorScaling& s) { return s.ms.empty() ? 0 : s.ms.back().second; }
double speed_up(const OperatorScaling& s) { return last_ms(s) > 0 ? first_ms(s) / last_ms(s) : 0; }

QString timesOf(const OperatorScaling& scaling) {
    QStringList lines{labelText(scaling.op)};
    for (const auto& [threads, ms] : scaling.ms)
        lines << QStringLiteral("%1: %2").arg(placeTitle(TuneAxis::threads, threads),
                                              formatMilliseconds(ms));
    return lines.join(u'\n');
}

QString stopOf(const OperatorScaling& scaling) {
    if (scaling.ms.size() < 2) return {};
    return scaling.stops_at == 0 ? OperatorScalingTable::tr("scales throughout")
                                 : placeTitle(TuneAxis::threads, scaling.stops_at);
}

QString stopTip(const OperatorScaling& scaling) {
    if (scaling.ms.size() < 2) return {};
    return scaling.stops_at == 0
               ? OperatorScalingTable::tr("Every step to more threads gains at least 5 %")
               : OperatorScalingTable::tr("Beyond %1 it gains less than 5 %")
                     .arg(placeTitle(TuneAxis::threads, scaling.stops_at));
}

const Column<OperatorScaling> scaling_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Operator"),
     [](const OperatorScaling& s) -> QVariant { return cellText(s.op); },
     [](const OperatorScaling& s) { return withoutDomain(cellText(s.op)); }, timesOf},
    {QT_TRANSLATE_NOOP("Columns", "Time"),
     [](const OperatorScaling& s) -> QVariant { return first_ms(s); },
     [](const OperatorScaling& s) { return formatMilliseconds(first_ms(s)); }, timesOf},
    {QT_TRANSLATE_NOOP("Columns", "By threads"),
     [](const OperatorScaling& s) -> QVariant { return last_ms(s); },
     [](const OperatorScaling& s) {
         QStringList parts;
         for (const auto& [threads, ms] : s.ms) parts << formatMilliseconds(ms);
         return parts.join(QStringLiteral(" → "));
     },
     timesOf},
    {QT_TRANSLATE_NOOP("Columns", "Speed-up"),
     [](const OperatorScaling& s) -> QVariant { return speed_up(s); },
     [](const OperatorScaling& s) { return figureText(TuneFigure::speedUp, speed_up(s)); },
     timesOf},
    {QT_TRANSLATE_NOOP("Columns", "Efficiency"),
     [](const OperatorScaling& s) -> QVariant { return s.efficiency; },
     [](const OperatorScaling& s) { return figureText(TuneFigure::efficiency, s.efficiency); },
     timesOf, [](const OperatorScaling& s) { return s.efficiency; }},
    {QT_TRANSLATE_NOOP("Columns", "Stops at"),
     [](const OperatorScaling& s) -> QVariant { return s.stops_at == 0 ? 1 << 20 : s.stops_at; },
     stopOf,
     stopTip,
     {},
     Qt::AlignLeft | Qt::AlignVCenter},
};

/// One bar per number of threads, from the fewest on, as high as its time.
class BarsDelegate : public HeatBarDelegate {
public:
    BarsDelegate(const RowsModel<OperatorScaling>& rows, QObject* parent)
        : HeatBarDelegate(parent), rows_(rows) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyleOptionViewItem plain = option;
        initStyleOption(&plain, index);
        plain.text.clear();
        plain.widget->style()->drawControl(QStyle::CE_ItemViewItem, &plain, painter, plain.widget);
        const OperatorScaling& scaling = rows_.row(index.row());
        double largest = 0;
        for (const auto& [threads, ms] : scaling.ms) largest = std::max(largest, ms);
        if (largest <= 0) return;
        const QRectF area = QRectF(option.rect).adjusted(6, 3, -6, -3);
        const double width = std::min(16.0, area.width() / double(scaling.ms.size()) - 2);
        const QColor color = option.state.testFlag(QStyle::State_Selected)
                                 ? option.palette.color(QPalette::HighlightedText)
                                 : operatorColor(labelText(scaling.op), option.palette);
        for (std::size_t i = 0; i < scaling.ms.size(); ++i) {
            const double height = std::max(1.0, area.height() * scaling.ms[i].second / largest);
            painter->fillRect(QRectF(area.left() + double(i) * (width + 2), area.bottom() - height,
                                     width, height),
                              color);
        }
    }

private:
    const RowsModel<OperatorScaling>& rows_;
};

}  // namespace

OperatorScalingTable::OperatorScalingTable(QWidget* parent)
    : TableView(tr("Scaling by operator"), parent), rows_(scaling_columns) {
    setObjectName(QStringLiteral("operatorScaling"));
    setModel(&rows_);
    setItemDelegateForColumn(bars_column, new BarsDelegate(rows_, this));
    setSortingEnabled(true);
    sortByColumn(1, Qt::DescendingOrder);
    setEmptyText(
        tr("Which operators profit from threads appears when settings with different numbers of "
           "threads are measured."));
}

void OperatorScalingTable::setScaling(std::vector<OperatorScaling> scaling) {
    const bool first = rows_.rowCount() == 0;
    rows_.setRows(std::move(scaling));
    if (!first) return;
    for (int column = 0; column < rows_.columnCount(); ++column) resizeColumnToContents(column);
    header()->resizeSection(operator_column, std::min(header()->sectionSize(operator_column),
                                                      fontMetrics().averageCharWidth() * 26));
    header()->resizeSection(bars_column, fontMetrics().averageCharWidth() * 12);
}

}  // namespace lapidary::views
