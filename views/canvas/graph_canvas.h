// SPDX-License-Identifier: GPL-3.0-or-later
// The drawn model, with panning, zooming, selecting and following lines by keyboard. It knows no
// document; GraphPage sets what it shows.
#pragma once

#include <QMenu>
#include <QWidget>

#include "canvas/canvas_overlay.h"
#include "canvas/graph_painter.h"
#include "canvas/group_names.h"

namespace lapidary::views {

/// The selection on the canvas. It refers to the outline, so that it stays valid in other scenes.
struct GraphSelection {
    OutlineIndex leaf = noIndex, group = noIndex, tensor = noIndex;
    std::vector<OutlineIndex> others = {};  // leaves that are selected besides `leaf`
    bool isEmpty() const { return leaf == noIndex && group == noIndex && tensor == noIndex; }
    /// Whether both show the same to views that know one selected thing: `others` aside.
    bool leadsAs(const GraphSelection& other) const {
        return leaf == other.leaf && group == other.group && tensor == other.tensor;
    }
    /// All selected leaves, `leaf` last.
    std::vector<OutlineIndex> leaves() const;
    friend bool operator==(const GraphSelection&, const GraphSelection&) = default;
};

class GraphCanvas : public QWidget {
    Q_OBJECT
public:
    explicit GraphCanvas(QWidget* parent = nullptr);

    /// Shows another scene. A scene of the same outline keeps its place on the screen,
    /// `anchorGroup` first.
    void setScene(GraphScenePtr scene, OutlineIndex anchorGroup = noIndex);
    const GraphScenePtr& scene() const { return scene_; }
    /// Shows another graph drawn in the same coordinates. Scale and place stay, the selection is
    /// cleared.
    void replaceScene(GraphScenePtr scene);
    /// What rewrites did to the boxes of the scene, by box.
    void setMarks(std::vector<BoxMark> marks, std::vector<SceneBracket> brackets = {});
    /// Texts on boxes, until another scene comes.
    void setPins(std::vector<ScenePin> pins);
    const std::vector<ScenePin>& pins() const { return look_.pins; }
    const std::vector<BoxMark>& marks() const { return look_.marks; }
    const std::vector<SceneBracket>& brackets() const { return look_.brackets; }
    /// Marked boxes of a second scene in the same coordinates, drawn beneath the first; null: none.
    void setGhost(GraphScenePtr scene, std::vector<BoxMark> marks);
    const GraphScenePtr& ghost() const { return ghost_; }
    const GraphLook& ghostLook() const { return ghostLook_; }

    void setColorBy(ColorBy colorBy);
    ColorBy colorBy() const { return look_.colorBy; }
    /// Numbers for ColorBy::Value; null: none. Groups show the sum of what they hold or, with
    /// `weights`, the mean; `most` is the end of the gradient, 0: the largest number of a box.
    void setValues(LeafValuesPtr values, LeafValuesPtr weights = nullptr, double most = 0);
    const LeafValuesPtr& values() const { return values_; }
    /// For ColorBy::Kind; null: none.
    void setKinds(LeafKindsPtr kinds);
    const LeafKindsPtr& kinds() const { return kinds_; }
    const std::vector<float>& heat() const { return look_.heat; }
    const GraphLook& look() const { return look_; }

    /// Shows a selection without emitting selectionChanged().
    void setSelection(const GraphSelection& selection);
    const GraphSelection& selection() const { return selection_; }
    /// Selects the leaves, the last one as GraphSelection::leaf, and emits selectionChanged().
    void selectLeaves(const std::vector<OutlineIndex>& leaves);
    const std::vector<OutlineIndex>& matches() const {
        return matches_;
    }  // leaves marked by setMatches()
    /// Leaves that a search found; the boxes that show them are ringed.
    void setMatches(std::vector<OutlineIndex> leaves, OutlineIndex current = noIndex);

    /// Lets the user drag the arrow head of a line to what its reader is to read instead.
    void setRewirable(bool rewirable) { isRewirable_ = rewirable; }

    double scale() const { return scale_; }
    QRectF visibleArea() const;  // scene coordinates
    QPointF toScene(const QPointF& at) const { return at / scale_ + origin_; }
    QPointF fromScene(const QPointF& at) const { return (at - origin_) * scale_; }
    QPointF origin() const { return origin_; }
    /// The same part as another canvas shows.
    void showView(double scale, const QPointF& origin);
    void zoomBy(double factor, const QPointF& around);
    /// Brings the area into the middle, no closer than `mostScale`.
    void fitArea(const QRectF& area, double mostScale = 1);
    /// Places legend and map where they cover least of the visible drawing. fitArea() does this
    /// itself.
    void arrangeOverlay();
    /// Folds the mini-map or the legend to a word in its corner. Both fold by themselves if they
    /// would cover cards at first.
    void setMapFolded(bool folded);
    void setLegendFolded(bool folded);
    const CanvasOverlay& overlay() const { return overlay_; }
    OverlaySubject overlaySubject() const;  // requires a scene
    /// Puts the box into the middle, large enough to read.
    void centreOn(OutlineIndex box);
    /// Scrolls only as far as needed to bring the box into view; with `centre` into the middle.
    void reveal(OutlineIndex box, bool centre = false);
    /// The names of groups that are drawn over the scene now.
    std::vector<GroupName> groupNames() const;
    OutlineIndex selectedBox() const { return look_.selectedBox; }
    /// Paints what is seen, in the coordinates of the widget and in these colours, with any
    /// painter.
    void paintSeen(QPainter& painter, const QPalette& colors);
    QSize sizeHint() const override { return {800, 600}; }
    QSize minimumSizeHint() const override { return {240, 200}; }

public slots:
    void zoomIn();
    void zoomOut();
    void resetZoom();
    void fit();
    void fitSelection();

signals:
    void selectionChanged(const lapidary::views::GraphSelection& selection);
    void groupToggled(lapidary::views::OutlineIndex group);
    void viewChanged();
    /// The user is about to jump to another part of the drawing; what is seen is still the old one.
    void jumping();
    /// The arrow head of a line was dragged onto a box or another line. `reader`: the leaf where
    /// the line of `tensor` ended. One of `leaf` and `other` is noIndex.
    void rewireRequested(lapidary::views::OutlineIndex tensor, lapidary::views::OutlineIndex reader,
                         lapidary::views::OutlineIndex leaf, lapidary::views::OutlineIndex other);
    /// The context menu is about to open. The receiver that knows the model adds actions for the
    /// selection.
    void menuOpened(QMenu* menu);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void firstView();
    double roomForWords() const;
    void paintOverlay(QPainter& painter, const QPalette& colors);
    void paintPins(QPainter& painter, const QPalette& colors) const;
    bool pressOverlay(const QPointF& at);
    void addOverlayActions(QMenu& menu);
    void setView(double scale, QPointF origin);
    void moveTo(const QPointF& sceneTopLeft) { setView(scale_, sceneTopLeft); }
    void fitRect(const QRectF& area, double mostScale);
    double leastScale() const;
    void refreshLook();
    void refreshHeat();
    void refreshKinds();
    void refreshNotes();
    void choose(const GraphSelection& selection);
    GraphSelection selectionAt(OutlineIndex box) const;
    OutlineIndex boxOf(const GraphSelection& selection) const;
    OutlineIndex boxAt(const QPointF& at) const;
    OutlineIndex tensorAt(const QPointF& at) const;
    bool onToggle(OutlineIndex box, const QPointF& at) const;
    bool jumpStub(const QPointF& at);
    void showEntered(OutlineIndex group);
    void step(int key, bool extends);
    std::vector<OutlineIndex> leavesOfBox(OutlineIndex box) const;
    void extendTo(OutlineIndex box);
    void switchSelected(OutlineIndex box);
    OutlineIndex lineForMenu(const QContextMenuEvent& event, OutlineIndex box) const;
    void selectWithin(const QRectF& area);
    void paintBand(QPainter& painter) const;
    OutlineIndex arrowAt(const QPointF& at) const;
    void dropWire(const QPointF& at);
    void paintWire(QPainter& painter) const;
    bool pressNavigationKey(int key);
    OutlineIndex outermost(bool first) const;
    OutlineIndex otherEnd(OutlineIndex line, bool against) const;
    OutlineIndex throughFrames(OutlineIndex box, OutlineIndex tensor, bool against) const;
    OutlineIndex neighbour(OutlineIndex box, bool against) const;
    OutlineIndex sibling(OutlineIndex box, int side) const;
    void toggleSelected();
    QString describe(OutlineIndex box) const;
    QString describeTensor(OutlineIndex tensor) const;
    void announce();

    GraphScenePtr scene_, ghost_;
    GraphPainter painter_, ghostPainter_;
    GraphLook look_, ghostLook_;
    CanvasOverlay overlay_;
    LeafValuesPtr values_, weights_;
    LeafKindsPtr kinds_;
    double givenMost_ = 0;
    GraphSelection selection_;
    std::vector<OutlineIndex> matches_;
    OutlineIndex currentMatch_ = noIndex;
    double scale_ = 1;
    QPointF origin_;           // scene point in the upper left corner
    bool viewChosen_ = false;  // false: the next resize may choose the first view again
    enum class Drag { None, Maybe, Pan, Map, Band, Wire } drag_ = Drag::None;
    QPointF dragStart_, dragOrigin_;
    QPointF dragEnd_;                 // of a rubber band or a wire
    OutlineIndex entered_ = noIndex;  // group of the double click that opens it
    OutlineIndex wire_ = noIndex;     // the line whose arrow head the button went down on
    bool isRewirable_ = false;
    bool extends_ = false;  // Shift was held when the button went down
    bool spaceHeld_ = false;
};

}  // namespace lapidary::views
