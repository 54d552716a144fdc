// SPDX-License-Identifier: GPL-3.0-or-later
// Time by name scope as an icicle: a row per depth, as wide as the time. Click picks, double click
// zooms into a scope or shows a node in the graph, arrow keys walk, Return zooms, Backspace zooms
// out. ScopePanel's table is its table twin.
#pragma once

#include <QAbstractScrollArea>

#include <memory>

#include "run/nodes/scope_tree.h"

namespace lapidary::views {

class IcicleView : public QAbstractScrollArea {
    Q_OBJECT
public:
    using Tree = std::shared_ptr<const ScopeTree>;
    explicit IcicleView(QWidget* parent = nullptr);

    void setTree(Tree tree);
    const Tree& tree() const { return tree_; }
    int zoomed() const { return zoomed_; }    // the scope that fills the width
    int current() const { return current_; }  // -1: none
    /// Fills the width with a scope.
    void zoomTo(int scope);
    void zoomOut();
    /// Makes the node's leaf current, if it is there, without emitting a signal.
    void setFocusedNode(NodeId node);
    QString sentenceOf(int index) const;
    /// The part that lies at a place of the viewport; -1: none.
    int partAt(const QPoint& at) const;
    QRect rectOf(int index) const;  // viewport coordinates; null where it is not shown

signals:
    void nodePicked(lapidary::NodeId node);
    void nodeActivated(lapidary::NodeId node);
    void hovered(const QString& sentence);
    void zoomChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    int rowHeight() const;
    bool isWithin(int index, int scope) const;
    void makeCurrent(int index);
    void activate(int index);
    void paintPart(QPainter& painter, int index) const;
    QColor colorOf(const ScopeNode& node) const;
    void updateScrollBar();

    Tree tree_;
    int zoomed_ = 0, current_ = -1, hover_ = -1;
};

}  // namespace lapidary::views
