// SPDX-License-Identifier: GPL-3.0-or-later
// The pages of resources/help, which are part of the program: nothing is fetched.
#pragma once

#include <QLineEdit>
#include <QListWidget>
#include <QTextBrowser>
#include <QWidget>

namespace lapidary::views {

class HelpWindow : public QWidget {
    Q_OBJECT
public:
    /// A window of its own, without a parent, so that it answers while a dialog of the main window
    /// waits.
    HelpWindow();
    /// "page-run" shows page-run.md; false where there is none.
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
