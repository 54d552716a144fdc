// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimize/step_bar.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QSignalBlocker>
#include <QStyleOptionSlider>
#include <QVBoxLayout>

#include <algorithm>

#include "models/rows_model.h"
#include "theme/theme.h"
#include "widgets/text/elided_label.h"
#include "widgets/text/quantity.h"

namespace lapidary::views {
namespace {

constexpr int film_height = 10;  // of the ticks, pixels

}  // namespace

FilmSlider::FilmSlider() : QSlider(Qt::Horizontal) {
    setTickPosition(QSlider::NoTicks);
    setTracking(true);
}

void FilmSlider::setRewrites(std::vector<RewriteKind> rewrites, int finished) {
    rewrites_ = std::move(rewrites);
    finished_ = finished;
    setRange(0, int(rewrites_.size()));
    setValue(finished);
    update();
}

QSize FilmSlider::sizeHint() const { return QSlider::sizeHint() + QSize(0, film_height); }

QSize FilmSlider::minimumSizeHint() const {
    return QSlider::minimumSizeHint() + QSize(0, film_height);
}

/// The ticks stand above the groove, where the handle of their step is; one column of pixels each
/// where there are more rewrites than pixels.
void FilmSlider::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    QStyleOptionSlider option;
    initStyleOption(&option);
    const QRect handle =
        style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, this);
    const int span = width() - handle.width(), steps = maximum();
    const double each = steps > 0 ? double(span) / steps : 0;
    const int thick = std::clamp(int(each) - 1, 1, 3);
    int last = -1;
    for (int step = 1; step <= steps; ++step) {
        const int offset = QStyle::sliderPositionFromValue(0, steps, step, span);
        const int x = (isRightToLeft() ? span - offset : offset) + handle.width() / 2;
        if (x == last) continue;
        last = x;
        QColor color = colorOf(rewrites_[std::size_t(step - 1)], palette());
        if (!isEnabled()) color.setAlphaF(0.4f);
        const int high = step <= finished_ ? film_height : film_height / 2;
        painter.fillRect(QRect(x - thick / 2, film_height - high, thick, high), color);
    }
    painter.end();
    QSlider::paintEvent(event);
}

StepBar::StepBar(QWidget* parent)
    : QWidget(parent), slider_(new FilmSlider), count_(new QLabel), text_(new ElidedLabel) {
    setObjectName(QStringLiteral("stepBar"));
    const auto action = [this](const QString& text, const char* icon, const QKeySequence& shortcut,
                               auto go) {
        auto* made = new QAction(themedIcon(QLatin1String(icon)), text, this);
        made->setShortcut(shortcut);
        made->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        made->setToolTip(
            QStringLiteral("%1 (%2)").arg(text, shortcut.toString(QKeySequence::NativeText)));
        made->setProperty("commandGroup", tr("Rewrites"));
        connect(made, &QAction::triggered, this,
                [this, go] { slider_->setValue(go(slider_->value(), slider_->maximum())); });
        return made;
    };
    first_ = action(tr("Original graph"), "first", QKeySequence(Qt::ALT | Qt::Key_Home),
                    [](int, int) { return 0; });
    previous_ = action(tr("Previous rewrite"), "previous", QKeySequence(Qt::ALT | Qt::Key_Left),
                       [](int at, int) { return at - 1; });
    next_ = action(tr("Next rewrite"), "next", QKeySequence(Qt::ALT | Qt::Key_Right),
                   [](int at, int) { return at + 1; });
    last_ = action(tr("Finished graph"), "last", QKeySequence(Qt::ALT | Qt::Key_End),
                   [this](int at, int most) { return at < finished_ ? finished_ : most; });
    slider_->setObjectName(QStringLiteral("stepSlider"));
    slider_->setAccessibleName(tr("Rewrites applied"));
    slider_->setMinimumWidth(160);
    count_->setObjectName(QStringLiteral("stepCount"));
    count_->setTextFormat(Qt::PlainText);
    count_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    text_->setObjectName(QStringLiteral("stepText"));
    text_->setAccessibleName(tr("What the step did"));
    auto* rows = new QVBoxLayout(this);  // the film takes the whole width
    rows->setContentsMargins(spacing, 4, spacing, 4);
    rows->setSpacing(0);
    auto* film = new QHBoxLayout;
    film->setSpacing(4);
    const auto button = [&](QAction* of) {
        auto* made = new QToolButton;
        made->setDefaultAction(of);
        made->setAutoRaise(true);
        made->setAccessibleName(of->text());
        film->addWidget(made);
    };
    button(first_);
    button(previous_);
    film->addWidget(slider_, 1);
    button(next_);
    button(last_);
    auto* words = new QHBoxLayout;
    words->setSpacing(10);
    words->addWidget(count_);
    words->addWidget(text_, 1);
    rows->addLayout(film);
    rows->addLayout(words);
    connect(slider_, &QSlider::valueChanged, this, [this](int step) {
        refresh();
        emit stepChosen(step);
    });
    setSteps({}, 0);
}

void StepBar::setSteps(std::vector<RewriteKind> rewrites, int finished) {
    const QSignalBlocker quiet(slider_);
    finished_ = finished;
    const int steps = int(rewrites.size());
    slider_->setRewrites(std::move(rewrites), finished);
    slider_->setPageStep(std::max(1, steps / 10));
    count_->setMinimumWidth(std::max(fontMetrics().horizontalAdvance(countText(finished)),
                                     fontMetrics().horizontalAdvance(countText(steps))) +
                            4);
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

QString StepBar::countText(int step) const {
    if (step <= finished_) return tr("%1 of %2").arg(formatCount(step), formatCount(finished_));
    return tr("session: %1 of %2")
        .arg(formatCount(step - finished_), formatCount(slider_->maximum() - finished_));
}

void StepBar::refresh() {
    const int step = slider_->value(), steps = slider_->maximum();
    count_->setText(countText(step));
    slider_->setEnabled(steps > 0);
    first_->setEnabled(step > 0);
    previous_->setEnabled(step > 0);
    next_->setEnabled(step < steps);
    last_->setEnabled(step < steps);
}

}  // namespace lapidary::views
