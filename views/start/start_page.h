// SPDX-License-Identifier: GPL-3.0-or-later
// The Start page: three large buttons (a file, the tour, a profile), questions that a sample
// answers, recent files, samples.
#pragma once

#include <QLabel>
#include <QListWidget>

#include "page.h"
#include "workbench/workbench.h"

namespace lapidary::views {

class RecentLooks;

class StartPage : public Page {
    Q_OBJECT
public:
    explicit StartPage(app::Workbench& workbench, QWidget* parent = nullptr);
    bool needsSoundModel() const override { return false; }

signals:
    void tourRequested();

private:
    QWidget* makeHeader();
    QWidget* makeDoors();
    QWidget* makeJobs();
    QWidget* makeSamples();
    QWidget* makeRecent();
    void chooseProfile();
    /// Shows the page for the open model, or for a sample if none is open. `run`: also runs the
    /// model.
    void begin(const QString& page, bool run);
    QLabel* heading(const QString& text);
    void refreshRecent();

    app::Workbench& workbench_;
    QString pageToShow_;  // page to show when the sample is open; empty: none
    bool toRun_ = false;
    RecentLooks* looks_ = nullptr;
    QListWidget* recent_ = nullptr;
    QLabel* noRecent_ = nullptr;
};

}  // namespace lapidary::views
