// SPDX-License-Identifier: GPL-3.0-or-later
// Help of the page that is shown (F1, in dialogs too), the contents, and the look for a newer
// version.
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

    /// Opens the help at a page ("page-run"); at the contents where there is none of that name.
    void show(const QString& page);
    HelpWindow* helpWindow() const { return help_.get(); }  // null until it was asked for

    /// Reports in a banner what the file of the settings says, where it is newer or cannot be read.
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
    MessageBanner* banner_;  // outlasts what the window reports in its own
    QAction* looking_;
    std::unique_ptr<HelpWindow> help_;
};

}  // namespace lapidary::views
