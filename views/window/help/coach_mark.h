// SPDX-License-Identifier: GPL-3.0-or-later
// Points at a widget of a window and says what to do with it: a ring around the widget, and beside
// it a bubble with the text, the place in the tour, and buttons to go on or end the tour. The
// widget stays usable.
#pragma once

#include <QFrame>
#include <QLabel>
#include <QPointer>
#include <QPushButton>

namespace lapidary::views {

class CoachMark : public QFrame {
    Q_OBJECT
public:
    /// A child of `window`, hidden until something is shown.
    explicit CoachMark(QWidget* window);
    /// `next`: the text of the button that goes on; empty: the tour goes on when the user has done
    /// the step.
    void showStep(const QString& text, const QString& place, const QString& next);
    /// Points at the widget, also after it moved. If it is null or hidden, the bubble is in the
    /// middle of the window.
    void pointAt(QWidget* target);
    QString text() const { return text_->text(); }
    QWidget* target() const { return target_; }
    QPushButton* nextButton() const { return next_; }
    QPushButton* endButton() const { return end_; }

signals:
    void nextRequested();
    void endRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    class Ring;
    QRect placeFor(const QRect& target) const;
    QWidget* window_;
    Ring* ring_;
    QLabel *text_, *place_;
    QPushButton *next_, *end_;
    QPointer<QWidget> target_;
};

}  // namespace lapidary::views
