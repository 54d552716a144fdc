// SPDX-License-Identifier: GPL-3.0-or-later
// Points at a widget of a window and says what to do with it, without being in the way of doing it:
// a ring around it, and beside it a bubble with the text, where one is in the tour, and buttons to
// go on or end it.
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
    /// `next`: the text of the button that goes on; empty: what is asked for goes on by itself.
    void showStep(const QString& text, const QString& place, const QString& next);
    /// Follows the widget to wherever it is now; null, or one that cannot be seen: the bubble
    /// stands in the middle.
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
