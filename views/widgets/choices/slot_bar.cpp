// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/choices/slot_bar.h"

#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QToolBar>

#include <lapidary/base/error.h>

#include "theme/theme.h"
#include "widgets/choices/machine_button.h"
#include "workbench/text/bounded_text.h"
#include "workbench/jobs/comparison.h"
#include "workbench/project/project.h"

namespace lapidary::views {

const char* const variant_mime_type = "application/x-lapidary-variant";

bool isDraggedVariant(const QMimeData* data) {
    return data && data->hasFormat(QLatin1String(variant_mime_type));
}

SlotCombo::SlotCombo(app::Workbench& workbench, app::Slot slot, QWidget* parent)
    : QComboBox(parent), workbench_(workbench), slot_(slot) {
    setObjectName(slot == app::Slot::A ? QStringLiteral("slotA") : QStringLiteral("slotB"));
    setAccessibleName(slot == app::Slot::A ? tr("Variant A") : tr("Variant B"));
    setToolTip(slot == app::Slot::A ? tr("What B is compared with. Drop a variant from the "
                                         "Variants dock here, or press A there.")
                                    : tr("What is compared with A. Drop a variant from the "
                                         "Variants dock here, or press B there."));
    setAcceptDrops(true);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(8);
    connect(this, &QComboBox::activated, this, [this](int line) {
        if (line >= 0 && std::size_t(line) < recipes_.size())
            choose(app::Recipe(recipes_[std::size_t(line)]));
    });
    app::VariantStore& store = workbench_.variants();
    connect(&store, &app::VariantStore::made, this, [this](const app::VariantPtr& variant) {
        if (!wanted_ || variant->recipe != *wanted_) return;
        wanted_.reset();
        workbench_.project().setSlot(slot_, variant);
        refresh();
    });
    const auto giveUp = [this](const app::Recipe& recipe) {
        if (!wanted_ || !(*wanted_ == recipe)) return;
        wanted_.reset();
        refresh();
    };
    connect(&store, &app::VariantStore::failed, this, giveUp);
    connect(&store, &app::VariantStore::cancelled, this, giveUp);
    connect(&workbench_, &app::Workbench::openedChanged, this, [this] { wanted_.reset(); });
}

void SlotCombo::choose(const app::Recipe& chosen) {
    const app::Recipe recipe = chosen.running();
    app::VariantStore& store = workbench_.variants();
    if (const app::VariantPtr made = store.find(recipe)) {
        wanted_.reset();
        workbench_.project().setSlot(slot_, made);
    } else {
        wanted_ = recipe;
        store.requestAlso(recipe);
    }
    refresh();
}

void SlotCombo::refresh() {
    const QSignalBlocker silence(this);
    clear();
    recipes_.clear();
    const app::Comparison& comparison = workbench_.comparison();
    const app::VariantPtr held = slot_ == app::Slot::A ? comparison.a() : comparison.b();
    const auto add = [this](const QIcon& icon, const QString& text, const app::Recipe& recipe) {
        addItem(icon, text);
        recipes_.push_back(recipe);
    };
    int current = -1;
    const app::Recipe inForce = workbench_.recipeInForce();
    for (const app::VariantPtr& variant : workbench_.variants().list()) {
        if (!variant->recipe.level)
            continue;  // a graph without a level is only drawn: it runs at a level
        if (!wanted_ && variant == held) current = count();
        add(themedIcon(variant->recipe == inForce ? QStringLiteral("check")
                                                  : QStringLiteral("variants")),
            variant->name, variant->recipe);
    }
    const auto offer = [&](const app::Recipe& recipe) {
        if (workbench_.variants().find(recipe)) return;
        const bool wanted = wanted_ && *wanted_ == recipe;
        if (wanted) current = count();
        const QString name = app::nameOf(recipe);
        add(themedIcon(QStringLiteral("clock")),
            wanted ? tr("%1 (being made …)").arg(name) : tr("%1 (not made yet)").arg(name), recipe);
    };
    if (workbench_.opened()) {
        for (const Level level : {Level::disabled, Level::basic, Level::extended, Level::all}) {
            app::Recipe recipe;
            recipe.level = level;
            offer(recipe);
        }
        offer(app::onnxRuntimeRecipe());
    }
    setPlaceholderText(slot_ == app::Slot::A ? tr("Choose A") : tr("Choose B"));
    setCurrentIndex(current);
    setEnabled(count() > 0);
}

void SlotCombo::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasFormat(QLatin1String(variant_mime_type)))
        event->acceptProposedAction();
}

bool SlotCombo::take(const QMimeData& data) {
    try {
        choose(app::recipeFromJson(
            exactText(data.data(QLatin1String(variant_mime_type)).toStdString())));
        return true;
    } catch (const Error&) {  // from another program: not a variant
        return false;
    }
}

void SlotCombo::dropEvent(QDropEvent* event) {
    if (take(*event->mimeData())) event->acceptProposedAction();
}

SlotBar::SlotBar(app::Workbench& workbench, QWidget* parent)
    : QWidget(parent), workbench_(workbench), a_(new SlotCombo(workbench, app::Slot::A)),
      b_(new SlotCombo(workbench, app::Slot::B)), swap_(new QToolButton),
      start_(new QPushButton(themedIcon(QStringLiteral("run")), tr("Compare"))),
      tools_(new QToolBar) {
    swap_->setIcon(themedIcon(QStringLiteral("sideways")));
    swap_->setAutoRaise(true);
    swap_->setObjectName(QStringLiteral("swapSlots"));
    swap_->setToolTip(tr("Swap A and B"));
    swap_->setAccessibleName(tr("Swap A and B"));
    start_->setObjectName(QStringLiteral("startComparison"));
    const auto label = [](const QString& text, QWidget* buddy) {
        auto* result = new QLabel(text);
        result->setFont(scaledFont(1.0, true));
        result->setBuddy(buddy);
        return result;
    };
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 6, spacing, 4);
    row->setSpacing(spacing);
    row->addWidget(label(tr("A"), a_));
    row->addWidget(a_, 2);
    row->addWidget(swap_);
    row->addWidget(label(tr("B"), b_));
    row->addWidget(b_, 2);
    row->addWidget(new MachineButton(workbench_));
    row->addWidget(start_);
    tools_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    tools_->setAccessibleName(tr("More"));
    row->addWidget(tools_, 1);
    connect(swap_, &QToolButton::clicked, &workbench_.project(), &app::Project::swapSlots);
    connect(start_, &QPushButton::clicked, this, &SlotBar::startRequested);
    connect(&workbench_.comparison(), &app::Comparison::pairChanged, this, &SlotBar::refresh);
    connect(&workbench_.comparison(), &app::Comparison::changed, this, &SlotBar::refresh);
    connect(&workbench_.variants(), &app::VariantStore::listChanged, this, &SlotBar::refresh);
    refresh();
}

void SlotBar::refresh() {
    a_->refresh();
    b_->refresh();
    const app::Comparison& comparison = workbench_.comparison();
    swap_->setEnabled(comparison.isPossible());
    start_->setEnabled(comparison.isPossible() && !comparison.isRunning());
    start_->setText(comparison.result() ? tr("Compare again") : tr("Compare"));
    start_->setToolTip(
        !comparison.isPossible()
            ? tr("Choose two different variants first")
            : tr("Measure A and B in turn for about %1 s, profile both and compare their outputs")
                  .arg(comparison.options().seconds * 2));
}

QToolButton* SlotBar::makeTool(QAction* action) {
    tools_->addAction(action);
    auto* button = qobject_cast<QToolButton*>(tools_->widgetForAction(action));
    button->setAccessibleName(action->text());
    return button;
}

void SlotBar::addTool(QAction* action) { makeTool(action); }

void SlotBar::addMenu(QAction* action, QMenu* menu) {
    QToolButton* button = makeTool(action);
    button->setMenu(menu);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
}

}  // namespace lapidary::views
