// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/graph_table.h"

#include <QHeaderView>
#include <QItemSelectionModel>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "widgets/cards/message_banner.h"
#include "widgets/table/column_width.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int timeColumn = 3, placeColumn = 8;

QString typesOf(const Graph& graph, const std::vector<ValueId>& values) {
    QString result;
    int shown = 0;
    for (ValueId v : values) {
        if (!v) continue;
        if (++shown > 8) return result + QStringLiteral(" …");
        if (!result.isEmpty()) result += QStringLiteral(", ");
        result += labelText(to_string(graph.value(v).type), 80);
    }
    return result;
}

}  // namespace

std::vector<GraphRow> makeGraphRows(const GraphOutline& outline, const CancelToken& cancel) {
    std::vector<GraphRow> rows;
    for (OutlineIndex index = 0; index < outline.leaves().size(); ++index) {
        const OutlineLeaf& leaf = outline.leaves()[index];
        if (leaf.kind != OutlineLeaf::Kind::Node) continue;
        if (rows.size() % 512 == 0) cancel.throw_if_cancelled();
        const Node& node = outline.nodeOf(leaf);
        const Graph& graph = *outline.places()[leaf.place].graph;
        GraphRow row;
        row.leaf = index;
        row.order = static_cast<std::uint32_t>(rows.size());
        row.name = labelText(node.name, 400);
        row.op = labelText(node.op_type, 120);
        row.domain = node.domain.empty() ? QStringLiteral("ai.onnx") : labelText(node.domain, 120);
        for (OutlineIndex g = leaf.group; g != noIndex; g = outline.groups()[g].parent) {
            const OutlineGroup& group = outline.groups()[g];
            if (group.kind == OutlineGroup::Kind::Body || group.kind == OutlineGroup::Kind::Control)
                row.place = row.place.isEmpty() ? group.label : group.label + u'/' + row.place;
        }
        row.inputs = typesOf(graph, node.inputs);
        row.outputs = typesOf(graph, node.outputs);
        for (ValueId v : node.inputs) {
            if (v && graph.value(v).is_constant() && graph.value(v).constant)
                row.parameters += graph.value(v).constant->size();
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

double GraphTable::Times::of(const GraphRow& row) const {
    if (!values || row.leaf >= values->byLeaf.size())
        return std::numeric_limits<double>::quiet_NaN();
    return values->byLeaf[row.leaf];
}

std::vector<Column<GraphRow>> GraphTable::columns(const std::shared_ptr<Times>& times) {
    return {
        {QT_TRANSLATE_NOOP("Columns", "#"), [](const GraphRow& r) -> QVariant { return r.order; }},
        {QT_TRANSLATE_NOOP("Columns", "Name"),
         [](const GraphRow& r) -> QVariant { return r.name; }},
        {QT_TRANSLATE_NOOP("Columns", "Operator"),
         [](const GraphRow& r) -> QVariant { return r.op; }},
        {QT_TRANSLATE_NOOP("Columns", "Time"),
         [times](const GraphRow& r) -> QVariant {
             const double ms = times->of(r);
             return std::isnan(ms) ? -1.0 : ms;
         },
         [times](const GraphRow& r) {
             const double ms = times->of(r);
             return std::isnan(ms) ? QString() : formatMilliseconds(ms);
         },
         {},
         [times](const GraphRow& r) {
             const double ms = times->of(r);
             return std::isnan(ms) || times->most <= 0 ? 0.0 : ms / times->most;
         }},
        {QT_TRANSLATE_NOOP("Columns", "Inputs"),
         [](const GraphRow& r) -> QVariant { return r.inputs; }},
        {QT_TRANSLATE_NOOP("Columns", "Outputs"),
         [](const GraphRow& r) -> QVariant { return r.outputs; }},
        {QT_TRANSLATE_NOOP("Columns", "Parameters"),
         [](const GraphRow& r) -> QVariant { return qlonglong(r.parameters); },
         [](const GraphRow& r) {
             return r.parameters == 0 ? QString() : formatCount(r.parameters);
         }},
        {QT_TRANSLATE_NOOP("Columns", "Domain"),
         [](const GraphRow& r) -> QVariant { return r.domain; }},
        {QT_TRANSLATE_NOOP("Columns", "Inside"),
         [](const GraphRow& r) -> QVariant { return r.place; }},
    };
}

GraphTable::GraphTable(QWidget* parent)
    : QWidget(parent), times_(std::make_shared<Times>()), model_(columns(times_)),
      view_(new TableView(tr("Nodes"))), banner_(new MessageBanner) {
    view_->setObjectName(QStringLiteral("graphTable"));
    view_->setModel(&model_);
    view_->setSortingEnabled(true);
    view_->header()->setSortIndicatorClearable(true);
    view_->header()->setResizeContentsPrecision(0);
    view_->sortByColumn(-1, Qt::AscendingOrder);
    view_->setEmptyText(tr("No node fits."));
    const int widths[] = {52, 240, 140, 96, 260, 180, 100, 100, 140};
    for (int i = 0; i < model_.columnCount(); ++i) view_->setColumnWidth(i, widths[i]);
    view_->setColumnHidden(timeColumn, true);
    view_->setColumnHidden(placeColumn, true);
    showWholeTitles(*view_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(banner_);
    layout->addWidget(view_, 1);
    connect(banner_, &MessageBanner::dismissed, this, &GraphTable::refusalDismissed);
    // a key selects a row before it becomes the current one, a click selects it afterwards
    connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) { publish(current); });
    connect(view_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this](const QItemSelection& added) {
                publish(added.isEmpty() ? view_->currentIndex() : added.indexes().back());
            });
    connect(view_, &QAbstractItemView::activated, this,
            [this](const QModelIndex& index) { emit leafActivated(model_.row(index.row()).leaf); });
}

/// `added`: a row that was selected now, which leads unless the current row is selected.
void GraphTable::publish(const QModelIndex& added) {
    if (quiet_ || !model_.rows()) return;
    const QItemSelectionModel& selection = *view_->selectionModel();
    const QModelIndex current = view_->currentIndex();
    const auto isSelected = [&](const QModelIndex& index) {
        return index.isValid() && selection.isRowSelected(index.row(), QModelIndex());
    };
    const int lead = isSelected(current) ? current.row() : isSelected(added) ? added.row() : -1;
    std::vector<OutlineIndex> leaves;
    for (const QModelIndex& row : selection.selectedRows())
        if (row.row() != lead) leaves.push_back(model_.row(row.row()).leaf);
    std::ranges::sort(leaves);  // in the order of the file
    if (lead >= 0) leaves.push_back(model_.row(lead).leaf);
    if (leaves == selected_) return;
    selected_ = leaves;
    emit leavesSelected(leaves);
}

void GraphTable::showRefusal(const QString& reason) {
    if (reason.isEmpty()) banner_->hide();
    else
        banner_->showMessage(MessageBanner::Kind::error, tr("The edit is not done"), reason,
                             reason);
}

void GraphTable::setRows(std::shared_ptr<const std::vector<GraphRow>> rows) {
    quiet_ = true;
    selected_.clear();
    times_->values = nullptr;
    bool inside = false;
    if (rows)
        inside = std::any_of(rows->begin(), rows->end(),
                             [](const GraphRow& r) { return !r.place.isEmpty(); });
    model_.setRows(std::move(rows));
    view_->setColumnHidden(timeColumn, true);
    view_->setColumnHidden(placeColumn, !inside);
    quiet_ = false;
}

void GraphTable::setValues(LeafValuesPtr values) {
    quiet_ = true;
    times_->values = std::move(values);
    times_->most = 0;
    if (times_->values) {
        for (float v : times_->values->byLeaf) {
            if (!std::isnan(v)) times_->most = std::max(times_->most, static_cast<double>(v));
        }
    }
    view_->setColumnHidden(timeColumn, times_->values == nullptr);
    model_.setRows(model_.rows());  // order and filter may depend on the new numbers
    quiet_ = false;
    showSelected();
}

void GraphTable::setFilter(const QString& filter) {
    quiet_ = true;
    model_.setFilter(filter);
    quiet_ = false;
    showSelected();
}

void GraphTable::selectLeaves(const std::vector<OutlineIndex>& leaves) {
    if (leaves == selected_) return;
    selected_ = leaves;
    showSelected();
}

void GraphTable::showSelected() {
    quiet_ = true;
    const std::unordered_set<OutlineIndex> wanted(selected_.begin(), selected_.end());
    QItemSelection rows;
    int lead = -1;
    for (int line = 0; !wanted.empty() && line < model_.rowCount(); ++line) {
        const OutlineIndex leaf = model_.row(line).leaf;
        if (!wanted.contains(leaf)) continue;
        if (leaf == selected_.back()) lead = line;
        const QModelIndex first = model_.index(line, 0);
        if (!rows.isEmpty() && rows.back().bottom() == line - 1)
            rows.back() = QItemSelectionRange(rows.back().topLeft(), first);
        else rows.append(QItemSelectionRange(first));
    }
    if (lead < 0) {
        view_->selectionModel()->clear();
    } else {
        const QModelIndex index = model_.index(lead, 0);
        view_->selectionModel()->setCurrentIndex(index, QItemSelectionModel::NoUpdate);
        view_->selectionModel()->select(
            rows, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        view_->scrollTo(index);
    }
    quiet_ = false;
}

}  // namespace lapidary::views
