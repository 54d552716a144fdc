// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QTextBrowser>

#include "workbench/targets/machines.h"

namespace lapidary::views {

/// Other machines that jobs run on: a list, what each says of itself or why it cannot be reached,
/// and a test.
class TargetsDialog : public QDialog {
    Q_OBJECT
public:
    TargetsDialog(app::Machines& machines, QWidget* parent);

    /// The details that are shown, as text.
    QString details() const { return details_->toPlainText(); }

private:
    QWidget* makeField();
    void refresh();
    void showCurrent();
    void showField();
    void addTyped();
    void renameCurrent();
    void testOrCancel();
    QString current() const;
    void select(const QString& host);

    app::Machines& machines_;
    QListWidget* list_;
    QTextBrowser* details_;
    QLineEdit* host_;
    QLabel* refusal_;
    QProgressBar* bar_;
    QPushButton *add_, *rename_, *remove_, *test_;
};

}  // namespace lapidary::views
