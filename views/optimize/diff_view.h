// SPDX-License-Identifier: GPL-3.0-or-later
// Before and after: side by side with common pan and zoom, or on top of each other.
#pragma once

#include <QLabel>
#include <QSplitter>
#include <QWidget>

#include "canvas/graph_canvas.h"
#include "optimize/step_film.h"

namespace lapidary::views {

class DiffView : public QWidget {
    Q_OBJECT
public:
    enum class Mode { Split, Overlay };
    explicit DiffView(QWidget* parent = nullptr);

    /// Null: nothing to show. Zooms to the step when it changed and has a place.
    void show(StepFilmPtr film, DiffScenesPtr diff, bool zoomToStep);
    const DiffScenesPtr& diff() const { return diff_; }
    void setMode(Mode mode);
    Mode mode() const { return mode_; }
    /// Marks the nodes of a near miss in the graph that is shown last; null: the rewrites' marks again. False when
    /// none of them is drawn.
    bool markMiss(const NearMiss* miss);
    void zoomToStep();
    void fit();
    GraphCanvas* before() const { return before_; }
    GraphCanvas* after() const { return after_; }

private:
    void apply();
    QRectF readable(QRectF area) const;
    void link(GraphCanvas* from, GraphCanvas* to);
    void showCounterpart(GraphCanvas* from, GraphCanvas* to, const GraphSelection& selection);
    QWidget* pane(GraphCanvas* canvas, QLabel* title);

    Mode mode_ = Mode::Split;
    StepFilmPtr film_;
    DiffScenesPtr diff_;
    QSplitter* splitter_;
    QWidget *beforePane_, *afterPane_;
    QLabel *beforeTitle_, *afterTitle_;
    GraphCanvas *before_, *after_;
    bool linking_ = false;
};

}  // namespace lapidary::views
