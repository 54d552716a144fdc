// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimize/step_bar.h"

#include <QHBoxLayout>
#include <QSignalBlocker>

#include <algorithm>

#include "models/rows_model.h"
#include "theme/theme.h"
#include "widgets/elided_label.h"
#include "widgets/quantity.h"

namespace lapidary::views {

StepBar::StepBar(QWidget* parent)
    : QWidget(parent), slider_(new QSlider(Qt::Horizontal)), count_(new QLabel), text_(new ElidedLabel) {
    setObjectName(QStringLiteral("stepBar"));
    const auto action = [this](const QString& text, const char* icon, const QKeySequence& shortcut, auto go) {
        auto* made = new QAction(themedIcon(QLatin1String(icon)), text, this);
        made->setShortcut(shortcut);
        made->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        made->setToolTip(QStringLiteral("%1 (%2)").arg(text, shortcut.toString(QKeySequence::NativeText)));
        made->setProperty("commandGroup", tr("Rewrites"));
        connect(made, &QAction::triggered, this, [this, go] {
            slider_->setValue(go(slider_->value(), slider_->maximum()));
        });
        return made;
    };
    first_ = action(tr("Original graph"), "first", QKeySequence(Qt::ALT | Qt::Key_Home), [](int, int) { return 0; });
    previous_ = action(tr("Previous rewrite"), "previous", QKeySequence(Qt::ALT | Qt::Key_Left),
                       [](int at, int) { return at - 1; });
    next_ =
        action(tr("Next rewrite"), "next", QKeySequence(Qt::ALT | Qt::Key_Right), [](int at, int) { return at + 1; });
    last_ = action(tr("Finished graph"), "last", QKeySequence(Qt::ALT | Qt::Key_End),
                   [this](int at, int most) { return at < finished_ ? finished_ : most; });
    slider_->setObjectName(QStringLiteral("stepSlider"));
    slider_->setAccessibleName(tr("Rewrites applied"));
    slider_->setTickPosition(QSlider::NoTicks);
    slider_->setTracking(true);
    slider_->setMinimumWidth(160);
    count_->setObjectName(QStringLiteral("stepCount"));
    count_->setTextFormat(Qt::PlainText);
    count_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    text_->setObjectName(QStringLiteral("stepText"));
    text_->setAccessibleName(tr("What the step did"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(spacing, 4, spacing, 4);
    row->setSpacing(4);
    const auto button = [&](QAction* of) {
        auto* made = new QToolButton;
        made->setDefaultAction(of);
        made->setAutoRaise(true);
        made->setAccessibleName(of->text());
        row->addWidget(made);
    };
    button(first_);
    button(previous_);
    row->addWidget(slider_, 2);
    button(next_);
    button(last_);
    row->addSpacing(6);
    row->addWidget(count_);
    row->addSpacing(10);
    row->addWidget(text_, 5);
    connect(slider_, &QSlider::valueChanged, this, [this](int step) {
        refresh();
        emit stepChosen(step);
    });
    setSteps(0, 0);
}

void StepBar::setSteps(int steps, int finished) {
    const QSignalBlocker quiet(slider_);
    finished_ = finished;
    slider_->setRange(0, steps);
    slider_->setValue(finished);
    slider_->setPageStep(std::max(1, steps / 10));
    count_->setMinimumWidth(
        fontMetrics().horizontalAdvance(tr("%1 of %2").arg(formatCount(steps), formatCount(steps))) + 4);
    refresh();
}

void StepBar::setStep(int step) {
    const QSignalBlocker quiet(slider_);
    slider_->setValue(step);
    refresh();
}

void StepBar::setDescription(const QString& text) {
    text_->setText(text);
    text_->setToolTip(plainToolTip(text));
    slider_->setAccessibleDescription(text);
}

void StepBar::refresh() {
    const int step = slider_->value(), steps = slider_->maximum();
    count_->setText(tr("%1 of %2").arg(formatCount(step), formatCount(steps)));
    slider_->setEnabled(steps > 0);
    first_->setEnabled(step > 0);
    previous_->setEnabled(step > 0);
    next_->setEnabled(step < steps);
    last_->setEnabled(step < steps);
}

}  // namespace lapidary::views
