// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimize/recipe_editor.h"

#include <QFileInfo>

#include <algorithm>

#include <lapidary/edit/edit_script.h>

#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

QString fileName(const std::string& path) {
    return labelText(QFileInfo(exactText(path)).fileName());
}

/// So many lines of a script from the first on.
std::string firstLines(const std::string& script, std::size_t count) {
    EditScript lines = parse_edit_script(script);
    lines.lines.resize(std::min(lines.lines.size(), count));
    return to_string(lines);
}

}  // namespace

app::Recipe recipeAtStep(const app::Recipe& recipe, int step, int steps) {
    app::Recipe at = recipe;
    if (recipe.isEditedAlone()) {
        at.edits = firstLines(recipe.edits, std::size_t(step));
        return at;
    }
    const int passed = steps - int(parse_edit_script(recipe.edits_after).lines.size());
    at.edits_after = firstLines(recipe.edits_after, std::size_t(std::max(0, step - passed)));
    if (step <= passed) at.stop_after = std::size_t(step);
    return at;
}

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
    next.edits = recipe().edits;
    next.edits_after = recipe().edits_after;
    next.rules = recipe().rules;
    project_.setRecipe(next, tr("passes as they are by default"));
}

app::Recipe RecipeEditor::shown() const {
    const app::Recipe& chosen = recipe();
    const bool isPlain = chosen.edits.empty() && chosen.rules.empty();
    if (!chosen.level && !chosen.edits_after.empty()) return chosen.base();
    return chosen.level || isPlain ? chosen : chosen.base();
}

void RecipeEditor::addRules(const RuleText& rules) {
    app::Recipe next = recipe();
    next.addRules(rules);
    project_.setRecipe(next, tr("add the rules of %1").arg(fileName(rules.file)));
}

void RecipeEditor::removeRules(const std::string& file) {
    app::Recipe next = recipe();
    next.removeRules(file);
    project_.setRecipe(next, tr("take the rules of %1 away").arg(fileName(file)));
}

}  // namespace lapidary::views
