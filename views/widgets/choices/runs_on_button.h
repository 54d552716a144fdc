// SPDX-License-Identifier: GPL-3.0-or-later
// A button that chooses what the shown variant runs on: this program's CPU, a device or engine of a
// plugin, or the user's ONNX Runtime.
#pragma once

#include <QToolButton>

#include <optional>

#include "workbench/jobs/plugin_list.h"
#include "workbench/workbench.h"

namespace lapidary::views {

class RunsOnButton : public QToolButton {
    Q_OBJECT
public:
    explicit RunsOnButton(app::Workbench& workbench, QWidget* parent = nullptr);

    /// Shows the variant that runs there, after making it if needed.
    void choose(const std::optional<app::RunsOn>& on);

private:
    void refresh();
    void fillMenu();
    void addPluginEngines(const app::FoundPlugins& found);
    void addChoice(const QString& text, const std::optional<app::RunsOn>& on,
                   const std::string& whyNot);
    app::Recipe shownRecipe() const;

    app::Workbench& workbench_;
    std::optional<app::Recipe> wanted_;  // to be shown when it is made
};

}  // namespace lapidary::views
