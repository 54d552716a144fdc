// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/copy_table.h"

#include <QHeaderView>

#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int size_column = 3;

const Column<PlannedCopy> copy_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Tensor"),
     [](const PlannedCopy& c) -> QVariant { return cellText(c.value); }},
    {QT_TRANSLATE_NOOP("Columns", "From"),
     [](const PlannedCopy& c) -> QVariant { return cellText(c.from); }},
    {QT_TRANSLATE_NOOP("Columns", "To"),
     [](const PlannedCopy& c) -> QVariant { return cellText(c.to); }},
    {QT_TRANSLATE_NOOP("Columns", "Size"),
     [](const PlannedCopy& c) -> QVariant { return qlonglong(c.bytes); },
     [](const PlannedCopy& c) {
         return c.bytes < 0 ? CopyTable::tr("known when it runs")
                            : formatBytes(std::uint64_t(c.bytes));
     }},
    {QT_TRANSLATE_NOOP("Columns", "Needed there by"),
     [](const PlannedCopy& c) -> QVariant { return cellText(c.cause); }},
};

}  // namespace

CopyTable::CopyTable(QWidget* parent)
    : TableView(tr("Copies between kinds of memory"), parent), rows_(copy_columns) {
    setObjectName(QStringLiteral("copyTable"));
    setModel(&rows_);
    setSortingEnabled(true);
    sortByColumn(size_column, Qt::DescendingOrder);
    const int widths[] = {34, 13, 13, 17};  // in characters
    for (int column = 0; column < int(std::size(widths)); ++column)
        header()->resizeSection(column, widths[column] * fontMetrics().averageCharWidth());
    setEmptyText(tr("Nothing is copied."));
}

void CopyTable::setCopies(std::vector<PlannedCopy> copies) { rows_.setRows(std::move(copies)); }

}  // namespace lapidary::views
