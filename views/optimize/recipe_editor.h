// SPDX-License-Identifier: GPL-3.0-or-later
// The choices of the Optimize page; the project keeps them, with undo and redo.
#pragma once

#include <QObject>

#include "workbench/project/project.h"

namespace lapidary::views {

class RecipeEditor : public QObject {
    Q_OBJECT
public:
    explicit RecipeEditor(app::Project& project, QObject* parent = nullptr);
    const app::Recipe& recipe() const { return project_.recipe(); }
    void setPass(const PassInfo& pass, bool on);
    /// All passes of a level at once.
    void setPasses(const std::vector<const PassInfo*>& passes, bool on, const QString& what);
    void setDefaults();

signals:
    void changed(const lapidary::app::Recipe& recipe);

private:
    app::Project& project_;
};

}  // namespace lapidary::views
