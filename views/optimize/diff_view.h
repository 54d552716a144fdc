// SPDX-License-Identifier: GPL-3.0-or-later
// Before and after: on top of each other, or side by side with common pan and zoom. The last step
// over the original is drawn as what it is, laid out for itself, unless that is switched off.
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
    /// Whether the last step is laid out for itself in place of the overlay.
    void setCompact(bool compact);
    bool showsCompact() const;
    /// Marks the nodes of a near miss in the graph that is shown last; null: the rewrites' marks
    /// again. False when none of them is drawn.
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
    GraphScenePtr lastCompact_;  // that was shown; its places are not those of other steps
    QSplitter* splitter_;
    QWidget *beforePane_, *afterPane_;
    QLabel *beforeTitle_, *afterTitle_;
    GraphCanvas *before_, *after_;
    bool linking_ = false;
};

}  // namespace lapidary::views
