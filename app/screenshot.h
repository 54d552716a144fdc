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

// checks without a running job, because views start further jobs and layouts after a result
inline constexpr int quiet_checks_needed = 5;

/// Draws the window into a file when all jobs are done, then ends the program: exit status 0, or 1
/// with the reason on stderr.
class Screenshot : public QObject {
    Q_OBJECT
public:
    Screenshot(Workbench& workbench, views::MainWindow& window, QObject* parent = nullptr);
    /// `page`: the page to draw; empty: the current one. `run`: profiles the model first; for the
    /// Compare page also compares the original with the highest level.
    void arm(const QString& file, const QString& page, bool run, QSize size);
    /// Draws only after this becomes true.
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
