// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSize>
#include <QString>
#include <QTimer>

namespace lapidary::views {
class MainWindow;
}

namespace lapidary::app {

class Workbench;

/// Draws the window into a file when all jobs are done, then ends the program: exit status 0, or 1 with the
/// reason on stderr.
class Screenshot : public QObject {
    Q_OBJECT
public:
    Screenshot(Workbench& workbench, views::MainWindow& window, QObject* parent = nullptr);
    /// `page`: shown last; empty: what the window chose. `run`: profile the model first.
    void arm(const QString& file, const QString& page, bool run, QSize size);

private:
    void check();
    void take();
    void stop(const QString& reason);

    Workbench& workbench_;
    views::MainWindow& window_;
    QString file_, page_;
    QTimer timer_;
    bool runWanted_ = false;
    int quietChecks_ = 0;
};

}  // namespace lapidary::app
