// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/nodes/node_table.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QScopedValueRollback>
#include <QVBoxLayout>

#include <algorithm>

#include "run/nodes/original_nodes.h"
#include "run/verdict_text.h"
#include "theme/theme.h"
#include "widgets/table/column_width.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int time_column = 2, provider_column = 11;

QString textOf(NodeRow::Bound bound) {
    switch (bound) {
    case NodeRow::Bound::arithmetic: return NodeTable::tr("arithmetic");
    case NodeRow::Bound::memory: return NodeTable::tr("memory");
    case NodeRow::Bound::caches: return NodeTable::tr("caches");
    case NodeRow::Bound::unknown: break;
    }
    return QStringLiteral("–");
}

QString explain(const NodeRow& n) {
    const QString share = peakShareText(n.share_of_peak, n.isAbovePeak),
                  device = labelText(n.provider);
    const bool isOnDevice = n.isOnDevice;
    switch (n.bound) {
    case NodeRow::Bound::arithmetic:
        return isOnDevice ? NodeTable::tr(
                                "It reaches %1 of what the arithmetic units of %2 can do; memory "
                                "would allow more.")
                                .arg(share, device)
                          : NodeTable::tr(
                                "It reaches %1 of what this machine's arithmetic units can do; "
                                "memory would allow more.")
                                .arg(share);
    case NodeRow::Bound::memory:
        return isOnDevice ? NodeTable::tr(
                                "It reaches %1 of the speed at which %2 reads its memory; its "
                                "arithmetic would be "
                                "done sooner.")
                                .arg(share, device)
                          : NodeTable::tr(
                                "It reaches %1 of the speed at which this machine reads memory; "
                                "its arithmetic "
                                "would be done sooner.")
                                .arg(share);
    case NodeRow::Bound::caches:
        return NodeTable::tr(
                   "Its data came out of the caches, faster than memory delivers; it reaches %1 of "
                   "what the arithmetic "
                   "units can do.")
            .arg(share);
    case NodeRow::Bound::unknown: break;
    }
    return NodeTable::tr(
        "Not known: the operator only renames its data, or its work or the machine it ran on are "
        "not known.");
}

QString kernelOf(const NodeRow& n) {
    const bool handedOver = n.fallback_calls > 0 && !n.kernel.starts_with("reference.");
    return !handedOver ? cellText(n.kernel)
                       : NodeTable::tr("%1, then reference").arg(cellText(n.kernel));
}

QString explainKernel(const NodeRow& n) {
    if (n.fallback_calls == 0) return cellText(n.kernel);
    return NodeTable::tr("%1 of %2 calls ran on the reference kernel: %3")
        .arg(formatCount(n.fallback_calls), formatCount(n.calls), labelText(n.fallback));
}

QString explainProvider(const NodeRow& n) {
    if (n.is_copy)
        return NodeTable::tr("A copy from or to the memory of %1").arg(labelText(n.provider));
    if (n.placed_because.empty()) return cellText(n.provider);
    return NodeTable::tr("On %1, because %2").arg(labelText(n.provider), tipText(n.placed_because));
}

const Column<NodeRow> node_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Node"),
     [](const NodeRow& n) -> QVariant { return cellText(n.name); }},
    {QT_TRANSLATE_NOOP("Columns", "Operator"),
     [](const NodeRow& n) -> QVariant { return cellText(n.op); },
     [](const NodeRow& n) { return withoutDomain(cellText(n.op)); },
     [](const NodeRow& n) { return cellText(n.op); }},
    {QT_TRANSLATE_NOOP("Columns", "Time"),
     [](const NodeRow& n) -> QVariant { return n.ms; },
     [](const NodeRow& n) { return formatMilliseconds(n.ms); },
     {},
     [](const NodeRow& n) { return n.share; }},
    {QT_TRANSLATE_NOOP("Columns", "Share"), [](const NodeRow& n) -> QVariant { return n.share; },
     [](const NodeRow& n) { return formatPercent(n.share); }},
    {QT_TRANSLATE_NOOP("Columns", "Of peak"),
     [](const NodeRow& n) -> QVariant { return n.share_of_peak; },
     [](const NodeRow& n) {
         return n.share_of_peak < 0 ? QStringLiteral("–")
                                    : peakShareText(n.share_of_peak, n.isAbovePeak);
     },
     explain, [](const NodeRow& n) { return n.share_of_peak; }},
    {QT_TRANSLATE_NOOP("Columns", "Bound by"),
     [](const NodeRow& n) -> QVariant { return textOf(n.bound); },
     {},
     explain},
    {QT_TRANSLATE_NOOP("Columns", "Fastest"), [](const NodeRow& n) -> QVariant { return n.min_ms; },
     [](const NodeRow& n) { return formatMilliseconds(n.min_ms); }},
    {QT_TRANSLATE_NOOP("Columns", "Slowest"), [](const NodeRow& n) -> QVariant { return n.max_ms; },
     [](const NodeRow& n) { return formatMilliseconds(n.max_ms); }},
    {QT_TRANSLATE_NOOP("Columns", "Calls"),
     [](const NodeRow& n) -> QVariant { return qlonglong(n.calls); }},
    {QT_TRANSLATE_NOOP("Columns", "Kernel"),
     [](const NodeRow& n) -> QVariant { return kernelOf(n); },
     {},
     explainKernel},
    {QT_TRANSLATE_NOOP("Columns", "Shapes"),
     [](const NodeRow& n) -> QVariant { return cellText(n.shapes); }},
    {QT_TRANSLATE_NOOP("Columns", "Runs on"),
     [](const NodeRow& n) -> QVariant { return cellText(n.provider); },
     {},
     explainProvider},
};
static_assert(std::size(node_columns) == provider_column + 1);

}  // namespace

NodeTable::NodeTable(QWidget* parent)
    : QWidget(parent), model_(node_columns), table_(new TableView(tr("Time by node"))),
      originals_(new OriginalNodes), tables_(new QStackedWidget), which_(new QWidget),
      nodesOf_(new QComboBox), filter_(new QLineEdit), count_(new QLabel), only_(new QToolButton) {
    setObjectName(QStringLiteral("nodeTable"));
    filter_->setPlaceholderText(tr("Filter by name, operator, kernel or shape"));
    filter_->setToolTip(filter_->placeholderText());  // which is cut where there is little room
    filter_->setAccessibleName(tr("Filter nodes"));
    filter_->setClearButtonEnabled(true);
    filter_->addAction(themedIcon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    table_->setModel(&model_);
    table_->setSortingEnabled(true);
    table_->sortByColumn(time_column, Qt::DescendingOrder);
    table_->setEmptyText(tr("No node matches."));
    // In characters. Most names of a deep model differ in that many.
    const int widths[] = {46, 18, 11, 10, 11, 12, 12, 12, 9, 22};
    for (int column = 0; column < 10; ++column)
        table_->header()->resizeSection(column, widths[column] * fontMetrics().averageCharWidth());
    showWholeTitles(*table_);

    nodesOf_->setObjectName(QStringLiteral("nodesOf"));
    nodesOf_->setAccessibleName(tr("Nodes of"));
    nodesOf_->setToolTip(
        tr("Which graph's nodes the times are shown on: those that ran, or the original ones they "
           "stand for"));
    nodesOf_->addItems({tr("this variant"), tr("the original")});
    auto* label = new QLabel(tr("Nodes of:"));
    label->setBuddy(nodesOf_);
    auto* which = new QHBoxLayout(which_);
    which->setContentsMargins(0, 0, 0, 0);
    which->addWidget(label);
    which->addWidget(nodesOf_);
    which_->hide();
    tables_->addWidget(table_);
    tables_->addWidget(originals_);

    auto* row = new QHBoxLayout;
    row->setContentsMargins(spacing, 6, spacing, 6);
    row->addWidget(which_);
    only_->setObjectName(QStringLiteral("onlyOperator"));
    only_->setIcon(themedIcon(QStringLiteral("clear")));
    only_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    only_->setToolTip(
        plainToolTip(tr("Nodes of other operators are hidden; press to show them again")));
    only_->hide();
    connect(only_, &QToolButton::clicked, this, &NodeTable::allOperatorsWanted);
    row->addWidget(filter_, 1);
    row->addWidget(only_);
    row->addSpacing(6);
    row->addWidget(count_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(row);
    layout->addWidget(tables_, 1);

    connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
        model_.setFilter(text);
        originals_->setFilter(text);
        showRows();
    });
    connect(nodesOf_, &QComboBox::currentIndexChanged, this, &NodeTable::showGraph);
    connect(originals_, &OriginalNodes::nodePicked, this, &NodeTable::nodePicked);
    connect(originals_, &OriginalNodes::nodeActivated, this, &NodeTable::nodeActivated);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (!silent_ && current.isValid() && model_.row(current.row()).node)
                    emit nodePicked(model_.row(current.row()).node);
            });
    connect(table_, &QTreeView::activated, this, [this](const QModelIndex& index) {
        if (model_.row(index.row()).node) emit nodeActivated(model_.row(index.row()).node);
    });
}

void NodeTable::setGraphs(ModelPtr variant, ModelPtr original) {
    which_->setVisible(original != nullptr);
    originals_->setGraphs(std::move(variant), std::move(original));
    showGraph();
}

bool NodeTable::showsOriginals() const {
    return originals_->original() && nodesOf_->currentIndex() == 1;
}

/// Times are rolled back only while they are looked at.
void NodeTable::showGraph() {
    tables_->setCurrentWidget(showsOriginals() ? static_cast<QWidget*>(originals_) : table_);
    if (showsOriginals() && model_.rows())
        originals_->setTotals({model_.rows()->begin(), model_.rows()->end()});
    else originals_->clear();
    showRows();
}

void NodeTable::setNodes(std::shared_ptr<const std::vector<NodeRow>> nodes) {
    const QScopedValueRollback silence(silent_, true);
    nodes_ = std::move(nodes);
    table_->setColumnHidden(provider_column,
                            !nodes_ || std::ranges::all_of(*nodes_, [](const NodeRow& n) {
                                return n.provider == "CPU";
                            }));
    if (operator_.isEmpty() || !nodes_) {
        model_.setRows(nodes_);
    } else {
        std::vector<NodeRow> some;
        const std::string op = operator_.toStdString();
        for (const NodeRow& node : *nodes_)
            if (node.op == op) some.push_back(node);
        model_.setRows(std::move(some));
    }
    showGraph();
}

void NodeTable::setOperator(const QString& op) {
    if (op == operator_) return;
    operator_ = op;
    only_->setText(tr("%1 only").arg(withoutDomain(labelText(op, 40))));
    only_->setVisible(!op.isEmpty());
    setNodes(nodes_);
}

void NodeTable::showRows() {
    const int all = showsOriginals() ? originals_->allRows() : nodes_ ? int(nodes_->size()) : 0;
    const int shown = showsOriginals() ? originals_->shownRows() : model_.rowCount();
    count_->setText(shown == all ? tr("nodes: %1").arg(formatCount(all))
                                 : tr("nodes: %1 of %2").arg(formatCount(shown), formatCount(all)));
}

void NodeTable::selectNode(NodeId node) {
    originals_->selectNode(node);
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
