// SPDX-License-Identifier: GPL-3.0-or-later
// Time by name scope: the icicle, where it is zoomed to, and its table twin.
#pragma once

#include <QLabel>
#include <QStackedWidget>
#include <QToolButton>

#include "models/rows_model.h"
#include "run/nodes/icicle_view.h"
#include "widgets/table/table_view.h"

namespace lapidary::views {

struct ScopeRow {
    QString scope;
    int index = 0;  // into ScopeTree::nodes
    int nodes = 0;
    double ms = 0, share = 0;
};

class ScopePanel : public QWidget {
    Q_OBJECT
public:
    explicit ScopePanel(QWidget* parent = nullptr);
    void setTree(IcicleView::Tree tree);
    IcicleView* icicle() const { return icicle_; }
    TableView* table() const { return table_; }
    QToolButton* asTable() const { return asTable_; }

private:
    void showZoom();
    IcicleView* icicle_;
    RowsModel<ScopeRow> rows_;
    TableView* table_;
    QStackedWidget* stack_;
    QLabel* where_;
    QToolButton *out_, *asTable_;
};

}  // namespace lapidary::views
