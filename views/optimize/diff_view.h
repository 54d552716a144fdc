// SPDX-License-Identifier: GPL-3.0-or-later
// The graphs before and after a rewrite, in one drawing or side by side with common pan and zoom.
// The last step compared with the original has a layout of its own, unless that is switched off.
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

    /// Null: nothing to show. `zoomToStep`: zooms to the step if it has a place in the drawing.
    void show(StepFilmPtr film, DiffScenesPtr diff, bool zoomToStep);
    const DiffScenesPtr& diff() const { return diff_; }
    void setMode(Mode mode);
    Mode mode() const { return mode_; }
    /// Whether the last step gets a layout of its own instead of the overlay.
    void setCompact(bool compact);
    bool showsCompact() const;
    /// Marks the nodes of a near miss in the graph after the step; null: shows the marks of
    /// rewrites again. False if none of the nodes is drawn.
    bool markMiss(const NearMiss* miss);
    void zoomToStep();
    void fit();
    GraphCanvas* before() const { return before_; }
    GraphCanvas* after() const { return after_; }

private:
    void apply();
    void applyCompact();
    QRectF readable(QRectF area) const;
    void link(GraphCanvas* from, GraphCanvas* to);
    void showCounterpart(GraphCanvas* from, GraphCanvas* to, const GraphSelection& selection);
    QWidget* pane(GraphCanvas* canvas, QLabel* title);

    Mode mode_ = Mode::Overlay;
    bool compact_ = true;
    StepFilmPtr film_;
    DiffScenesPtr diff_;
    GraphScenePtr
        lastCompact_;  // the own layout that was shown; its places differ from those of other steps
    QSplitter* splitter_;
    QWidget *beforePane_, *afterPane_;
    QLabel *beforeTitle_, *afterTitle_;
    GraphCanvas *before_, *after_;
    bool linking_ = false;
};

}  // namespace lapidary::views
