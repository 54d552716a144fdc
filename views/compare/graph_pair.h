// SPDX-License-Identifier: GPL-3.0-or-later
// The graphs of A and B side by side. They are panned together, so that corresponding nodes are at
// the same height.
#pragma once

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QWidget>

#include "canvas/graph_canvas.h"
#include "compare/pair_drawing.h"
#include "workbench/workbench.h"

namespace lapidary::views {

class GraphPair : public QWidget {
    Q_OBJECT
public:
    explicit GraphPair(app::Workbench& workbench, QWidget* parent = nullptr);
    /// The pair is laid out when the widget is visible. Null: nothing to show.
    void setPair(app::VariantPtr a, app::VariantPtr b);
    const PairDrawingPtr& drawing() const { return drawing_; }
    GraphCanvas* canvas(app::Slot slot) const { return slot == app::Slot::A ? a_ : b_; }
    QString sentence() const { return sentence_->text(); }

signals:
    void drawn();

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* pane(GraphCanvas* canvas, QLabel* title);
    void layOut();
    void showDrawing(PairDrawingPtr drawing);
    void link(GraphCanvas* from, GraphCanvas* to);
    const PairSide& sideOf(const GraphCanvas* canvas) const {
        return canvas == a_ ? drawing_->a : drawing_->b;
    }
    void toggle(GraphCanvas* canvas, OutlineIndex group);
    void follow(const GraphCanvas* from, GraphCanvas* to);
    void nextDifference();

    app::Workbench& workbench_;
    app::VariantPtr variantA_, variantB_;
    QCheckBox* changesOnly_;
    QPushButton* next_;
    QLabel *sentence_, *titleA_, *titleB_;
    GraphCanvas *a_, *b_;
    PairDrawingPtr drawing_;
    app::LatestJob job_, toggling_;
    bool stale_ = false;  // the pair was not laid out yet
    bool linking_ = false;
    std::size_t shown_ = 0;  // the difference that was shown last
};

}  // namespace lapidary::views
