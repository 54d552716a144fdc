// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <lapidary/graph/model.h>

namespace lapidary::views {

/// What a form of an edit is opened for. All are words as a script has them: `edit_word(name)`,
/// `index:7` for a node without a name.
struct EditTarget {
    QStringList nodes = {};     // selected ones
    QString value = {};         // the selected value; empty: none
    QStringList keywords = {};  // of the form, chosen beforehand: "before", "cut"
    QString prefix = {};        // of lines about a body: "in If_3.then_branch "
    /// The model that the words name something of. Null: the edited variant in force, if it has no
    /// other changes, else the model as it was opened.
    ModelPtr model = {};
    const Graph* graph = nullptr;  // of `model`: the body that `prefix` names; null: the main graph
    QString title = {};            // what the edit is called; empty: its verb
};

}  // namespace lapidary::views
