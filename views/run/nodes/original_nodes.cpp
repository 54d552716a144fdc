// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/nodes/original_nodes.h"

#include <QHeaderView>
#include <QScopedValueRollback>
#include <QVBoxLayout>

#include "theme/theme.h"
#include "widgets/table/column_width.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int original_time_column = 2;

const Column<NodeCost> cost_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Node"),
     [](const NodeCost& n) -> QVariant { return cellText(n.name); }},
    {QT_TRANSLATE_NOOP("Columns", "Operator"),
     [](const NodeCost& n) -> QVariant { return cellText(n.op); },
     [](const NodeCost& n) { return withoutDomain(cellText(n.op)); },
     [](const NodeCost& n) { return cellText(n.op); }},
    {QT_TRANSLATE_NOOP("Columns", "Time"),
     [](const NodeCost& n) -> QVariant { return n.ms; },
     [](const NodeCost& n) { return formatMilliseconds(n.ms); },
     {},
     [](const NodeCost& n) { return n.share; }},
    {QT_TRANSLATE_NOOP("Columns", "Share"), [](const NodeCost& n) -> QVariant { return n.share; },
     [](const NodeCost& n) { return formatPercent(n.share); }},
    {QT_TRANSLATE_NOOP("Columns", "Shared among"),
     [](const NodeCost& n) -> QVariant { return qlonglong(n.among); },
     [](const NodeCost& n) {
         return n.among < 2 ? QStringLiteral("–") : formatCount(qint64(n.among));
     },
     [](const NodeCost& n) {
         return n.among < 2
                    ? OriginalNodes::tr("All of this time is the node's own.")
                    : OriginalNodes::tr(
                          "A part of the time of one node that stands for %1 original ones.")
                          .arg(formatCount(qint64(n.among)));
     }},
};

/// What `totals` are shares of.
double wholeOf(const std::vector<NodeTotal>& totals) {
    for (const NodeTotal& total : totals)
        if (total.share > 0) return total.ms / total.share;
    return 0;
}

}  // namespace

OriginalNodes::OriginalNodes(QWidget* parent)
    : QWidget(parent), model_(cost_columns), table_(new TableView(tr("Time by original node"))),
      note_(new QLabel) {
    table_->setObjectName(QStringLiteral("originalNodes"));
    table_->setModel(&model_);
    table_->setSortingEnabled(true);
    table_->sortByColumn(original_time_column, Qt::DescendingOrder);
    table_->setEmptyText(tr("No node matches."));
    const int widths[] = {27, 13, 12, 10};  // in characters
    for (int column = 0; column < 4; ++column)
        table_->header()->resizeSection(column, widths[column] * fontMetrics().averageCharWidth());
    showWholeTitles(*table_);
    note_->setObjectName(QStringLiteral("originalNodesNote"));
    note_->setTextFormat(Qt::PlainText);
    note_->setWordWrap(true);
    note_->setContentsMargins(spacing, 0, spacing, 6);
    note_->setForegroundRole(QPalette::PlaceholderText);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(note_);
    layout->addWidget(table_, 1);

    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (silent_ || !current.isValid()) return;
                const NodeId node = model_.row(current.row()).node;
                if (node) emit nodePicked(node);
            });
    connect(table_, &QTreeView::activated, this,
            [this](const QModelIndex& index) { emit nodeActivated(model_.row(index.row()).node); });
}

void OriginalNodes::setGraphs(ModelPtr variant, ModelPtr original) {
    clear();
    variant_ = std::move(variant);
    original_ = std::move(original);
}

void OriginalNodes::clear() {
    const QScopedValueRollback silence(silent_, true);
    model_.setRows(nullptr);
    note_->clear();
}

void OriginalNodes::setTotals(const std::vector<NodeTotal>& totals) {
    if (!variant_ || !original_) return;
    const QScopedValueRollback silence(silent_, true);
    const double whole = wholeOf(totals);
    const CostMap map = roll_back(totals, variant_->graph, original_->graph);
    model_.setRows(costliest(map, original_->graph, whole));
    QStringList sentences;
    if (map.shared > 0)
        sentences << (map.split == CostSplit::by_work
                          ? tr("Nodes that stand for several original ones: %1. Their times are "
                               "divided by estimated work.")
                          : tr("Nodes that stand for several original ones: %1. Their times are "
                               "divided evenly, as not all "
                               "sizes are known."))
                         .arg(formatCount(qint64(map.shared)));
    sentences << (map.unattributed_ms > 0
                      ? tr("Of no original node: %1 (%2).")
                            .arg(formatMilliseconds(map.unattributed_ms),
                                 formatPercent(whole > 0 ? map.unattributed_ms / whole : 0))
                      : tr("All times belong to original nodes."));
    note_->setText(sentenceText(sentences.join(u' ')));
}

void OriginalNodes::selectNode(NodeId node) {
    const QScopedValueRollback silence(silent_, true);
    if (node && model_.rows())
        for (std::size_t i = 0; i < model_.rows()->size(); ++i)
            if ((*model_.rows())[i].node == node) {
                const int line = model_.lineOf(i);
                if (line >= 0) table_->setCurrentIndex(model_.index(line, 0));
                return;
            }
    table_->selectionModel()->clear();
}

}  // namespace lapidary::views
