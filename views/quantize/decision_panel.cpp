// SPDX-License-Identifier: GPL-3.0-or-later
#include "quantize/decision_panel.h"

#include <QHeaderView>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

#include "theme/theme.h"
#include "workbench/bounded_text.h"
#include "workbench/quantizing.h"

namespace lapidary::views {
namespace {

/// "name (Operator)" without what NodeDecision::node puts around it.
QString nodeText(const NodeDecision& decision) {
    const std::size_t open = decision.node.rfind('(');
    if (open == std::string::npos || decision.name.empty()) return cellText(decision.node);
    return QStringLiteral("%1 %2").arg(labelText(decision.name, 60),
                                       labelText(std::string_view(decision.node).substr(open), 40));
}

const Column<NodeDecision> columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Keep float"),
     [](const NodeDecision& d) -> QVariant { return nodeText(d); },
     {},
     [](const NodeDecision& d) { return cellText(d.node); }},
    {QT_TRANSLATE_NOOP("Columns", "Now"),
     [](const NodeDecision& d) -> QVariant {
         return d.quantized ? DecisionPanel::tr("integers") : DecisionPanel::tr("float");
     }},
    {QT_TRANSLATE_NOOP("Columns", "Why"), [](const NodeDecision& d) -> QVariant { return cellText(d.reason); }},
};

bool canBeKept(const NodeDecision& decision) { return decision.place == "main" && !decision.name.empty(); }

}  // namespace

DecisionModel::DecisionModel(QObject* parent) : RowsModel<NodeDecision>(columns, parent) {}

void DecisionModel::setKept(std::set<std::string> kept) {
    if (kept == kept_) return;
    kept_ = std::move(kept);
    if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, 0), {Qt::CheckStateRole});
}

QVariant DecisionModel::data(const QModelIndex& index, int role) const {
    if (role == Qt::CheckStateRole && index.isValid() && index.column() == 0) {
        const NodeDecision& decision = row(index.row());
        if (!canBeKept(decision)) return {};
        return kept_.contains(decision.name) ? Qt::Checked : Qt::Unchecked;
    }
    if (role == Qt::AccessibleTextRole && index.isValid() && index.column() == 0 &&
        kept_.contains(row(index.row()).name))
        return tr("%1, is kept float").arg(RowsModel::data(index, Qt::DisplayRole).toString());
    return RowsModel::data(index, role);
}

bool DecisionModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::CheckStateRole || !index.isValid() || index.column() != 0 || !canBeKept(row(index.row())))
        return false;
    const std::string& name = row(index.row()).name;
    if (value.toInt() == Qt::Checked) kept_.insert(name);
    else kept_.erase(name);
    emit dataChanged(index, index, {Qt::CheckStateRole});
    emit keptChanged();
    return true;
}

Qt::ItemFlags DecisionModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = RowsModel::flags(index);
    if (index.isValid() && index.column() == 0 && canBeKept(row(index.row()))) flags |= Qt::ItemIsUserCheckable;
    return flags;
}

DecisionPanel::DecisionPanel(app::Quantizing& quantizing, QWidget* parent)
    : QWidget(parent), quantizing_(quantizing), table_(new TableView(tr("Nodes and why"))), filter_(new QLineEdit),
      count_(new QLabel), again_(new QPushButton(themedIcon(QStringLiteral("run")), tr("Quantize again"))) {
    table_->setObjectName(QStringLiteral("decisionTable"));
    table_->setModel(&nodes_);
    table_->setSortingEnabled(true);
    table_->sortByColumn(-1, Qt::AscendingOrder);
    table_->setEmptyText(tr("After quantizing, every node stands here with why it was quantized or not."));
    filter_->setObjectName(QStringLiteral("decisionFilter"));
    filter_->setPlaceholderText(tr("Filter"));
    filter_->setAccessibleName(tr("Filter of nodes"));
    filter_->setClearButtonEnabled(true);
    filter_->setMinimumWidth(fontMetrics().averageCharWidth() * 12);
    count_->setObjectName(QStringLiteral("decisionCount"));
    count_->setTextFormat(Qt::PlainText);
    count_->setForegroundRole(QPalette::PlaceholderText);
    again_->setObjectName(QStringLiteral("quantizeAgain"));
    again_->setToolTip(plainToolTip(tr("The best recipe once more, with the ticked nodes kept float")));
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 4);
    bar->addWidget(filter_, 1);
    bar->addWidget(count_, 1);
    bar->addWidget(again_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(table_, 1);

    connect(filter_, &QLineEdit::textChanged, &nodes_, &DecisionModel::setFilter);
    connect(&nodes_, &DecisionModel::keptChanged, this, [this] {
        app::QuantizeChoice choice = quantizing_.choice();
        choice.keepFloat.assign(nodes_.kept().begin(), nodes_.kept().end());
        quantizing_.setChoice(choice);
    });
    connect(again_, &QPushButton::clicked, &quantizing_, &app::Quantizing::requantize);
    connect(table_, &QAbstractItemView::doubleClicked, this,
            [this](const QModelIndex& index) { emit nodeActivated(exactText(nodes_.row(index.row()).name)); });
    connect(&quantizing_, &app::Quantizing::changed, this, &DecisionPanel::refresh);
    connect(&quantizing_, &app::Quantizing::choiceChanged, this, [this] {
        const auto& kept = quantizing_.choice().keepFloat;
        nodes_.setKept({kept.begin(), kept.end()});
        refreshBar();
    });
    refresh();
}

void DecisionPanel::refresh() {
    const auto record = quantizing_.record();
    if (record != shown_) {
        const bool first = nodes_.rowCount() == 0;
        shown_ = record;
        // The rows are those of the record, which they keep alive.
        nodes_.setRows(record ? DecisionModel::Rows(record, &record->nodes) : nullptr);
        if (first && nodes_.rowCount() > 0) {
            table_->resizeColumnToContents(0);
            table_->setColumnWidth(0, std::min(table_->columnWidth(0), fontMetrics().averageCharWidth() * 46));
            table_->resizeColumnToContents(1);
        }
    }
    refreshBar();
}

void DecisionPanel::refreshBar() {
    const auto& nodes = shown_ ? shown_->nodes : std::vector<NodeDecision>();
    const auto quantized = std::ranges::count(nodes, true, &NodeDecision::quantized);
    count_->setText(nodes.empty() ? QString() : tr("%1 of %2 nodes quantized").arg(quantized).arg(nodes.size()));
    const std::size_t kept = nodes_.kept().size();
    again_->setText(kept > 0 ? tr("Quantize again, %1 float").arg(kept) : tr("Quantize again"));
    const auto best =
        shown_ && shown_->best >= 0 ? &shown_->trials[std::size_t(shown_->best)].options.keep_float : nullptr;
    again_->setEnabled(best && !quantizing_.isRunning() && std::set(best->begin(), best->end()) != nodes_.kept());
}

}  // namespace lapidary::views
