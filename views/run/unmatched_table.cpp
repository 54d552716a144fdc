// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/unmatched_table.h"

#include <QHeaderView>

#include "widgets/quantity.h"
#include "workbench/bounded_text.h"

namespace lapidary::views {
namespace {

const Column<UnmatchedKernel> unmatched_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Kernel"), [](const UnmatchedKernel& k) -> QVariant { return cellText(k.name); }},
    {QT_TRANSLATE_NOOP("Columns", "Operator"), [](const UnmatchedKernel& k) -> QVariant { return cellText(k.op); }},
    {QT_TRANSLATE_NOOP("Columns", "Time"), [](const UnmatchedKernel& k) -> QVariant { return k.ms; },
     [](const UnmatchedKernel& k) { return formatMilliseconds(k.ms); }},
    {QT_TRANSLATE_NOOP("Columns", "Why"), [](const UnmatchedKernel& k) -> QVariant { return cellText(k.reason); }},
};

}  // namespace

UnmatchedTable::UnmatchedTable(QWidget* parent)
    : TableView(tr("Kernels that are no node of the open model"), parent), rows_(unmatched_columns) {
    setObjectName(QStringLiteral("unmatchedTable"));
    setModel(&rows_);
    setSortingEnabled(true);
    sortByColumn(2, Qt::DescendingOrder);
    header()->resizeSection(0, 280);
    header()->resizeSection(1, 120);
    setEmptyText(tr("Every kernel is a node of the open model."));
}

void UnmatchedTable::setMatch(const std::shared_ptr<const TraceMatch>& match) {
    if (match) rows_.setRows({match, &match->unmatched});
    else rows_.setRows(nullptr);
}

}  // namespace lapidary::views
