// SPDX-License-Identifier: GPL-3.0-or-later
// The column of pages at the left edge of the window.
#pragma once

#include <QAbstractButton>
#include <QAction>
#include <QFrame>
#include <QVBoxLayout>

namespace lapidary::views {

/// One page: icon above its name, the current one marked with an accent bar.
class RailButton : public QAbstractButton {
    Q_OBJECT
public:
    explicit RailButton(QAction* action, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
};

class ModeRail : public QFrame {
    Q_OBJECT
public:
    explicit ModeRail(QWidget* parent = nullptr);
    /// Checkable; checked is the page shown.
    void addPage(QAction* action);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QVBoxLayout* layout_;
};

}  // namespace lapidary::views
