// SPDX-License-Identifier: GPL-3.0-or-later
// A filterable list of all commands with their keys, by page.
#pragma once

#include <QAction>
#include <QDialog>
#include <QLineEdit>

#include "models/rows_model.h"
#include "widgets/table/table_view.h"

namespace lapidary::views {

struct ShortcutRow {
    QString group, command, keys, tip;
};

class ShortcutSheet : public QDialog {
    Q_OBJECT
public:
    /// Actions with keys come first in their group.
    ShortcutSheet(const QList<QAction*>& actions, QWidget* parent);
    const RowsModel<ShortcutRow>& model() const { return model_; }

private:
    RowsModel<ShortcutRow> model_;
    QLineEdit* filter_;
    TableView* table_;
};

}  // namespace lapidary::views
