// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/nodes/unmatched_table.h"

#include <QHeaderView>

#include "widgets/table/column_width.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

const Column<UnmatchedKernel> unmatched_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Kernel"),
     [](const UnmatchedKernel& k) -> QVariant { return cellText(k.name); }},
    {QT_TRANSLATE_NOOP("Columns", "Operator"),
     [](const UnmatchedKernel& k) -> QVariant { return cellText(k.op); }},
    {QT_TRANSLATE_NOOP("Columns", "Time"),
     [](const UnmatchedKernel& k) -> QVariant { return k.ms; },
     [](const UnmatchedKernel& k) { return formatMilliseconds(k.ms); }},
    {QT_TRANSLATE_NOOP("Columns", "Why"),
     [](const UnmatchedKernel& k) -> QVariant { return cellText(k.reason); }},
};

}  // namespace

UnmatchedTable::UnmatchedTable(QWidget* parent)
    : TableView(tr("Kernels that are no node of the open model"), parent),
      rows_(unmatched_columns) {
    setObjectName(QStringLiteral("unmatchedTable"));
    setModel(&rows_);
    setSortingEnabled(true);
    sortByColumn(2, Qt::DescendingOrder);
    header()->resizeSection(0, 40 * fontMetrics().averageCharWidth());
    header()->resizeSection(1, 17 * fontMetrics().averageCharWidth());
    showWholeTitles(*this);
    setEmptyText(tr("Every kernel is a node of the open model."));
}

void UnmatchedTable::setMatch(const std::shared_ptr<const TraceMatch>& match) {
    match_ = match;
    setNames(std::nullopt);
}

void UnmatchedTable::setNames(const std::optional<std::set<std::string>>& names) {
    if (!match_) return rows_.setRows(nullptr);
    if (!names) return rows_.setRows({match_, &match_->unmatched});
    std::vector<UnmatchedKernel> some;
    for (const UnmatchedKernel& kernel : match_->unmatched)
        if (names->contains(kernel.name)) some.push_back(kernel);
    rows_.setRows(std::move(some));
}

}  // namespace lapidary::views
