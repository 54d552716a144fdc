// SPDX-License-Identifier: GPL-3.0-or-later
// What's This: explains the control under the mouse or with the keyboard focus. The text consists
// of the control's name, its tool tip and a description of its part of the page, with a link to the
// help.
#pragma once

#include <QObject>
#include <QPoint>
#include <QWidget>

#include <functional>

namespace lapidary::views {

class WhatsThis : public QObject {
    Q_OBJECT
public:
    /// `show`: opens a page of the help by its name.
    explicit WhatsThis(std::function<void(const QString&)> show, QObject* parent = nullptr);

    /// The explanation as rich text; empty: there is none. `at`: in the widget's coordinates.
    static QString textFor(const QWidget& widget, const QPoint& at = {});
    /// A translated text about the part of a page that has this object name; empty: there is
    /// none.
    static QString partText(const QString& objectName);

public slots:
    /// The next click explains the control that it hits.
    void point();
    /// Explains the control that has the keyboard focus.
    void explainFocus();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    std::function<void(const QString&)> show_;
};

}  // namespace lapidary::views
