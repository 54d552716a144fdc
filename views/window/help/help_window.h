// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the pages of resources/help, which are part of the program; nothing is downloaded.
#pragma once

#include <QLineEdit>
#include <QListWidget>
#include <QTextBrowser>
#include <QWidget>

#include <memory>

#include "window/help/help_search.h"

namespace lapidary::views {

class HelpWindow : public QWidget {
    Q_OBJECT
public:
    /// A separate window without a parent, so that it can be used while a dialog of the main window
    /// is open.
    HelpWindow();
    /// Shows page-run.md for "page-run". False if there is no such page.
    bool showPage(const QString& name);
    QString currentPage() const;
    static bool hasPage(const QString& name);

private:
    QWidget* makeList();
    void listPages();
    void listHits();
    void chooseListed(const QListWidgetItem& item);
    void markShownPage();
    void showHeading(const QString& anchor);
    void search(bool forwards);
    QListWidget* pages_;
    QTextBrowser* browser_;
    QLineEdit* find_;    // on the shown page
    QLineEdit* search_;  // in all pages
    std::vector<HelpEntry> entries_;
    std::unique_ptr<HelpSearch> texts_;  // null until the first search
};

}  // namespace lapidary::views
