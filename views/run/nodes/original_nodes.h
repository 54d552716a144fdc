// SPDX-License-Identifier: GPL-3.0-or-later
// Times of a run on an optimized variant, rolled back onto the nodes of the model as it was opened.
#pragma once

#include <QLabel>

#include <lapidary/cost/cost_rollback.h>

#include "models/rows_model.h"
#include "widgets/table/table_view.h"

namespace lapidary::views {

class OriginalNodes : public QWidget {
    Q_OBJECT
public:
    explicit OriginalNodes(QWidget* parent = nullptr);
    /// The variant that ran and the original with the sizes of that run; null: nothing is shown.
    void setGraphs(ModelPtr variant, ModelPtr original);
    const ModelPtr& original() const { return original_; }
    void setTotals(const std::vector<NodeTotal>& totals);
    void clear();
    void setFilter(const QString& text) { model_.setFilter(text); }
    /// Selects the node's row, if it is shown, without emitting a signal.
    void selectNode(NodeId node);
    int shownRows() const { return model_.rowCount(); }
    int allRows() const { return model_.rows() ? int(model_.rows()->size()) : 0; }
    const RowsModel<NodeCost>& model() const { return model_; }
    TableView* table() const { return table_; }

signals:
    /// Only nodes that the variant still has.
    void nodePicked(lapidary::NodeId node);
    void nodeActivated(lapidary::NodeId node);

private:
    ModelPtr variant_, original_;
    RowsModel<NodeCost> model_;
    TableView* table_;
    QLabel* note_;
    bool silent_ = false;
};

}  // namespace lapidary::views
