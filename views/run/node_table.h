// SPDX-License-Identifier: GPL-3.0-or-later
// Every node of a run with its times: filter, sort, jump to the graph.
#pragma once

#include <QLabel>
#include <QLineEdit>

#include <lapidary/profile.h>

#include "models/rows_model.h"
#include "widgets/table_view.h"

namespace lapidary::views {

class NodeTable : public QWidget {
    Q_OBJECT
public:
    explicit NodeTable(QWidget* parent = nullptr);
    void setNodes(std::shared_ptr<const std::vector<NodeTotal>> nodes);
    /// Only nodes of this operator; empty: all.
    void setOperator(const QString& op);
    /// Selects the node's row, if it is shown, without telling anyone.
    void selectNode(NodeId node);
    TableView* table() const { return table_; }
    QLineEdit* filterEdit() const { return filter_; }

signals:
    void nodePicked(lapidary::NodeId node);
    void nodeActivated(lapidary::NodeId node);

private:
    void showRows();
    RowsModel<NodeTotal> model_;
    TableView* table_;
    QLineEdit* filter_;
    QLabel* count_;
    std::shared_ptr<const std::vector<NodeTotal>> nodes_;
    QString operator_;
    bool silent_ = false;
};

}  // namespace lapidary::views
