// SPDX-License-Identifier: GPL-3.0-or-later
// What's This: what the control under the mouse or with the keyboard is for. Every control has an
// answer, made of its name, its tip and what the part of the page that it belongs to is about, with
// a link to the help.
#pragma once

#include <QObject>
#include <QPoint>
#include <QWidget>

#include <functional>

namespace lapidary::views {

class WhatsThis : public QObject {
    Q_OBJECT
public:
    /// `show` opens a page of the help by its name.
    explicit WhatsThis(std::function<void(const QString&)> show, QObject* parent = nullptr);

    /// Rich text; empty: there is nothing to say about what lies there. `at` in the widget's own
    /// coordinates.
    static QString textFor(const QWidget& widget, const QPoint& at = {});
    /// A translated text about the part of a page that has this object name; empty: there is
    /// none.
    static QString partText(const QString& objectName);

public slots:
    /// The next click reports about what it hits.
    void point();
    /// About the control that has the keyboard.
    void explainFocus();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    std::function<void(const QString&)> show_;
};

}  // namespace lapidary::views
