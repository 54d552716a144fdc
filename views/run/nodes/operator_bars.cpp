// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/nodes/operator_bars.h"

#include <QApplication>
#include <QHeaderView>
#include <QPainter>
#include <QSignalBlocker>
#include <QStyle>

#include <utility>

#include <lapidary/profile/session_overhead.h>

#include "theme/theme.h"
#include "widgets/table/heat_bar_delegate.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int operator_column = 0, bar_column = 1, bars_time_column = 2, calls_column = 3;

bool isOverhead(const OperatorTotal& total) { return total.op == overhead_name; }

QString rowName(const OperatorTotal& total) {
    return isOverhead(total) ? OperatorBars::tr("session overhead")
                             : withoutDomain(cellText(total.op));
}

QString toolTipOf(const OperatorTotal& total) {
    if (isOverhead(total))
        return OperatorBars::tr(
                   "Time of a run in which no kernel ran: the walk from kernel to kernel and the "
                   "profiler itself\n%1, "
                   "%2 of the wall time")
            .arg(formatMilliseconds(total.self_ms), formatPercent(total.share));
    return OperatorBars::tr("%1 (%2)\n%3, %4 of the wall time\nCalls: %5")
        .arg(labelText(total.op), nameOf(operatorFamily(labelText(total.op))),
             formatMilliseconds(total.self_ms), formatPercent(total.share),
             formatCount(total.count));
}

const Column<OperatorTotal> operator_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Operator"),
     [](const OperatorTotal& t) -> QVariant { return cellText(t.op); },
     [](const OperatorTotal& t) { return rowName(t); }, toolTipOf},
    {QT_TRANSLATE_NOOP("Columns", "Share"),
     [](const OperatorTotal& t) -> QVariant { return t.share; },
     [](const OperatorTotal& t) { return formatPercent(t.share); }, toolTipOf},
    {QT_TRANSLATE_NOOP("Columns", "Time"),
     [](const OperatorTotal& t) -> QVariant { return t.self_ms; },
     [](const OperatorTotal& t) { return formatMilliseconds(t.self_ms); }, toolTipOf},
    {QT_TRANSLATE_NOOP("Columns", "Calls"),
     [](const OperatorTotal& t) -> QVariant { return qlonglong(t.count); },
     [](const OperatorTotal& t) {
         return isOverhead(t) ? QStringLiteral("–") : formatCount(t.count);
     },
     toolTipOf},
};

/// The share as a bar from the left, its figure behind it.
class ShareDelegate : public HeatBarDelegate {
public:
    using HeatBarDelegate::HeatBarDelegate;
    void setLargest(double share) { largest_ = share; }
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyleOptionViewItem plain = option;
        initStyleOption(&plain, index);
        const QString figure = plain.text;
        plain.text.clear();
        const QStyle* style = option.widget ? option.widget->style() : QApplication::style();
        style->drawControl(QStyle::CE_ItemViewItem, &plain, painter, option.widget);
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        const QRect cell = option.rect.adjusted(4, 3, -6, -3);
        const int figureWidth = option.fontMetrics.horizontalAdvance(formatPercent(1.0)) + 8;
        const double share =
            largest_ > 0 ? qBound(0.0, index.data(SortRole).toDouble() / largest_, 1.0) : 0;
        const int room = qMax(0, cell.width() - figureWidth);
        const int length = qMax(share > 0 ? 2 : 0, int(room * share));
        const QString op = index.siblingAtColumn(operator_column).data(SortRole).toString();
        painter->fillRect(QRect(cell.left(), cell.top(), length, cell.height()),
                          operatorColor(op, option.palette));
        painter->setPen(
            option.palette.color(selected ? QPalette::HighlightedText : QPalette::Text));
        painter->drawText(QRect(cell.left() + length + 6, cell.top(), figureWidth, cell.height()),
                          Qt::AlignLeft | Qt::AlignVCenter, figure);
    }

private:
    double largest_ = 1;  // the share whose bar fills the column
};

/// Names of operators, which take `whole` pixels, give way to the figures.
void fitColumns(TableView& table, int whole) {
    constexpr int widest = 220, narrowest = 60, shortest_bar = 24;
    QHeaderView& header = *table.header();
    const int share = table.fontMetrics().horizontalAdvance(formatPercent(1.0)) + 18 + shortest_bar;
    const int rest = table.viewport()->width() - header.sectionSize(bars_time_column) - share;
    header.resizeSection(operator_column, qMax(narrowest, qMin(rest, qMin(whole, widest))));
}

}  // namespace

OperatorBars::OperatorBars(QWidget* parent)
    : TableView(tr("Time by operator"), parent), operators_(operator_columns) {
    setObjectName(QStringLiteral("operatorBars"));
    setModel(&operators_);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setItemDelegateForColumn(bar_column, new ShareDelegate(this));
    setAlternatingRowColors(false);
    setSortingEnabled(true);
    sortByColumn(bar_column, Qt::DescendingOrder);
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(bar_column, QHeaderView::Stretch);
    connect(header(), &QHeaderView::geometriesChanged, this,
            [this] { fitColumns(*this, sizeHintForColumn(operator_column)); });
    // in the tool tip; a right click on the header brings it back
    setColumnHidden(calls_column, true);
    setEmptyText(tr("No kernel ran in the selected range."));
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        const QModelIndexList rows = selectionModel()->selectedRows();
        const bool none =
            // no node is of the overhead
            rows.isEmpty() || isOverhead(operators_.row(rows.first().row()));
        pick(none ? QString() : exactText(operators_.row(rows.first().row()).op));
    });
}

void OperatorBars::pick(const QString& op) {
    if (std::exchange(picked_, op) != op) emit operatorPicked(op);
}

/// Selects the operator's row; without one nothing is picked.
void OperatorBars::selectOperator(const QString& op) {
    for (int line = 0; !op.isEmpty() && line < operators_.rowCount(); ++line)
        if (exactText(operators_.row(line).op) == op)
            return selectionModel()->setCurrentIndex(
                operators_.index(line, 0),
                QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    selectionModel()->clear();
    pick({});
}

void OperatorBars::setOperators(std::shared_ptr<const std::vector<OperatorTotal>> operators) {
    double largest = 0;
    if (operators)
        for (const OperatorTotal& total : *operators) largest = qMax(largest, total.share);
    static_cast<ShareDelegate*>(itemDelegateForColumn(bar_column))->setLargest(largest);
    {
        // the reset drops the selection; the choice is made again below
        const QSignalBlocker quiet(selectionModel());
        operators_.setRows(std::move(operators));
    }
    selectOperator(picked_);
    resizeColumnToContents(bars_time_column);
    fitColumns(*this, sizeHintForColumn(operator_column));
}

}  // namespace lapidary::views
