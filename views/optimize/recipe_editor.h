// SPDX-License-Identifier: GPL-3.0-or-later
// The choices of the Optimize page; the project keeps them, with undo and redo.
#pragma once

#include <QObject>

#include "workbench/project/project.h"

namespace lapidary::views {

/// The recipe of what a variant is after so many of its rewrites, which for an edited model are
/// lines. `steps`: how many made the variant; the last of them are the lines after its level.
app::Recipe recipeAtStep(const app::Recipe& recipe, int step, int steps);

class RecipeEditor : public QObject {
    Q_OBJECT
public:
    explicit RecipeEditor(app::Project& project, QObject* parent = nullptr);
    const app::Recipe& recipe() const { return project_.recipe(); }
    /// The recipe of the variant that the choices stand for. Without a level, edits alone apply,
    /// and not those after a level.
    app::Recipe shown() const;
    void setPass(const PassInfo& pass, bool on);
    /// All passes of a level at once.
    void setPasses(const std::vector<const PassInfo*>& passes, bool on, const QString& what);
    /// Passes as they are by default; edits and rules stay.
    void setDefaults();
    void addRules(const RuleText& rules);
    void removeRules(const std::string& file);

signals:
    void changed(const lapidary::app::Recipe& recipe);

private:
    app::Project& project_;
};

}  // namespace lapidary::views
