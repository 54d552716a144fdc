// SPDX-License-Identifier: GPL-3.0-or-later
// The Help menu: help for the shown page (F1, also in dialogs), the contents, and the check for a
// newer version.
#pragma once

#include <QAction>
#include <QObject>

#include <functional>
#include <memory>

#include "workbench/jobs/latest_job.h"

namespace lapidary::views {

class HelpWindow;
class MainWindow;
class MessageBanner;

class HelpMenu : public QObject {
    Q_OBJECT
public:
    /// Makes an action of the menu: text, icon, shortcut, tip.
    using AddCommand =
        std::function<QAction*(const QString&, const char*, const QKeySequence&, const QString&)>;

    HelpMenu(MainWindow& window, app::JobRunner& jobs, const AddCommand& add);
    ~HelpMenu() override;

    /// Opens the help at a page ("page-run"), or at the contents if there is no such page.
    void show(const QString& page);
    HelpWindow* helpWindow() const { return help_.get(); }  // null until it was first opened

    /// Shows a banner if the version file of the settings names a newer version or cannot be read.
    void lookForNewerVersion();

protected:
    /// F1 in a dialog, where the menu's shortcut does not reach. A dialog may name its page in the
    /// property "helpPage".
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void chooseVersionFile();
    void switchLooking(bool on);
    QString pageOfWindow() const;

    MainWindow& window_;
    app::JobRunner& jobs_;
    app::LatestJob look_;
    MessageBanner*
        banner_;  // separate from the window's banner, so that other messages do not replace it
    QAction* looking_;
    std::unique_ptr<HelpWindow> help_;
};

}  // namespace lapidary::views
