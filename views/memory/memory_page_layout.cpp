// SPDX-License-Identifier: GPL-3.0-or-later
// Actions, tool row and panels of the Memory page.
#include "memory/memory_page.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QFileDialog>
#include <QMenu>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include "memory/memory_card.h"
#include "memory/memory_history.h"
#include "memory/memory_map.h"
#include "memory/memory_tables.h"
#include "theme/theme.h"
#include "widgets/flow_layout.h"
#include "widgets/text/quantity.h"
#include "widgets/table/table_view.h"
#include "widgets/visible_tabs.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int view_actions = 4;  // of the page's actions, the rest copy and save

}  // namespace

void MemoryPage::makeActions() {
    const auto add = [this](const QString& text, const char* icon, const QKeySequence& shortcut,
                            auto&& slot) {
        auto* action = new QAction(themedIcon(QLatin1String(icon)), text, this);
        action->setShortcut(shortcut);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        action->setProperty("commandGroup", tr("Memory"));
        connect(action, &QAction::triggered, this, slot);
        actions_.append(action);
    };
    add(tr("Zoom memory in"), "zoom-in", QKeySequence::ZoomIn, [this] { history_->zoomIn(); });
    add(tr("Zoom memory out"), "zoom-out", QKeySequence::ZoomOut, [this] { history_->zoomOut(); });
    add(tr("Show all of memory"), "zoom-fit", QKeySequence(Qt::CTRL | Qt::Key_0),
        [this] { map_->fitAll(); });
    actions_.last()->setToolTip(
        tr("Show all of memory. Wheel: zoom · Shift-drag: pan · Ctrl-wheel: zoom addresses"));
    add(tr("Go to the peak of memory"), "memory", {}, [this] { goToPeak(); });
    add(tr("Copy the picture of memory"), "copy", {}, [this] {
        if (picture_) QApplication::clipboard()->setImage(drawn());
    });
    const auto choose = [this](const QString& title, const QString& filter, const QString& suffix,
                               void (MemoryPage::*save)(const QString&)) {
        if (!picture_) return;
        auto* dialog = new QFileDialog(this, title);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setAcceptMode(QFileDialog::AcceptSave);
        dialog->setNameFilter(filter);
        dialog->setDefaultSuffix(suffix);
        connect(dialog, &QFileDialog::fileSelected, this, save);
        dialog->open();
    };
    add(tr("Save the picture of memory …"), "export", {}, [this, choose] {
        choose(tr("Save picture"), tr("PNG image (*.png)"), QStringLiteral("png"),
               &MemoryPage::savePicture);
    });
    add(tr("Save the lifetimes of tensors …"), "table", {}, [this, choose] {
        choose(tr("Save table"), tr("Comma-separated values (*.csv)"), QStringLiteral("csv"),
               &MemoryPage::saveTable);
    });
}

QWidget* MemoryPage::makeToolRow() {
    auto* panel = new QWidget;
    // breaks in a narrow window, where the panel beside it needs its width
    auto* row = new FlowLayout(panel, 8, 4);
    row->setContentsMargins(12, 4, spacing, 4);
    const auto toggle = [&](const char* name, const QString& text, const QString& tip,
                            void (MemoryHistory::*set)(bool)) {
        auto* box = new QCheckBox(text);
        box->setObjectName(QLatin1String(name));
        box->setToolTip(tip);
        box->setChecked(true);
        connect(box, &QCheckBox::toggled, history_, set);
        row->addWidget(box);
    };
    toggle("weightsBand", tr("&Weights"), tr("A band for the constants beneath the curve"),
           &MemoryHistory::setWeightsShown);
    toggle("wasteBand", tr("&Held"), tr("What is held at a step without being in use there"),
           &MemoryHistory::setWasteShown);
    toggle("measuredLine", tr("&Measured"),
           tr("What the last run held at each step, by its allocations"),
           &MemoryHistory::setMeasuredShown);
    auto* label = new QLabel(tr("&Colour by"));
    label->setBuddy(coloring_);
    coloring_->setObjectName(QStringLiteral("memoryColoring"));
    coloring_->setAccessibleName(tr("Colour by"));
    coloring_->addItems({tr("role"), tr("operator"), tr("size"), tr("module")});
    coloring_->setToolTip(
        tr("What the colours of the map stand for: role of the tensor, operator that wrote it, "
           "size, module (prefix of "
           "the node's name)"));
    connect(coloring_, &QComboBox::currentIndexChanged, this,
            [this](int index) { map_->setColoring(MemoryColoring(index)); });
    row->addWidget(label);
    row->addWidget(coloring_);
    const auto addButton = [row] {
        auto* button = new QToolButton;
        button->setAutoRaise(true);
        row->addWidget(button);
        return button;
    };
    for (QAction* action : actions_.mid(0, view_actions)) addButton()->setDefaultAction(action);
    auto* menu = new QMenu(this);
    for (QAction* action : actions_.mid(view_actions)) menu->addAction(action);
    QToolButton* save = addButton();
    save->setObjectName(QStringLiteral("memoryExport"));
    save->setIcon(themedIcon(QStringLiteral("export")));
    save->setToolTip(tr("Copy or save picture and table"));
    save->setAccessibleName(save->toolTip());
    save->setMenu(menu);
    save->setPopupMode(QToolButton::InstantPopup);
    return panel;
}

QWidget* MemoryPage::makeContent() {
    auto* pictures = new QSplitter(Qt::Vertical);
    pictures->addWidget(history_);
    pictures->addWidget(map_);
    pictures->setSizes({200, 260});
    pictures->setChildrenCollapsible(false);
    tabs_->setObjectName(QStringLiteral("memoryTabs"));
    keepTabsVisible(*tabs_);
    tabs_->setAccessibleName(tr("Tensors"));
    tabs_->setDocumentMode(true);
    tabs_->addTab(alive_, tr("&At the cursor"));
    tabs_->addTab(lifetimes_, tr("&Lifetimes"));
    auto* upper = new QWidget;
    auto* upperLayout = new QVBoxLayout(upper);
    upperLayout->setContentsMargins(0, 0, 0, 0);
    upperLayout->setSpacing(0);
    upperLayout->addWidget(makeToolRow());
    upperLayout->addWidget(pictures, 1);
    auto* across = new QSplitter(Qt::Horizontal);
    across->addWidget(upper);
    across->addWidget(whatIf_);
    across->setStretchFactor(0, 1);
    across->setStretchFactor(1, 0);
    across->setChildrenCollapsible(false);
    // The tables have the whole width: names of tensors are long.
    auto* down = new QSplitter(Qt::Vertical);
    down->addWidget(across);
    down->addWidget(tabs_);
    down->setSizes({430, 240});
    down->setChildrenCollapsible(false);
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, spacing, 0, 0);
    layout->setSpacing(spacing);
    layout->addWidget(card_);
    layout->addWidget(down, 1);
    return content;
}

}  // namespace lapidary::views
