// SPDX-License-Identifier: GPL-3.0-or-later
// The column of pages at the left edge of the window, and beneath them the switches of the panels.
#pragma once

#include <QAbstractButton>
#include <QAction>
#include <QFont>
#include <QFrame>
#include <QHBoxLayout>
#include <QVBoxLayout>

namespace lapidary::views {

/// One page: icon above its name, the current one marked with an accent bar.
class RailButton : public QAbstractButton {
    Q_OBJECT
public:
    explicit RailButton(QAction* action, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    /// Closer to its neighbours in a low window.
    QSize minimumSizeHint() const override;
    /// Sets the number at the icon; 0: none. `what`: is added to the tool tip and the accessible
    /// description. `isWrong`: in red.
    void setBadge(int count, const QString& what, bool isWrong = false);
    int badge() const { return badge_; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    friend class ModeRail;  // which sizes all buttons alike
    void refreshTip();
    /// The font of the name.
    QFont labelFont(bool bold) const;

    QString hint_;  // name and key
    QString what_;  // the text of the badge
    int badge_ = 0;
    bool isWrong_ = false;
    int width_;
    double shrink_ = 1;  // of the name's font
};

class ModeRail : public QFrame {
    Q_OBJECT
public:
    explicit ModeRail(QWidget* parent = nullptr);
    /// Adds a page. The action is checkable, and is checked while its page is shown.
    void addPage(QAction* action);
    /// Adds an icon at the foot that opens and closes a panel. The action is checked while the
    /// panel is open. Only the mouse uses it: the View menu has the action for the keyboard.
    void addPanel(QAction* action);
    RailButton* button(const QString& id) const {
        return findChild<RailButton*>(QStringLiteral("rail_") + id);
    }

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    /// Makes the rail as wide as its longest name needs, within limits; a name that needs more
    /// makes the font of all names smaller.
    void fitNames();

    QVBoxLayout* layout_;
    QHBoxLayout* panels_;  // the last item
};

}  // namespace lapidary::views
