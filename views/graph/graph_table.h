// SPDX-License-Identifier: GPL-3.0-or-later
// The graph as a table: one row per node, including nodes in bodies of control flow. It shows the
// same as the canvas.
#pragma once

#include <QWidget>

#include "canvas/graph_look.h"
#include "models/rows_model.h"
#include "widgets/table/table_view.h"

namespace lapidary::views {

class MessageBanner;

struct GraphRow {
    OutlineIndex leaf = 0;
    std::uint32_t order = 0;          // position in the file
    QString name, op, domain, place;  // place: path of control-flow bodies; empty in the main graph
    QString inputs, outputs;          // "f32[1,3] × f32[3]"
    std::int64_t parameters = 0;      // elements of constant inputs
};

/// Call it on a worker thread. Throws cancelled.
std::vector<GraphRow> makeGraphRows(const GraphOutline& outline, const CancelToken& cancel = {});

class GraphTable : public QWidget {
    Q_OBJECT
public:
    explicit GraphTable(QWidget* parent = nullptr);
    void setRows(std::shared_ptr<const std::vector<GraphRow>> rows);
    /// Milliseconds by leaf; null: the column stays empty.
    void setValues(LeafValuesPtr values);
    void setFilter(const QString& text);
    /// Selects these rows and shows that of the last one, without emitting leavesSelected().
    void selectLeaves(const std::vector<OutlineIndex>& leaves);
    /// Says above the rows why an edit of them could not be done; empty: nothing any more.
    void showRefusal(const QString& reason);
    TableView* view() const { return view_; }
    const RowsModel<GraphRow>& model() const { return model_; }

signals:
    void refusalDismissed();
    /// What is selected now, the current row last.
    void leavesSelected(const std::vector<lapidary::views::OutlineIndex>& leaves);
    void leafActivated(lapidary::views::OutlineIndex leaf);

private:
    struct Times {
        LeafValuesPtr values;
        double most = 0;
        double of(const GraphRow& row) const;  // NaN: not measured
    };
    static std::vector<Column<GraphRow>> columns(const std::shared_ptr<Times>& times);

    void publish(const QModelIndex& added);
    void showSelected();

    std::shared_ptr<Times> times_;
    RowsModel<GraphRow> model_;
    TableView* view_;
    MessageBanner* banner_;
    std::vector<OutlineIndex> selected_;  // also those whose rows a filter hides
    bool quiet_ = false;
};

}  // namespace lapidary::views
