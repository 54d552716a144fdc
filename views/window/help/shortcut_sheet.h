// SPDX-License-Identifier: GPL-3.0-or-later
// A filterable list of all commands with their keys, by page, in which keys are changed.
#pragma once

#include <QAction>
#include <QDialog>
#include <QLineEdit>

#include "models/rows_model.h"
#include "widgets/table/table_view.h"
#include "window/help/key_map.h"

namespace lapidary::views {

struct ShortcutRow {
    QString group, command, keys, tip;
    QAction* action = nullptr;  // null: a key of a canvas or table
};

class ShortcutSheet : public QDialog {
    Q_OBJECT
public:
    /// The actions that have keys, or whose keys can be changed. `keys`: null, or outlives the
    /// sheet; without it nothing can be changed.
    ShortcutSheet(const QList<QAction*>& actions, QWidget* parent, KeyMap* keys = nullptr);
    const RowsModel<ShortcutRow>& model() const { return model_; }

private:
    void fill();
    void addEditor(KeyMap& keys, QLayout& column);

    QList<QAction*> actions_;
    KeyMap* keys_;
    RowsModel<ShortcutRow> model_;
    QLineEdit* filter_;
    TableView* table_;
};

}  // namespace lapidary::views
