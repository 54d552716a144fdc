// SPDX-License-Identifier: GPL-3.0-or-later
// The graph as a table: one row per node, including nodes in bodies of control flow. It shows the
// same as the canvas.
#pragma once

#include <QWidget>

#include "canvas/graph_look.h"
#include "models/rows_model.h"
#include "widgets/table/table_view.h"

namespace lapidary::views {

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
    /// Selects and shows the row without emitting leafSelected().
    void selectLeaf(OutlineIndex leaf);
    TableView* view() const { return view_; }
    const RowsModel<GraphRow>& model() const { return model_; }

signals:
    void leafSelected(lapidary::views::OutlineIndex leaf);
    void leafActivated(lapidary::views::OutlineIndex leaf);

private:
    struct Times {
        LeafValuesPtr values;
        double most = 0;
        double of(const GraphRow& row) const;  // NaN: not measured
    };
    static std::vector<Column<GraphRow>> columns(const std::shared_ptr<Times>& times);

    std::shared_ptr<Times> times_;
    RowsModel<GraphRow> model_;
    TableView* view_;
    OutlineIndex selected_ = noIndex;
    bool quiet_ = false;
};

}  // namespace lapidary::views
