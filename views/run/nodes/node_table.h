// SPDX-License-Identifier: GPL-3.0-or-later
// Every node of a run with its times: filter, sort, jump to the graph.
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QStackedWidget>
#include <QToolButton>

#include <lapidary/graph/model.h>

#include "models/rows_model.h"
#include "run/run_digest.h"
#include "widgets/table/table_view.h"

namespace lapidary::views {

class OriginalNodes;

class NodeTable : public QWidget {
    Q_OBJECT
public:
    explicit NodeTable(QWidget* parent = nullptr);
    /// The variant that ran and the original with the sizes of that run: times can then be shown on
    /// either.
    void setGraphs(ModelPtr variant, ModelPtr original);
    void setNodes(std::shared_ptr<const std::vector<NodeRow>> nodes);
    /// Only nodes of this operator, or the original nodes they stand for; empty: all.
    void setOperator(const QString& op);
    /// Selects the node's row, if it is shown, without emitting a signal.
    void selectNode(NodeId node);
    TableView* table() const { return table_; }
    OriginalNodes* originals() const { return originals_; }
    QComboBox* nodesOf() const { return nodesOf_; }
    QLineEdit* filterEdit() const { return filter_; }

signals:
    void nodePicked(lapidary::NodeId node);
    void nodeActivated(lapidary::NodeId node);
    /// The user wants to see nodes of all operators again.
    void allOperatorsWanted();

private:
    bool showsOriginals() const;
    void showGraph();
    void showRows();
    RowsModel<NodeRow> model_;
    TableView* table_;
    OriginalNodes* originals_;
    QStackedWidget* tables_;
    QWidget* which_;
    QComboBox* nodesOf_;
    QLineEdit* filter_;
    QLabel* count_;
    QToolButton* only_;  // names the operator that all others are hidden for
    std::shared_ptr<const std::vector<NodeRow>> nodes_;
    QString operator_;
    bool silent_ = false;
};

}  // namespace lapidary::views
