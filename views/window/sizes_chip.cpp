// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/sizes_chip.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

#include "models/rows_model.h"
#include "theme/theme.h"
#include "workbench/text/bounded_text.h"
#include "workbench/document/run_conditions.h"

namespace lapidary::views {
namespace {

constexpr std::int64_t batches[] = {1, 8}, sequences[] = {8, 32, 128, 512};
constexpr int largest_dimension = 1'000'000;
constexpr std::size_t most_fields = 64;

}  // namespace

SizesChip::SizesChip(app::Workbench& workbench, QWidget* parent)
    : QToolButton(parent), workbench_(workbench), menu_(new QMenu(this)) {
    setObjectName(QStringLiteral("sizesChip"));
    menu_->setObjectName(QStringLiteral("sizesMenu"));
    menu_->setToolTipsVisible(true);
    setMenu(menu_);
    setPopupMode(QToolButton::InstantPopup);
    setToolButtonStyle(Qt::ToolButtonTextOnly);
    setFocusPolicy(Qt::TabFocus);
    setAccessibleName(tr("Sizes of the inputs"));
    connect(menu_, &QMenu::aboutToShow, this, &SizesChip::fillMenu);
    connect(&workbench_, &app::Workbench::documentChanged, this, &SizesChip::refresh);
    connect(&workbench_, &app::Workbench::runSettingsChanged, this, &SizesChip::refresh);
    refresh();
    fillMenu();
}

void SizesChip::refresh() {
    const bool open = workbench_.opened() != nullptr;
    const app::InputSizes sizes = open ? workbench_.conditions().sizes : app::InputSizes();
    setEnabled(!sizes.empty());
    setText(!sizes.empty() ? app::textOf(sizes) : open ? tr("fixed sizes") : tr("no sizes"));
    setToolTip(plainToolTip(
        !sizes.empty()
            ? tr("Sizes of the inputs, for every page: %1").arg(app::textOf(sizes, most_fields))
            : tr("The inputs of the model have no free sizes")));
    setAccessibleDescription(text());
}

void SizesChip::fillMenu() {
    menu_->clear();
    if (!workbench_.opened()) return;
    const app::InputSizes sizes = workbench_.conditions().sizes;
    std::vector<std::string> batch = app::batchNames(*workbench_.opened()->model),
                             sequence = app::sequenceNames(*workbench_.opened()->model);
    for (auto* names : {&batch, &sequence})
        std::erase_if(*names, [&](const std::string& name) { return !sizes.contains(name); });
    const auto add = [&](const std::vector<std::string>& names, std::int64_t size,
                         const QString& text) {
        QAction* action = menu_->addAction(text);
        action->setCheckable(true);
        action->setChecked(
            std::ranges::all_of(names, [&](const auto& name) { return sizes.at(name) == size; }));
        connect(action, &QAction::triggered, this, [this, names, size] { choose(names, size); });
    };
    if (!batch.empty()) {
        for (const std::int64_t size : batches) add(batch, size, tr("Batch %1").arg(size));
        menu_->addSeparator();
    }
    if (!sequence.empty()) {
        for (const std::int64_t size : sequences) add(sequence, size, tr("Sequence %1").arg(size));
        menu_->addSeparator();
    }
    QAction* usual = menu_->addAction(tr("&Usual sizes"));
    usual->setToolTip(tr("Leave all sizes to the input generator"));
    usual->setEnabled(
        std::ranges::any_of(workbench_.runSettings().dimensions,
                            [](const auto& dimension) { return dimension.second > 0; }));
    connect(usual, &QAction::triggered, this, [this] {
        app::RunSettings settings = workbench_.runSettings();
        settings.dimensions.clear();
        workbench_.setRunSettings(settings);
    });
    connect(menu_->addAction(tr("&Other sizes …")), &QAction::triggered, this,
            &SizesChip::askSizes);
}

void SizesChip::choose(const std::vector<std::string>& names, std::int64_t size) {
    app::RunSettings settings = workbench_.runSettings();
    for (const std::string& name : names) settings.dimensions[name] = size;
    workbench_.setRunSettings(settings);
}

void SizesChip::askSizes() {
    auto* dialog = new SizesDialog(workbench_, window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

SizesDialog::SizesDialog(app::Workbench& workbench, QWidget* parent)
    : QDialog(parent), workbench_(workbench) {
    setObjectName(QStringLiteral("sizesDialog"));
    setWindowTitle(tr("Sizes of the inputs"));
    setProperty("helpPage", QStringLiteral("page-run"));
    auto* form = new QFormLayout;
    const app::RunSettings& settings = workbench_.runSettings();
    for (const auto& [name, size] : workbench_.conditions().sizes) {
        if (fields_.size() == most_fields) break;
        auto* field = new QSpinBox;
        field->setRange(0, largest_dimension);
        field->setSpecialValueText(tr("auto (%1)").arg(size));
        const auto asked = settings.dimensions.find(name);
        field->setValue(asked == settings.dimensions.end()
                            ? 0
                            : int(std::min<std::int64_t>(asked->second, largest_dimension)));
        field->setAccessibleName(tr("Size of dimension %1").arg(labelText(name)));
        auto* label = new QLabel(labelText(name, 60));
        label->setTextFormat(Qt::PlainText);
        label->setBuddy(field);
        form->addRow(label, field);
        fields_.emplace_back(name, field);
    }
    auto* inside = new QWidget;
    inside->setLayout(form);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(inside);
    auto* hint = new QLabel(tr("Every page runs, plans and measures with these sizes."));
    hint->setForegroundRole(QPalette::PlaceholderText);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        take();
        accept();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->addWidget(hint);
    column->addWidget(scroll, 1);
    column->addWidget(buttons);
}

void SizesDialog::take() {
    app::RunSettings settings = workbench_.runSettings();
    for (const auto& [name, field] : fields_) {
        if (field->value() > 0) settings.dimensions[name] = field->value();
        else settings.dimensions.erase(name);
    }
    workbench_.setRunSettings(settings);
}

}  // namespace lapidary::views
