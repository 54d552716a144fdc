// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimize/recipe_editor.h"

#include <QUndoCommand>

namespace lapidary::views {
namespace {

constexpr int most_steps = 200;
constexpr Level first_level = Level::extended;  // what runs everywhere

QString text(std::string_view s) { return QString::fromUtf8(s.data(), qsizetype(s.size())); }

}  // namespace

class RecipeEditor::Change : public QUndoCommand {
public:
    Change(RecipeEditor& editor, const QString& text, app::Recipe after)
        : QUndoCommand(text), editor_(editor), before_(editor.recipe_), after_(std::move(after)) {}
    void undo() override { editor_.apply(before_); }
    void redo() override { editor_.apply(after_); }

private:
    RecipeEditor& editor_;
    app::Recipe before_, after_;
};

RecipeEditor::RecipeEditor(QObject* parent) : QObject(parent) {
    stack_.setUndoLimit(most_steps);
    recipe_.level = first_level;
}

void RecipeEditor::reset() {
    stack_.clear();
    recipe_ = {};
    recipe_.level = first_level;
    emit changed(recipe_);
}

void RecipeEditor::setLevel(Level level) {
    app::Recipe next = recipe_;
    next.level = level;
    change(tr("choose %1").arg(app::nameOf(level)), std::move(next));
}

void RecipeEditor::setPass(const PassInfo& pass, bool on) {
    app::Recipe next = recipe_;
    next.setPass(pass, on);
    change((on ? tr("switch %1 on") : tr("switch %1 off")).arg(text(pass.name)), std::move(next));
}

void RecipeEditor::setPasses(const std::vector<const PassInfo*>& passes, bool on, const QString& what) {
    app::Recipe next = recipe_;
    for (const PassInfo* pass : passes) next.setPass(*pass, on);
    change((on ? tr("switch %1 on") : tr("switch %1 off")).arg(what), std::move(next));
}

void RecipeEditor::setDefaults() {
    app::Recipe next;
    next.level = recipe_.level;
    change(tr("passes as they are by default"), std::move(next));
}

void RecipeEditor::change(const QString& text, app::Recipe recipe) {
    if (recipe == recipe_) return;
    stack_.push(new Change(*this, text, std::move(recipe)));
}

void RecipeEditor::apply(const app::Recipe& recipe) {
    recipe_ = recipe;
    emit changed(recipe_);
}

}  // namespace lapidary::views
