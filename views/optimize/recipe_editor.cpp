// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimize/recipe_editor.h"

#include "workbench/text/bounded_text.h"

namespace lapidary::views {

RecipeEditor::RecipeEditor(app::Project& project, QObject* parent)
    : QObject(parent), project_(project) {
    connect(&project_, &app::Project::recipeChanged, this, &RecipeEditor::changed);
}

void RecipeEditor::setPass(const PassInfo& pass, bool on) {
    app::Recipe next = recipe();
    next.setPass(pass, on);
    project_.setRecipe(next,
                       (on ? tr("switch %1 on") : tr("switch %1 off")).arg(labelText(pass.name)));
}

void RecipeEditor::setPasses(const std::vector<const PassInfo*>& passes, bool on,
                             const QString& what) {
    app::Recipe next = recipe();
    for (const PassInfo* pass : passes) next.setPass(*pass, on);
    project_.setRecipe(next, (on ? tr("switch %1 on") : tr("switch %1 off")).arg(what));
}

void RecipeEditor::setDefaults() {
    app::Recipe next;
    next.level = recipe().level;
    project_.setRecipe(next, tr("passes as they are by default"));
}

}  // namespace lapidary::views
