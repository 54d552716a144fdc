// SPDX-License-Identifier: GPL-3.0-or-later
#include "tune/choice_chips.h"

#include <QHBoxLayout>
#include <QRegularExpression>

#include <algorithm>

#include "models/rows_model.h"

namespace lapidary::views {

ChoiceChips::ChoiceChips(const QString& label, const QString& tip, Words words, QWidget* parent)
    : QWidget(parent), words_(std::move(words)), tip_(tip), name_(label),
      label_(new QLabel(label)) {
    name_.remove(u'&');
    setAccessibleName(name_);
    setStyleSheet(QStringLiteral(
        "QToolButton { padding: 2px 7px; border: 1px solid palette(mid); border-radius: 4px; "
        "background: palette(button); }"
        "QToolButton:checked { background: palette(highlight); color: palette(highlighted-text); "
        "border-color: palette(highlight); }"
        "QToolButton:focus { border-color: palette(text); }"));
    label_->setToolTip(plainToolTip(tip));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(3);
    row->addWidget(label_);
    row->addSpacing(3);
}

QToolButton* ChoiceChips::addChip(qint64 value, bool offered) {
    const auto at = std::ranges::lower_bound(chips_, value, {}, &Chip::value);
    if (at != chips_.end() && at->value == value) {
        at->offered = at->offered || offered;
        return at->button;
    }
    auto* button = new QToolButton;
    button->setObjectName(QStringLiteral("chip%1").arg(value));
    button->setCheckable(true);
    button->setFocusPolicy(Qt::StrongFocus);
    const auto place = at - chips_.begin();
    // behind the label and its gap
    static_cast<QHBoxLayout*>(layout())->insertWidget(2 + int(place), button);
    chips_.insert(at, {value, button, offered});
    connect(button, &QToolButton::clicked, this, [this, button, value](bool on) {
        if (!refusal_.isEmpty() && value != left_) {
            button->setChecked(false);
            emit refused(refusal_);
            return;
        }
        if (!on && std::ranges::none_of(
                       chips_, [](const Chip& chip) { return chip.button->isChecked(); })) {
            button->setChecked(true);  // one must stay
            return;
        }
        emit changed();
    });
    showChip(chips_[std::size_t(place)]);
    return button;
}

void ChoiceChips::showChip(const Chip& chip) const {
    const QString warning = warning_ ? warning_(chip.value) : QString();
    const bool allowed = refusal_.isEmpty() || chip.value == left_;
    const QString text = words_(chip.value);
    chip.button->setText(warning.isEmpty() ? text : text + QStringLiteral(" ⚠"));
    chip.button->setToolTip(plainToolTip(!allowed            ? refusal_
                                         : warning.isEmpty() ? tip_
                                                             : tip_ + u'\n' + warning));
    chip.button->setAccessibleName(QStringLiteral("%1: %2").arg(name_, text));
    chip.button->setAccessibleDescription(!allowed ? refusal_ : warning);
    chip.button->setEnabled(allowed);
}

void ChoiceChips::setOffered(const std::vector<qint64>& values) {
    const std::vector<qint64> ticked = checked();
    for (const Chip& chip : chips_) delete chip.button;
    chips_.clear();
    for (const qint64 value : values) addChip(value, true);
    setChecked(ticked);
}

void ChoiceChips::setChecked(const std::vector<qint64>& values) {
    for (const qint64 value : values) addChip(value, false);
    std::erase_if(chips_, [&](const Chip& chip) {
        const bool wanted = std::ranges::find(values, chip.value) != values.end();
        if (!wanted && !chip.offered) {
            chip.button->deleteLater();
            chip.button->hide();
            return true;
        }
        chip.button->setChecked(wanted);
        return false;
    });
}

std::vector<qint64> ChoiceChips::checked() const {
    std::vector<qint64> values;
    for (const Chip& chip : chips_)
        if (chip.button->isChecked()) values.push_back(chip.value);
    return values;
}

void ChoiceChips::allowTyping(qint64 low, qint64 high) {
    low_ = low;
    high_ = high;
    if (other_) return;
    other_ = new QLineEdit;
    other_->setObjectName(QStringLiteral("otherValues"));
    other_->setPlaceholderText(tr("other"));
    other_->setToolTip(
        plainToolTip(tr("Type numbers from %1 to %2 and press Enter").arg(low).arg(high)));
    other_->setAccessibleName(tr("%1: other values").arg(name_));
    other_->setFixedWidth(fontMetrics().averageCharWidth() * 10);
    layout()->addWidget(other_);
    connect(other_, &QLineEdit::returnPressed, this, &ChoiceChips::typed);
}

void ChoiceChips::typed() {
    static const QRegularExpression between(QStringLiteral("[\\s,;]+"));
    std::vector<qint64> values;
    for (const QString& word : other_->text().split(between, Qt::SkipEmptyParts)) {
        bool whole = false;
        const qint64 value = word.toLongLong(&whole);
        if (!whole || value < low_ || value > high_) {
            emit refused(tr("%1: expected whole numbers from %2 to %3, found \"%4\"")
                             .arg(name_)
                             .arg(low_)
                             .arg(high_)
                             .arg(word));
            other_->selectAll();
            return;
        }
        values.push_back(value);
    }
    if (values.empty()) return;
    if (!refusal_.isEmpty()) {
        emit refused(refusal_);
        return;
    }
    for (const qint64 value : values) addChip(value, false)->setChecked(true);
    other_->clear();
    emit changed();
}

void ChoiceChips::setWarning(Words warning) {
    warning_ = std::move(warning);
    for (const Chip& chip : chips_) showChip(chip);
}

void ChoiceChips::refuse(const QString& reason, qint64 left) {
    refusal_ = reason;
    left_ = left;
    for (const Chip& chip : chips_) showChip(chip);
    if (other_) {
        other_->setEnabled(reason.isEmpty());
        other_->setToolTip(plainToolTip(
            reason.isEmpty() ? tr("Type numbers from %1 to %2 and press Enter").arg(low_).arg(high_)
                             : reason));
    }
}

}  // namespace lapidary::views
