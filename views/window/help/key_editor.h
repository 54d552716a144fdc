// SPDX-License-Identifier: GPL-3.0-or-later
// Changes the key of one command: a field that takes the key which is pressed, and why a key
// cannot be had.
#pragma once

#include <QKeySequenceEdit>
#include <QLabel>
#include <QPushButton>
#include <QWidget>

#include "window/help/key_map.h"

namespace lapidary::views {

class KeyEditor : public QWidget {
    Q_OBJECT
public:
    explicit KeyEditor(KeyMap& keys, QWidget* parent = nullptr);
    /// Shows the command and its key; null, or a command whose key is fixed: nothing to change.
    void edit(QAction* action);

signals:
    /// The key of the edited command was changed, or those of all commands.
    void changed();

private:
    void finish(const QString& problem);

    KeyMap& keys_;
    QAction* action_ = nullptr;
    QLabel *name_, *problem_;
    QKeySequenceEdit* field_;
    QPushButton *set_, *usual_, *all_;
};

}  // namespace lapidary::views
