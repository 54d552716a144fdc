// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSize>
#include <QString>
#include <QTimer>

#include <functional>

namespace lapidary::views {
class MainWindow;
}

namespace lapidary::app {

class Workbench;

// views follow up on results with jobs and layouts of their own
inline constexpr int quiet_checks_needed = 5;

/// Draws the window into a file when all jobs are done, then ends the program: exit status 0, or 1
/// with the reason on stderr.
class Screenshot : public QObject {
    Q_OBJECT
public:
    Screenshot(Workbench& workbench, views::MainWindow& window, QObject* parent = nullptr);
    /// `page`: shown last; empty: what the window chose. `run`: profile the model first; for the
    /// Compare page also compare the original with the highest level.
    void arm(const QString& file, const QString& page, bool run, QSize size);
    /// Not before this becomes true.
    void waitFor(std::function<bool()> ready) { ready_ = std::move(ready); }

private:
    void check();
    bool comparisonIsUnderWay();
    void take();
    void stop(const QString& reason);

    Workbench& workbench_;
    views::MainWindow& window_;
    QString file_, page_;
    QTimer timer_;
    bool runWanted_ = false, compareWanted_ = false;
    std::function<bool()> ready_;
    int quietChecks_ = 0;
};

}  // namespace lapidary::app
