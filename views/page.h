// SPDX-License-Identifier: GPL-3.0-or-later
// A page of the mode rail. Pages are listed in view_list.inc, each LAPIDARY_PAGE(id, Class,
// "Title", "icon", "header"); main window, rail, View menu, shortcuts and the smoke test read that
// list.
#pragma once

#include <QAction>
#include <QWidget>

namespace lapidary::app {
class Workbench;
}

namespace lapidary::views {

class Page : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    /// The page's own actions, added to menus, toolbar and command palette by the main window.
    /// Their property `menuPath` (QStringList) names menus within the page's own.
    virtual QList<QAction*> pageActions() const { return {}; }
    /// False: the page also works for a model with faults (app::Document::faults).
    virtual bool needsSoundModel() const { return true; }
    /// False: the page does not show the selected node or value, so the Inspector describes the
    /// model there.
    virtual bool showsFocus() const { return false; }
    /// Called when the page becomes the visible one.
    virtual void shown() {}
    /// Shows a part of the page, by the name that pageRequested() gives it.
    virtual void showPart(const QString&) {}

signals:
    /// Asks the main window to show another page ("graph", "run" ...), or a part of it
    /// ("generate/variants").
    void pageRequested(const QString& id);
    void statusMessage(const QString& text);
    /// The number for the page's badge in the rail, with `what` as its text. 0: no badge.
    /// `isWrong`: in red.
    void badgeChanged(int count, const QString& what, bool isWrong = false);
    /// Asks the main window for its open dialog.
    void openRequested();
};

}  // namespace lapidary::views
