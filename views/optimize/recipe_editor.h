// SPDX-License-Identifier: GPL-3.0-or-later
// The choices of the Optimize page, with undo and redo.
#pragma once

#include <QObject>
#include <QUndoStack>

#include "workbench/recipe.h"

namespace lapidary::views {

class RecipeEditor : public QObject {
    Q_OBJECT
public:
    explicit RecipeEditor(QObject* parent = nullptr);
    const app::Recipe& recipe() const { return recipe_; }
    QUndoStack& undoStack() { return stack_; }
    /// Forgets the history: another model was opened.
    void reset();
    void setLevel(Level level);
    void setPass(const PassInfo& pass, bool on);
    /// All passes of a level at once.
    void setPasses(const std::vector<const PassInfo*>& passes, bool on, const QString& what);
    void setDefaults();

signals:
    void changed(const lapidary::app::Recipe& recipe);

private:
    class Change;
    void change(const QString& text, app::Recipe recipe);
    void apply(const app::Recipe& recipe);
    app::Recipe recipe_;
    QUndoStack stack_;
};

}  // namespace lapidary::views
