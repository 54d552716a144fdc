// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the pages of resources/help, which are part of the program; nothing is downloaded.
#pragma once

#include <QLineEdit>
#include <QListWidget>
#include <QTextBrowser>
#include <QWidget>

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
    void listPages();
    void showHeading(const QString& anchor);
    void search(bool forwards);
    QListWidget* pages_;
    QTextBrowser* browser_;
    QLineEdit* find_;
};

}  // namespace lapidary::views
