// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/variant_chip.h"

#include <QActionGroup>

#include "models/rows_model.h"
#include "theme/theme.h"
#include "widgets/choices/machine_button.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"
#include "workbench/project/project.h"
#include "workbench/targets/machines.h"

namespace lapidary::views {
namespace {

constexpr qsizetype longest_chip_name = 48;  // characters of a variant in the toolbar

QString medianOf(const app::RunFigures& figures) {
    return formatMedian(figures.median_ms, figures.low_ms, figures.high_ms);
}

}  // namespace

VariantChip::VariantChip(app::Workbench& workbench, QWidget* parent)
    : QToolButton(parent), workbench_(workbench), menu_(new QMenu(this)) {
    setObjectName(QStringLiteral("variantChip"));
    menu_->setObjectName(QStringLiteral("variantMenu"));
    menu_->setToolTipsVisible(true);
    setMenu(menu_);
    setPopupMode(QToolButton::InstantPopup);
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setIcon(themedIcon(QStringLiteral("check")));
    setFocusPolicy(Qt::TabFocus);
    connect(menu_, &QMenu::aboutToShow, this, &VariantChip::fillMenu);
    connect(&workbench_, &app::Workbench::documentChanged, this, &VariantChip::refresh);
    connect(&workbench_, &app::Workbench::runSettingsChanged, this, &VariantChip::refresh);
    connect(&workbench_.project(), &app::Project::figuresChanged, this, &VariantChip::refresh);
    connect(&workbench_.variants(), &app::VariantStore::slotsChanged, this, &VariantChip::refresh);
    fillMenu();
    refresh();
}

QString VariantChip::lineOf(const app::Recipe& recipe, const app::VariantPtr& variant) const {
    QStringList parts{labelText(variant && recipe.level ? variant->name : app::runNameOf(recipe),
                                longest_chip_name)};
    const QString host = workbench_.machines().chosen();
    if (const app::RunFigures* figures = workbench_.timeOf(recipe))
        parts << (host.isEmpty() ? medianOf(*figures)
                                 : tr("%1 on %2").arg(medianOf(*figures), shortMachineName(host)));
    if (const QString letters = workbench_.variants().lettersOf(variant); !letters.isEmpty())
        parts << letters;
    return parts.join(QStringLiteral(" · "));
}

void VariantChip::refresh() {
    const app::DocumentPtr shown = workbench_.document();
    const QString fault = workbench_.faultText();
    setIcon(themedIcon(fault.isEmpty() ? QStringLiteral("check") : QStringLiteral("error")));
    // an edited variant that is not valid can be left
    setEnabled(shown != nullptr && workbench_.opened()->faults.empty());
    if (!shown) {
        setText(tr("No model"));
        setToolTip(tr("The variant that runs, plans, sweeps and exports are of"));
        setAccessibleName(tr("Variant in force"));
        setAccessibleDescription(text());
        return;
    }
    const app::Recipe recipe = workbench_.recipeInForce();
    const app::VariantPtr variant =
        shown->variant ? shown->variant : workbench_.variants().original();
    setText(lineOf(recipe, variant));
    if (!fault.isEmpty()) {
        setText(shown->variant ? tr("%1 · not valid").arg(text()) : tr("Original · not valid"));
        setToolTip(plainToolTip(fault));
        setAccessibleName(tr("Variant in force"));
        setAccessibleDescription(text() + u'\n' + fault);
        return;
    }
    QStringList tip{
        recipe.level
            ? tr("%1 is in force: Graph, Run, Memory and Tune are of it.").arg(app::nameOf(recipe))
            : tr("%1 is in force: Graph shows it as its file has it; Run, Memory and Tune are of "
                 "it at level "
                 "%2, as in every session of ONNX Runtime.")
                  .arg(app::nameOf(recipe), app::nameOf(recipe.runLevel()))};
    if (const app::RunFigures* figures = workbench_.timeOf(recipe))
        tip << (figures->kind == app::RunKind::profile
                    ? tr("Median of %1 profiled runs (threads: %2); 95 % interval %3 to %4.")
                    : tr("Median of %1 runs (threads: %2); 95 % interval %3 to %4."))
                   .arg(formatCount(figures->repetitions), formatCount(figures->threads),
                        formatMilliseconds(figures->low_ms), formatMilliseconds(figures->high_ms));
    else tip << tr("Not measured yet with these sizes and threads: press F5.");
    setToolTip(plainToolTip(tip.join(u'\n')));
    setAccessibleName(tr("Variant in force"));
    setAccessibleDescription(text() + u'\n' + tip.join(u'\n'));
}

void VariantChip::fillMenu() {
    menu_->clear();
    if (!workbench_.opened()) {
        menu_->addAction(tr("No model is open"))->setEnabled(false);
        return;
    }
    auto* group = new QActionGroup(menu_);
    const app::Recipe inForce = workbench_.recipeInForce();
    const auto add = [&](const app::Recipe& recipe, const app::VariantPtr& variant) {
        QString text = lineOf(recipe, variant);
        if (!variant && !recipe.isOriginal()) text = tr("%1 (not made yet)").arg(text);
        QAction* action = menu_->addAction(text.replace(u'&', QStringLiteral("&&")));
        action->setCheckable(true);
        action->setChecked(recipe.isOriginal() ? inForce.isOriginal() : recipe == inForce);
        action->setToolTip(plainToolTip(variant ? variant->name : app::nameOf(recipe)));
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, recipe] {
            workbench_.choose(recipe, tr("put %1 in force").arg(app::nameOf(recipe)));
        });
    };
    app::VariantStore& store = workbench_.variants();
    add({}, store.original());
    for (const Level level : {Level::disabled, Level::basic, Level::extended, Level::all}) {
        app::Recipe recipe;
        recipe.level = level;
        add(recipe, store.find(recipe));
    }
    for (const app::VariantPtr& variant : store.list())
        if (!variant->isOriginal() && !variant->recipe.isPlainLevel())
            add(variant->recipe, variant);
    menu_->addSeparator();
    const app::VariantPtr shown =
        workbench_.document()->variant ? workbench_.document()->variant : store.original();
    const auto slotAction = [&](const QString& text, app::Slot slot) {
        QAction* action = menu_->addAction(text);
        action->setEnabled(shown && (store.slot(slot) != shown || !store.isChosen(slot)));
        connect(action, &QAction::triggered, this,
                [this, slot, shown] { workbench_.project().setSlot(slot, shown); });
    };
    slotAction(tr("Compare as &A"), app::Slot::A);
    slotAction(tr("Compare as &B"), app::Slot::B);
}

}  // namespace lapidary::views
