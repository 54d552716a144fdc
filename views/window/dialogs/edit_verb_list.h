// SPDX-License-Identifier: GPL-3.0-or-later
// The list of all edits in the Edit dialog, in groups. The rows of groups are no edits and cannot
// be chosen.
#pragma once

#include <QTreeWidget>

namespace lapidary::views {

class EditVerbList : public QTreeWidget {
    Q_OBJECT
public:
    explicit EditVerbList(QWidget* parent = nullptr);

    /// The form of the edit that is chosen and shown, such as "rename node|value ..."; empty: none.
    QString form() const;
    /// A sentence about it; empty: none is chosen.
    QString help() const;
    /// Shows the edits that have the words in form or help, and the groups of these. Chooses the
    /// first form that begins with the words, else one that has them, else one whose help has them.
    void filter(const QString& words);
    /// Chooses the first edit that is shown, unless one is chosen, and takes the keys.
    void enter();
};

}  // namespace lapidary::views
