// SPDX-License-Identifier: GPL-3.0-or-later
#include "quantize/decision_panel.h"

#include <QHeaderView>
#include <QHBoxLayout>
#include <QMenu>
#include <QUndoStack>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>
#include <map>

#include "quantize/node_choices.h"
#include "theme/theme.h"
#include "widgets/table/column_width.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"
#include "workbench/text/core_words.h"
#include "workbench/jobs/quantizing.h"

namespace lapidary::views {
namespace {

constexpr double not_ranked = 1e6;  // sorts behind every SQNR

/// "name (Operator)" without what NodeDecision::node puts around it.
QString nodeText(const NodeDecision& decision) {
    const std::size_t open = decision.node.rfind('(');
    if (open == std::string::npos || decision.name.empty()) return cellText(decision.node);
    return QStringLiteral("%1 %2").arg(labelText(decision.name, 60),
                                       labelText(std::string_view(decision.node).substr(open), 40));
}

enum DecisionColumns {
    name_column,
    now_column,
    alone_column,
    share_column,
    why_column,
    type_column
};

const Column<DecisionRow> decisionColumns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Keep float"),
     [](const DecisionRow& r) -> QVariant { return nodeText(r.decision); },
     {},
     [](const DecisionRow& r) { return cellText(r.decision.node); }},
    {QT_TRANSLATE_NOOP("Columns", "Now"),
     [](const DecisionRow& r) -> QVariant {
         return r.decision.quantized ? DecisionPanel::tr("integers") : DecisionPanel::tr("float");
     }},
    {QT_TRANSLATE_NOOP("Columns", "Alone"),
     [](const DecisionRow& r) -> QVariant { return r.aloneDb ? *r.aloneDb : not_ranked; },
     [](const DecisionRow& r) { return r.aloneDb ? formatDecibels(*r.aloneDb) : QString(); },
     [](const DecisionRow& r) {
         return r.aloneDb
                    ? DecisionPanel::tr("SQNR of the outputs with it alone in integers: low is bad")
                    : QString();
     }},
    {QT_TRANSLATE_NOOP("Columns", "Noise"),
     [](const DecisionRow& r) -> QVariant { return r.share; },
     [](const DecisionRow& r) { return r.aloneDb ? formatPercent(r.share) : QString(); },
     [](const DecisionRow& r) {
         return r.aloneDb ? DecisionPanel::tr("Its share of the noise of all") : QString();
     },
     [](const DecisionRow& r) { return r.share; }},
    {QT_TRANSLATE_NOOP("Columns", "Why"),
     [](const DecisionRow& r) -> QVariant { return r.reason; }},
    // DecisionModel knows it: empty where the recipe decides
    {QT_TRANSLATE_NOOP("Columns", "Own type"), [](const DecisionRow&) { return QVariant(); }},
};

/// As ONNX writes "s8", "u8", "s4" and "u4"; anything else as it is.
QString typeText(const std::string& type) {
    const QString word = labelText(type);
    if (word.size() != 2) return word;
    return (word[0] == u'u' ? QStringLiteral("uint") : QStringLiteral("int")) + word[1];
}

bool canBeKept(const DecisionRow& row) {
    return row.decision.place == "main" && !row.decision.name.empty();
}

}  // namespace

DecisionModel::DecisionModel(QObject* parent) : RowsModel<DecisionRow>(decisionColumns, parent) {}

void DecisionModel::setKept(std::set<std::string> kept) {
    if (kept == kept_) return;
    kept_ = std::move(kept);
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, 0), {Qt::CheckStateRole});
}

void DecisionModel::setOwnTypes(std::vector<std::string> entries) {
    if (entries == ownTypes_) return;
    ownTypes_ = std::move(entries);
    if (rowCount() > 0)
        emit dataChanged(index(0, type_column), index(rowCount() - 1, type_column),
                         {Qt::DisplayRole});
}

QVariant DecisionModel::data(const QModelIndex& index, int role) const {
    if (index.isValid() && index.column() == type_column) {
        if (role != Qt::DisplayRole) return {};
        const DecisionRow& shown = row(index.row());
        return canBeKept(shown) ? typeText(ownTypeOf(ownTypes_, shown.decision.name)) : QString();
    }
    if (role == Qt::CheckStateRole && index.isValid() && index.column() == 0) {
        const DecisionRow& shown = row(index.row());
        if (!canBeKept(shown)) return {};
        return kept_.contains(shown.decision.name) ? Qt::Checked : Qt::Unchecked;
    }
    if (role == Qt::AccessibleTextRole && index.isValid() && index.column() == 0 &&
        kept_.contains(row(index.row()).decision.name))
        return tr("%1, is kept float").arg(RowsModel::data(index, Qt::DisplayRole).toString());
    return RowsModel::data(index, role);
}

bool DecisionModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::CheckStateRole || !index.isValid() || index.column() != 0 ||
        !canBeKept(row(index.row())))
        return false;
    const std::string& name = row(index.row()).decision.name;
    if (value.toInt() == Qt::Checked) kept_.insert(name);
    else kept_.erase(name);
    emit dataChanged(index, index, {Qt::CheckStateRole});
    emit keptChanged();
    return true;
}

Qt::ItemFlags DecisionModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = RowsModel::flags(index);
    if (index.isValid() && index.column() == 0 && canBeKept(row(index.row())))
        flags |= Qt::ItemIsUserCheckable;
    return flags;
}

DecisionPanel::DecisionPanel(app::Quantizing& quantizing, QUndoStack& history, QWidget* parent)
    : QWidget(parent), quantizing_(quantizing), history_(history),
      table_(new TableView(tr("Nodes and why"))), filter_(new QLineEdit), count_(new QLabel),
      costs_(new QLabel),
      again_(new QPushButton(themedIcon(QStringLiteral("run")), tr("Quantize again"))),
      rank_(new QPushButton(themedIcon(QStringLiteral("search")), tr("&Rank"))),
      type_(new QToolButton) {
    table_->setObjectName(QStringLiteral("decisionTable"));
    table_->setModel(&nodes_);
    showWholeTitles(*table_);
    table_->header()->moveSection(type_column, alone_column);  // the last column is stretched
    table_->setSortingEnabled(true);
    table_->sortByColumn(-1, Qt::AscendingOrder);
    table_->setEmptyText(
        tr("After quantizing, every node stands here with why it was quantized or not."));
    filter_->setObjectName(QStringLiteral("decisionFilter"));
    filter_->setPlaceholderText(tr("Filter"));
    filter_->setAccessibleName(tr("Filter of nodes"));
    filter_->setClearButtonEnabled(true);
    filter_->setMinimumWidth(fontMetrics().averageCharWidth() * 12);
    count_->setObjectName(QStringLiteral("decisionCount"));
    count_->setTextFormat(Qt::PlainText);
    count_->setForegroundRole(QPalette::PlaceholderText);
    again_->setObjectName(QStringLiteral("quantizeAgain"));
    again_->setToolTip(
        plainToolTip(tr("The best recipe once more, with the ticked nodes kept float and the types "
                        "chosen for weights")));
    costs_->setObjectName(QStringLiteral("decisionCosts"));
    costs_->setAccessibleName(tr("What costs accuracy"));
    costs_->setTextFormat(Qt::PlainText);
    costs_->setWordWrap(true);
    costs_->setContentsMargins(12, 0, 12, 4);
    rank_->setObjectName(QStringLiteral("quantizeRank"));
    rank_->setToolTip(
        plainToolTip(tr("Quantize each node alone, to see which cost accuracy and whether weights "
                        "or activations are to blame")));
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 4);
    bar->setSpacing(spacing);
    bar->addWidget(filter_, 1);
    bar->addWidget(count_, 1);
    bar->addWidget(rank_);
    bar->addWidget(type_);
    bar->addWidget(again_);
    makeTypeMenu();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(costs_);
    column->addWidget(table_, 1);

    connect(filter_, &QLineEdit::textChanged, &nodes_, &DecisionModel::setFilter);
    connect(&nodes_, &DecisionModel::keptChanged, this, [this] {
        NodeChoiceChange::Choice choice = NodeChoiceChange::of(quantizing_);
        choice.keepFloat.assign(nodes_.kept().begin(), nodes_.kept().end());
        if (choice == NodeChoiceChange::of(quantizing_)) return;
        history_.push(new NodeChoiceChange(quantizing_, tr("choose the nodes kept float"), choice));
    });
    connect(rank_, &QPushButton::clicked, &quantizing_, &app::Quantizing::rank);
    connect(again_, &QPushButton::clicked, &quantizing_, &app::Quantizing::requantize);
    connect(table_, &QAbstractItemView::doubleClicked, this, [this](const QModelIndex& index) {
        emit nodeActivated(exactText(nodes_.row(index.row()).decision.name));
    });
    connect(&quantizing_, &app::Quantizing::changed, this, &DecisionPanel::refresh);
    connect(&quantizing_, &app::Quantizing::choiceChanged, this, [this] {
        const auto& kept = quantizing_.choice().keepFloat;
        nodes_.setKept({kept.begin(), kept.end()});
        nodes_.setOwnTypes(quantizing_.choice().weightsOf);
        refreshBar();
    });
    refresh();
}

void DecisionPanel::makeTypeMenu() {
    type_->setObjectName(QStringLiteral("nodeType"));
    type_->setText(tr("Weights"));
    type_->setToolTip(plainToolTip(
        tr("Another type for the weights of the selected nodes, in static recipes and in blocks")));
    type_->setToolButtonStyle(Qt::ToolButtonTextOnly);
    type_->setPopupMode(QToolButton::InstantPopup);
    type_->setFocusPolicy(Qt::TabFocus);
    auto* menu = new QMenu(type_);
    menu->setObjectName(QStringLiteral("nodeTypeMenu"));
    menu->addAction(tr("As the recipe"), this, [this] { setTypeOfSelected({}); });
    for (const char* type : {"s8", "u8", "s4", "u4"})
        menu->addAction(typeText(type), this, [this, type] { setTypeOfSelected(type); })
            ->setObjectName(QLatin1String(type));
    type_->setMenu(menu);
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &DecisionPanel::refreshType);
}

void DecisionPanel::setTypeOfSelected(const std::string& type) {
    std::set<std::string> selected;
    for (const QModelIndex& line : table_->selectionModel()->selectedRows()) {
        const DecisionRow& row = nodes_.row(line.row());
        if (canBeKept(row) && canBeNamed(row.decision.name)) selected.insert(row.decision.name);
    }
    NodeChoiceChange::Choice choice = NodeChoiceChange::of(quantizing_);
    choice.weightsOf = withOwnTypes(std::move(choice.weightsOf), selected, type);
    if (choice == NodeChoiceChange::of(quantizing_)) return;
    history_.push(new NodeChoiceChange(quantizing_, tr("choose the type of weights"), choice));
}

void DecisionPanel::refresh() {
    const auto record = quantizing_.record();
    if (record != shown_) {
        shown_ = record;
        fill();
    }
    refreshBar();
}

void DecisionPanel::fill() {
    const bool first = nodes_.rowCount() == 0;
    const bool ranked = shown_ && shown_->sensitivity;
    std::map<std::string, const NodeSensitivity*> groups;
    if (ranked)
        for (const NodeSensitivity& group : shown_->sensitivity->groups)
            for (const std::string& name : group.names) groups[name] = &group;
    std::vector<DecisionRow> rows;
    std::map<std::string, QString> reasons;
    for (const NodeDecision& decision : shown_ ? shown_->nodes : std::vector<NodeDecision>()) {
        QString& reason = reasons[decision.reason];  // many nodes share one
        if (reason.isNull())
            reason = cellText(app::inWindowLanguage(decision.reason).toStdString());
        DecisionRow row{decision, {}, 0, reason};
        const auto group = groups.find(decision.name);
        if (group != groups.end() && decision.place == "main") {
            row.aloneDb = group->second->alone_db;
            row.share = group->second->share;
        }
        rows.push_back(std::move(row));
    }
    // Nodes with the largest loss come first; others keep the order of the graph.
    std::ranges::stable_sort(rows, std::greater<>(), &DecisionRow::share);
    nodes_.setRows(std::move(rows));
    table_->setColumnHidden(alone_column, !ranked);
    table_->setColumnHidden(share_column, !ranked);
    if (ranked) {
        table_->resizeColumnToContents(alone_column);
        table_->resizeColumnToContents(share_column);
    }
    if (first && nodes_.rowCount() > 0) {
        table_->resizeColumnToContents(name_column);
        const int most = fontMetrics().averageCharWidth() * 46;
        table_->setColumnWidth(name_column, std::min(table_->columnWidth(name_column), most));
        table_->resizeColumnToContents(now_column);
    }
}

QString DecisionPanel::costs() const {
    if (quantizing_.isRanking()) return tr("Each node is quantized alone …");
    if (!shown_ || !shown_->sensitivity || !shown_->diagnosis) return {};
    const QuantizeDiagnosis& found = *shown_->diagnosis;
    QStringList parts{tr("Weights alone %1, activations alone %2, both %3.")
                          .arg(formatDecibels(found.weights_db),
                               formatDecibels(found.activations_db),
                               formatDecibels(found.both_db))};
    if (!nodes_.kept().empty())
        parts << tr("With the ticked nodes float about %1 are expected.")
                     .arg(formatDecibels(predicted_db(*shown_->sensitivity, nodes_.kept())));
    else parts << tr("Tick nodes to see what keeping them float would give.");
    if (shown_->sensitivity->untried > 0)
        parts << tr("The time was over before %n other(s) were tried.", nullptr,
                    int(shown_->sensitivity->untried));
    return parts.join(u' ');
}

const QuantizeOptions* DecisionPanel::optionsOfBest() const {
    return shown_ && shown_->best >= 0 ? &shown_->trials[std::size_t(shown_->best)].options
                                       : nullptr;
}

void DecisionPanel::refreshType() {
    const QuantizeOptions* best = optionsOfBest();
    type_->setEnabled(best && !quantizing_.isRunning() && app::takeOwnTypes(*best) &&
                      table_->selectionModel()->hasSelection());
}

void DecisionPanel::refreshBar() {
    static const std::vector<NodeDecision> none;
    const std::vector<NodeDecision>& nodes = shown_ ? shown_->nodes : none;
    const auto quantized = std::ranges::count(nodes, true, &NodeDecision::quantized);
    count_->setText(
        nodes.empty()
            ? QString()
            : tr("%1 of %n node(s) quantized", nullptr, int(nodes.size())).arg(quantized));
    const std::size_t kept = nodes_.kept().size();
    again_->setText(kept > 0 ? tr("Quantize again, %1 float").arg(kept) : tr("Quantize again"));
    const QuantizeOptions* best = optionsOfBest();
    const bool isFree = best && !quantizing_.isRunning();
    const bool hasOtherFloat =
        isFree && std::set(best->keep_float.begin(), best->keep_float.end()) != nodes_.kept();
    const bool hasOtherTypes =
        isFree && app::takeOwnTypes(*best) && best->weights_of != quantizing_.choice().weightsOf;
    again_->setEnabled(hasOtherFloat || hasOtherTypes);
    refreshType();
    rank_->setEnabled(best && !quantizing_.isRunning());
    costs_->setText(costs());
    costs_->setVisible(!costs_->text().isEmpty());
}

}  // namespace lapidary::views
