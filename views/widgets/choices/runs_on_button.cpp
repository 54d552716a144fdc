// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/choices/runs_on_button.h"

#include <QMenu>

#include "models/rows_model.h"
#include "theme/theme.h"
#include "workbench/text/bounded_text.h"
#include "workbench/text/recipe.h"

namespace lapidary::views {

RunsOnButton::RunsOnButton(app::Workbench& workbench, QWidget* parent)
    : QToolButton(parent), workbench_(workbench) {
    setObjectName(QStringLiteral("runsOn"));
    setPopupMode(QToolButton::InstantPopup);
    setToolButtonStyle(Qt::ToolButtonTextOnly);
    auto* menu = new QMenu(this);
    menu->setToolTipsVisible(true);
    setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, [this] {
        workbench_.plugins().lookOnce();
        fillMenu();
    });
    connect(&workbench_.plugins(), &app::PluginList::changed, this, [this] {
        if (this->menu()->isVisible()) fillMenu();
    });
    connect(&workbench_, &app::Workbench::documentChanged, this, &RunsOnButton::refresh);
    connect(&workbench_, &app::Workbench::openedChanged, this, [this] { wanted_.reset(); });
    app::VariantStore& variants = workbench_.variants();
    connect(&variants, &app::VariantStore::made, this, [this](const app::VariantPtr& variant) {
        if (!wanted_ ||
            !(wanted_->isOriginal() ? variant->isOriginal() : variant->recipe == *wanted_))
            return;
        wanted_.reset();
        workbench_.showVariant(variant);
    });
    refresh();
}

app::Recipe RunsOnButton::shownRecipe() const {
    const app::DocumentPtr document = workbench_.document();
    return document && document->variant ? document->variant->recipe : app::Recipe();
}

void RunsOnButton::refresh() {
    const app::Recipe shown = shownRecipe();
    setText(tr("On %1").arg(shown.runs_on ? app::nameOf(*shown.runs_on) : QStringLiteral("CPU")));
    setToolTip(
        tr("What the shown variant runs on: this program's CPU, with large weights as they are or "
           "rounded to 16 or 8 bits, a device or engine of a plugin, your own ONNX Runtime"));
    setAccessibleName(tr("Runs on"));
    setEnabled(workbench_.document() != nullptr);
}

void RunsOnButton::addChoice(const QString& text, const std::optional<app::RunsOn>& on,
                             const std::string& whyNot) {
    QAction* action = menu()->addAction(text);
    action->setCheckable(true);
    action->setChecked(shownRecipe().runs_on == on);
    action->setEnabled(whyNot.empty());
    if (!whyNot.empty())
        action->setToolTip(plainToolTip(tr("It cannot be used: %1").arg(tipText(whyNot))));
    connect(action, &QAction::triggered, this, [this, on] { choose(on); });
}

void RunsOnButton::fillMenu() {
    menu()->clear();
    addChoice(tr("This program, on the CPU"), {}, {});
    for (const Compute compute : rounding_computes) {
        app::RunsOn on;
        on.compute = compute;
        addChoice(tr("This program, on the CPU, weights in %1").arg(labelText(name_of(compute))),
                  on, {});
    }
    const app::FoundPluginsPtr found = workbench_.plugins().found();
    if (!found) {
        menu()->addAction(tr("Looking for plugins and engines …"))->setEnabled(false);
        return;
    }
    for (const app::PluginProbe& probe : found->plugins) {
        if (!probe.info || probe.info->provider.empty()) continue;
        if (workbench_.plugins().isOff(exactText(probe.file.string()))) continue;
        for (const PluginDevice& device : probe.info->devices) {
            app::RunsOn on;
            on.providers.push_back({probe.info->provider, {{"device", device.id}}});
            addChoice(
                tr("This program, on %1 (%2)").arg(labelText(device.name), labelText(device.id)),
                on, device.unusable);
        }
        if (probe.info->devices.empty())
            addChoice(tr("This program, on %1").arg(labelText(probe.info->provider)),
                      app::RunsOn{false, {}, {{probe.info->provider, {}}}, Fallback::allow},
                      probe.info->no_device);
    }
    menu()->addSeparator();
    for (std::size_t i = 0; i < found->engines.size(); ++i) {
        const OnnxRuntimeInfo& engine = found->engines[i];
        app::RunsOn on;
        on.onnxruntime = true;
        if (i > 0) on.place = engine.path;  // the first is what is found without a place
        const QString name = QStringLiteral("ONNX Runtime ") + labelText(engine.version);
        addChoice(name, on, engine.unusable);
        for (const OnnxRuntimeProviderState& provider : engine.providers) {
            if (provider.name == "CPU") continue;
            app::RunsOn with = on;
            with.providers.push_back({provider.name, {}});
            addChoice(tr("%1 with %2").arg(name, labelText(provider.name)), with,
                      provider.unusable);
        }
    }
    addPluginEngines(*found);
    if (found->engines.empty())
        menu()->addAction(tr("No ONNX Runtime was found"))->setEnabled(false);
}

void RunsOnButton::addPluginEngines(const app::FoundPlugins& found) {
    for (const app::PluginProbe& probe : found.plugins) {
        if (!probe.info || probe.info->engine.empty()) continue;
        if (workbench_.plugins().isOff(exactText(probe.file.string()))) continue;
        app::RunsOn on;
        on.plugin_engine = app::ProviderChoice{probe.info->engine, {}};
        addChoice(labelText(probe.info->engine) + QLatin1Char(' ') +
                      labelText(probe.info->engine_version),
                  on, probe.info->engine_unusable);
    }
}

void RunsOnButton::choose(const std::optional<app::RunsOn>& on) {
    app::Recipe recipe = shownRecipe();
    const bool wasTheirs = recipe.runsInOtherEngine();
    const bool isTheirs = on && on->isOtherEngine();
    if (isTheirs && !wasTheirs) recipe = app::onnxRuntimeRecipe();
    else if (wasTheirs && !isTheirs) recipe = {};
    if (on) recipe = recipe.running();
    recipe.runs_on = on;
    app::VariantStore& variants = workbench_.variants();
    if (const app::VariantPtr made = variants.find(recipe)) {
        wanted_.reset();
        workbench_.showVariant(made);
        return;
    }
    wanted_ = recipe;
    variants.requestAlso(recipe);
}

}  // namespace lapidary::views
