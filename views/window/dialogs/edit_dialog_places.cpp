// SPDX-License-Identifier: GPL-3.0-or-later
// What the lines of the Edit dialog are for: the model as it was opened, or what its level makes.
#include <utility>

#include "window/dialogs/edit_dialog.h"
#include "workbench/document/variant_store.h"
#include "workbench/text/bounded_text.h"
#include "workbench/text/recipe.h"

namespace lapidary::views {

/// Another engine has no level whose result could be edited here.
void EditDialog::makePlaces() {
    place_->setObjectName(QStringLiteral("editPlace"));
    place_->setAccessibleName(tr("What the lines are for"));
    place_->addItem(tr("Before the level: the model as opened"));
    if (!level_.runsInOtherEngine())
        place_->addItem(tr("After the level: what %1 makes").arg(app::nameOf(level_)));
    place_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    connect(place_, &QComboBox::currentIndexChanged, this, &EditDialog::changePlace);
    const auto tryAgain = [this] {
        if (std::exchange(waitsForLevel_, false)) startCheck();
    };
    connect(&workbench_.variants(), &app::VariantStore::made, this, tryAgain);
    connect(&workbench_.variants(), &app::VariantStore::failed, this, tryAgain);
    connect(&workbench_.variants(), &app::VariantStore::cancelled, this, [this] {
        if (!std::exchange(waitsForLevel_, false)) return;
        refresh();
        showRed(QStringLiteral("✕ ") + tr("It was cancelled."));
        emit checked();
    });
    showPlace();
    if (!scripts_[1].isEmpty()) setAfterLevel(true);
}

void EditDialog::setAfterLevel(bool after) {
    if (place_->count() > 1) place_->setCurrentIndex(after ? 1 : 0);
}

void EditDialog::changePlace() {
    scripts_[std::size_t(shownPlace_)] = script();
    shownPlace_ = place_->currentIndex();
    showPlace();
    setScript(scripts_[std::size_t(shownPlace_)]);
    changed();
}

/// Says what else the variant has, and shows lines that fit the place.
void EditDialog::showPlace() {
    if (keptNote_)
        keptNote_->setText(
            isAfterLevel()
                ? tr("The lines are applied last, after %1.").arg(app::nameOf(level_))
                : tr("After the lines comes what is in force now: %1.").arg(app::nameOf(kept_)));
    script_->setPlaceholderText(isAfterLevel() ? tr("rename node * -> fast/*")
                                               : tr("delete op:Dropout\nrename input x -> image"));
}

/// Null: not made yet.
app::VariantPtr EditDialog::madeLevel() const { return workbench_.variants().find(level_); }

/// What the lines are applied to; nothing: not made yet.
std::optional<app::ModelSource> EditDialog::source() const {
    if (!isAfterLevel()) return source_;
    const app::VariantPtr level = madeLevel();
    return level ? std::optional(workbench_.sourceOf(level)) : std::nullopt;
}

/// The lines are tried when it is there.
void EditDialog::makeLevel() {
    const QString failure = workbench_.variants().failureOf(level_);
    waitsForLevel_ = failure.isEmpty();
    if (waitsForLevel_ && !workbench_.variants().isPending(level_))
        workbench_.variants().requestAlso(level_);
    refresh();
    if (waitsForLevel_) return;
    showRed(QStringLiteral("✕ ") + sentenceText(failure));
    emit checked();
}

}  // namespace lapidary::views
