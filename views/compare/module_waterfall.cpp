// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/module_waterfall.h"

#include <QApplication>
#include <QHeaderView>
#include <QPainter>
#include <QStyle>

#include <algorithm>
#include <cmath>

#include "compare/signed_text.h"
#include "theme/theme.h"
#include "widgets/table/column_width.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

using BarKind = ModuleDifference::Kind;
constexpr int bar_column = 1;
constexpr double room_of_steps = 0.15;  // left of the lowest step, of the range of all

bool isWhole(const ModuleDifference& row) {
    return row.kind == BarKind::start || row.kind == BarKind::end;
}

QString nameOfModule(const ModuleDifference& row) {
    switch (row.kind) {
    case BarKind::start: return ModuleWaterfall::tr("A as a whole");
    case BarKind::end: return ModuleWaterfall::tr("B as a whole");
    case BarKind::noise: return ModuleWaterfall::tr("within noise (%1 parts)").arg(row.count);
    case BarKind::rest: return ModuleWaterfall::tr("nodes of no original one");
    case BarKind::overhead: return ModuleWaterfall::tr("session overhead");
    case BarKind::module: break;
    }
    return row.name.empty() ? ModuleWaterfall::tr("(outside of all scopes)") : cellText(row.name);
}

QString differenceOf(const ModuleDifference& row) {
    return isWhole(row) ? QString() : signedMilliseconds(row.difference());
}

QString timeOf(const ModuleDifference& row, double ms, BarKind other) {
    return row.kind == other ? QString() : formatMilliseconds(ms);
}

QString intervalOf(const ModuleDifference& row) {
    if (!row.interval) return {};
    const auto plain = [](double ms) {
        return (ms < 0 ? QStringLiteral("−") : QStringLiteral("+")) +
               formatMilliseconds(std::fabs(ms));
    };
    return QCoreApplication::translate("SignedText", "%1 to %2")
        .arg(plain(row.interval->first), plain(row.interval->second));
}

QString tipOfModule(const ModuleDifference& row) {
    QString tip = nameOfModule(row);
    if (!isWhole(row))
        tip += u'\n' + ModuleWaterfall::tr("A: %1, B: %2, difference per run: %3")
                           .arg(formatMilliseconds(row.a_ms), formatMilliseconds(row.b_ms),
                                signedMilliseconds(row.difference()));
    if (row.kind == BarKind::noise)
        tip += u'\n' + ModuleWaterfall::tr("The 95 % interval of each of these parts holds 0.");
    if (row.kind == BarKind::module)
        tip += u'\n' + ModuleWaterfall::tr(
                           "Times of fused nodes are shared out among the %1 original nodes in it.")
                           .arg(formatCount(qint64(row.count)));
    return tip;
}

const Column<ModuleDifference> module_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Part of the model"),
     [](const ModuleDifference& r) -> QVariant { return nameOfModule(r); },
     {},
     tipOfModule},
    {QT_TRANSLATE_NOOP("Columns", "From A to B"),
     [](const ModuleDifference& r) -> QVariant { return r.difference(); }, differenceOf,
     tipOfModule},
    {QT_TRANSLATE_NOOP("Columns", "Difference"),
     [](const ModuleDifference& r) -> QVariant { return r.difference(); }, differenceOf,
     tipOfModule},
    {QT_TRANSLATE_NOOP("Columns", "A"),
     [](const ModuleDifference& r) -> QVariant { return r.a_ms; },
     [](const ModuleDifference& r) { return timeOf(r, r.a_ms, BarKind::end); }, tipOfModule},
    {QT_TRANSLATE_NOOP("Columns", "B"),
     [](const ModuleDifference& r) -> QVariant { return r.b_ms; },
     [](const ModuleDifference& r) { return timeOf(r, r.b_ms, BarKind::start); }, tipOfModule},
    {QT_TRANSLATE_NOOP("Columns", "95 % interval"),
     [](const ModuleDifference& r) -> QVariant {
         return r.interval ? r.interval->second - r.interval->first : -1.0;
     },
     intervalOf, tipOfModule},
};

}  // namespace

ModuleBars::ModuleBars(const RowsModel<ModuleDifference>& rows, QObject* parent)
    : HeatBarDelegate(parent), rows_(rows) {
    const auto forget = [this] { bars_.clear(); };
    connect(&rows, &QAbstractItemModel::modelReset, this, forget);
    connect(&rows, &QAbstractItemModel::layoutChanged, this, forget);
}

void ModuleBars::sumUp() const {
    double sum = 0, least = 1e300, most = 0;
    for (int i = 0; i < rows_.rowCount(); ++i) {
        const ModuleDifference& row = rows_.row(i);
        const double from = isWhole(row) ? 0 : sum;
        sum = isWhole(row) ? row.a_ms : sum + row.difference();
        bars_.emplace_back(from, sum);
        least = std::min(least, sum);
        most = std::max(most, sum);
    }
    high_ = most > 0 ? most : 1;
    low_ = std::max(0.0, least - std::max((most - least) * room_of_steps, 0.02 * high_));
}

std::pair<double, double> ModuleBars::barOf(int row) const {
    if (bars_.size() != std::size_t(rows_.rowCount())) {
        bars_.clear();
        sumUp();
    }
    const auto place = [&](double ms) {
        return std::clamp((ms - low_) / (high_ - low_), 0.0, 1.0);
    };
    return {place(bars_[std::size_t(row)].first), place(bars_[std::size_t(row)].second)};
}

void ModuleBars::paint(QPainter* painter, const QStyleOptionViewItem& option,
                       const QModelIndex& index) const {
    QStyleOptionViewItem plain = option;
    initStyleOption(&plain, index);
    plain.text.clear();
    const QStyle* style = option.widget ? option.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &plain, painter, option.widget);
    const ModuleDifference& row = rows_.row(index.row());
    const auto [begin, end] = barOf(index.row());
    const QRectF cell = QRectF(option.rect).adjusted(8, 3, -16, -3);
    const auto x = [&](double share) { return cell.left() + share * cell.width(); };
    const ThemeColors& colors = themeColors(option.palette);
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const QColor color = selected ? option.palette.color(QPalette::HighlightedText)
                         : isWhole(row) || row.kind == BarKind::noise
                             ? colors.mutedText
                             : differenceColor(row.difference(), option.palette);
    painter->save();
    const QRectF bar(x(std::min(begin, end)), cell.top(),
                     std::max(1.5, std::abs(end - begin) * cell.width()), cell.height());
    painter->fillRect(bar, color);
    if (isWhole(row) && low_ > 0) {  // its left part is not drawn
        painter->setPen(QPen(option.palette.color(QPalette::Base), 2));
        for (const double at : {6.0, 10.0})
            painter->drawLine(QPointF(bar.left() + at, bar.bottom() + 1),
                              QPointF(bar.left() + at + 4, bar.top() - 1));
    }
    if (index.row() + 1 < rows_.rowCount()) {
        painter->setPen(selected ? color : colors.mutedText);
        painter->drawLine(QPointF(x(end), cell.bottom()),
                          QPointF(x(end), option.rect.bottom() + 4));
    }
    if (!isWhole(row) && row.kind != BarKind::noise && row.difference() != 0) {
        painter->setPen(color);
        painter->drawText(QRectF(bar.right() + 2, cell.top(), 16, cell.height()), Qt::AlignCenter,
                          betterGlyph(row.difference()));
    }
    painter->restore();
}

ModuleWaterfall::ModuleWaterfall(QWidget* parent)
    : TableView(tr("Difference by part of the model"), parent), rows_(module_columns),
      bars_(new ModuleBars(rows_, this)) {
    setObjectName(QStringLiteral("moduleWaterfall"));
    setModel(&rows_);
    setAlternatingRowColors(false);
    setItemDelegateForColumn(bar_column, bars_);
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(bar_column, QHeaderView::Stretch);
    const int unit = fontMetrics().averageCharWidth();
    int column = 0;
    for (const int width : {42, 30, 13, 10, 10, 26})
        header()->resizeSection(column++, width * unit);
    showWholeTitles(*this);
    connect(this, &QTreeView::activated, this, [this](const QModelIndex& index) {
        const ModuleDifference& row = rows_.row(index.row());
        if (row.kind == BarKind::module) emit modulePicked(cellText(row.name));
    });
    setRows(nullptr);
}

void ModuleWaterfall::setRows(std::shared_ptr<const std::vector<ModuleDifference>> rows) {
    setEmptyText(rows
                     ? tr("The names of this model's nodes show no parts: see Operators and Nodes.")
                     : tr("Press Compare: both variants are profiled, times of fused nodes are "
                          "rolled back onto the parts "
                          "of the model, and the bars lead from A to B."));
    rows_.setRows(std::move(rows));
}

}  // namespace lapidary::views
