// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QTextBrowser>

#include "workbench/jobs/plugin_list.h"

namespace lapidary::views {

/// The plugins and engines that were found: what each adds, with the options of its provider, or
/// why it cannot be used.
class PluginsDialog : public QDialog {
    Q_OBJECT
public:
    PluginsDialog(app::PluginList& plugins, QWidget* parent);

    /// The details that are shown, as text.
    QString details() const { return details_->toPlainText(); }

private:
    void refresh();
    QString stateText() const;
    void showCurrent();
    static QString whereToPut();
    void switchCurrent();

    app::PluginList& plugins_;
    QListWidget* list_;
    QTextBrowser* details_;
    QLabel* state_;
    QPushButton *again_, *switch_;
};

}  // namespace lapidary::views
