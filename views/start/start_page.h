// SPDX-License-Identifier: GPL-3.0-or-later
// Where one begins: three doors (a file, the tour, a profile), questions that a sample answers,
// samples, recent files.
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
    /// On the open model, else on a sample: shows the page, and runs the model for it.
    void begin(const QString& page, bool run);
    QLabel* heading(const QString& text);
    void refreshRecent();

    app::Workbench& workbench_;
    QString pageToShow_;  // when the sample is there; empty: none waits
    bool toRun_ = false;
    RecentLooks* looks_ = nullptr;
    QListWidget* recent_ = nullptr;
    QLabel* noRecent_ = nullptr;
};

}  // namespace lapidary::views
