// SPDX-License-Identifier: GPL-3.0-or-later
// Every action of the window, found by typing.
#pragma once

#include <QAction>
#include <QDialog>
#include <QLineEdit>
#include <QListView>
#include <QPointer>
#include <QStandardItemModel>

namespace lapidary::views {

class CommandPalette : public QDialog {
    Q_OBJECT
public:
    explicit CommandPalette(QWidget* parent);
    /// Actions in menu order; disabled ones are listed greyed and cannot be run.
    void setActions(const QList<QAction*>& actions);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void filter(const QString& text);
    void run(const QModelIndex& index);

    QLineEdit* edit_;
    QListView* list_;
    QStandardItemModel* model_;
    QList<QPointer<QAction>> actions_;
};

}  // namespace lapidary::views
