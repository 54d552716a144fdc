// SPDX-License-Identifier: GPL-3.0-or-later
// Where one begins: open a file, build a sample, come back to a recent file.
#pragma once

#include <QLabel>
#include <QListWidget>

#include "page.h"
#include "workbench/workbench.h"

namespace lapidary::views {

class StartPage : public Page {
    Q_OBJECT
public:
    explicit StartPage(app::Workbench& workbench, QWidget* parent = nullptr);

private:
    QWidget* makeHeader();
    QWidget* makeSamples();
    QWidget* makeRecent();
    QWidget* makeGuide();
    QLabel* heading(const QString& text);
    void refreshRecent();

    app::Workbench& workbench_;
    QListWidget* recent_ = nullptr;
    QLabel* noRecent_ = nullptr;
};

}  // namespace lapidary::views
