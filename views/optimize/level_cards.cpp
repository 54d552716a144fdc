// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimize/level_cards.h"

#include <QEvent>
#include <QPainter>
#include <QScopedValueRollback>

#include <algorithm>

#include "theme/theme.h"
#include "widgets/quantity.h"
#include "workbench/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int padding = 12;

/// "−40 %".
QString differenceText(std::int64_t before, std::int64_t after) {
    if (before == after) return LevelCard::tr("no change");
    const double share = before > 0 ? double(std::abs(after - before)) / double(before) : 0;
    return QStringLiteral("%1%2 %").arg(after < before ? QChar(0x2212) : QChar(u'+')).arg(qRound(share * 100));
}

}  // namespace

LevelCard::LevelCard(Level level, QWidget* parent) : QAbstractButton(parent), level_(level) {
    setObjectName(QStringLiteral("levelCard_%1").arg(exactText(name_of(level))));
    setText(app::nameOf(level));
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    showState(State::Waiting);
}

void LevelCard::showVariant(const app::Variant& variant, const app::Variant* original) {
    state_ = State::Ready;
    const PipelineReport& report = variant.report;
    const auto applied = std::ranges::count_if(report.passes, [](const PassRun& p) { return p.applied > 0; });
    const auto ran = std::ranges::count_if(report.passes, [](const PassRun& p) { return p.skipped.empty(); });
    headline_ = tr("%1 nodes").arg(formatCount(qint64(report.nodes_after)));
    difference_ = variant.isOriginal()
                      ? tr("as opened")
                      : differenceText(qint64(original ? original->report.nodes_before : report.nodes_before),
                                       qint64(report.nodes_after));
    QString memory = QStringLiteral("≈ ") + formatBytes(variant.activations.peak_bytes);
    if (variant.activations.peak_bytes == 0 && variant.activations.unknown > 0) memory = tr("?");
    const QString weights = formatBytes(variant.summary.weight_bytes);
    facts_[0] = variant.isOriginal()
                    ? tr("no pass applied")
                    : tr("%1 of %2 passes, %3").arg(applied).arg(ran).arg(formatNanoseconds(report.nanoseconds));
    facts_[1] = QStringLiteral("%1 + %2").arg(weights, memory);
    note_.clear();
    QString tip = tr("%1: %2, %3 rewrites by %4 of %5 passes in %6.")
                      .arg(variant.name, headline_)
                      .arg(variant.rewrites())
                      .arg(applied)
                      .arg(ran)
                      .arg(formatNanoseconds(report.nanoseconds));
    tip += QLatin1Char('\n') + tr("Weights %1, activations %2 at their peak (estimated).").arg(weights, memory);
    if (!variant.activations.assumed.empty()) {
        QStringList sizes;
        for (const auto& [name, size] : variant.activations.assumed)
            sizes << QStringLiteral("%1 = %2").arg(labelText(name), QString::number(size));
        tip += QLatin1Char('\n') +
               tr("Free dimensions as in a run that gives none: %1. Fix them in the recipe to know better.")
                   .arg(sizes.mid(0, 6).join(QStringLiteral(", ")));
    }
    if (variant.activations.unknown > 0)
        tip += QLatin1Char('\n') + tr("%1 values of unknown size are not counted.").arg(variant.activations.unknown);
    setToolTip(tip);
    setAccessibleName(text());
    QStringList said{headline_, difference_};
    for (const QString& fact : facts_) said << fact;
    setAccessibleDescription(said.join(QStringLiteral(", ")));
    update();
}

void LevelCard::showState(State state, const QString& text) {
    state_ = state;
    note_ = text;
    if (state != State::Ready && note_.isEmpty())
        note_ = state == State::Working  ? tr("Optimizing …")
                : state == State::Failed ? tr("It failed")
                                         : tr("Waiting …");
    setToolTip(note_);
    setAccessibleName(this->text());
    setAccessibleDescription(note_);
    update();
}

QSize LevelCard::sizeHint() const {
    const int line = fontMetrics().height() + 2;
    return {230, 2 * padding + QFontMetrics(scaledFont(1.05, true)).height() +
                     QFontMetrics(scaledFont(1.35, true)).height() + 8 + 2 * line};
}

QSize LevelCard::minimumSizeHint() const { return {fontMetrics().averageCharWidth() * 26, sizeHint().height()}; }

bool LevelCard::event(QEvent* event) {
    if (event->type() == QEvent::Enter || event->type() == QEvent::Leave || event->type() == QEvent::PaletteChange)
        update();
    return QAbstractButton::event(event);
}

void LevelCard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const ThemeColors& colors = themeColors(palette());
    const bool lit = isChecked() || hasFocus() || underMouse();
    painter.setBrush(isChecked() ? colors.infoFill : colors.card);
    painter.setPen(QPen(lit ? colors.accent : colors.border, isChecked() ? 2 : 1));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 8, 8);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colors.accent, 1, Qt::DotLine));
        painter.drawRoundedRect(QRectF(rect()).adjusted(4, 4, -4, -4), 6, 6);
    }
    const QRect inner = rect().adjusted(padding, padding - 2, -padding, -padding + 2);
    const QFont title = scaledFont(1.05, true), large = scaledFont(1.35, true);
    const int titleHeight = QFontMetrics(title).height(), largeHeight = QFontMetrics(large).height(),
              line = fontMetrics().height() + 2;
    painter.setFont(title);
    painter.setPen(isChecked() ? colors.accent : palette().color(QPalette::WindowText));
    painter.drawText(QRect(inner.left(), inner.top(), inner.width(), titleHeight), Qt::AlignLeft | Qt::AlignVCenter,
                     text());
    if (isChecked()) {  // not by colour alone
        const int side = titleHeight - 2;
        themedIcon(QStringLiteral("check")).paint(&painter, QRect(inner.right() - side, inner.top(), side, side));
    }
    int y = inner.top() + titleHeight + 2;
    if (state_ != State::Ready) {
        painter.setFont(font());
        painter.setPen(state_ == State::Failed ? colors.error : colors.mutedText);
        painter.drawText(QRect(inner.left(), y, inner.width(), inner.bottom() - y),
                         Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, note_);
        return;
    }
    painter.setFont(large);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(QRect(inner.left(), y, inner.width(), largeHeight), Qt::AlignLeft | Qt::AlignVCenter, headline_);
    const int taken = QFontMetrics(large).horizontalAdvance(headline_) + 10;
    painter.setFont(font());
    painter.setPen(level_ == Level::disabled ? colors.mutedText : colors.good);
    painter.drawText(QRect(inner.left() + taken, y + 2, inner.width() - taken, largeHeight),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(difference_, Qt::ElideRight, inner.width() - taken));
    y += largeHeight + 4;
    painter.setPen(colors.mutedText);
    for (const QString& fact : facts_) {
        painter.drawText(QRect(inner.left(), y, inner.width(), line), Qt::AlignLeft | Qt::AlignVCenter,
                         fontMetrics().elidedText(fact, Qt::ElideRight, inner.width()));
        y += line;
    }
}

LevelCards::LevelCards(QWidget* parent)
    : QWidget(parent), group_(new QButtonGroup(this)), grid_(new QGridLayout(this)) {
    setObjectName(QStringLiteral("levelCards"));
    setAccessibleName(tr("Optimization levels"));
    grid_->setContentsMargins(spacing + 2, spacing, spacing + 2, 4);
    grid_->setSpacing(spacing);
    for (std::size_t i = 0; i < cards_.size(); ++i) {
        cards_[i] = new LevelCard(static_cast<Level>(i));
        group_->addButton(cards_[i], int(i));
    }
    arrange(int(cards_.size()));
    connect(group_, &QButtonGroup::idToggled, this, [this](int id, bool on) {  // not idClicked: screen readers toggle
        if (on && !refreshing_) emit chosen(static_cast<Level>(id));
    });
}

void LevelCards::arrange(int columns) {
    if (columns == columns_) return;
    columns_ = columns;
    for (std::size_t i = 0; i < cards_.size(); ++i) {
        grid_->removeWidget(cards_[i]);
        grid_->addWidget(cards_[i], int(i) / columns, int(i) % columns);
    }
    for (int column = 0; column < int(cards_.size()); ++column) grid_->setColumnStretch(column, column < columns);
    updateGeometry();
}

QSize LevelCards::minimumSizeHint() const {
    const QMargins margins = grid_->contentsMargins();
    return {cards_[0]->minimumSizeHint().width() + margins.left() + margins.right(), grid_->minimumSize().height()};
}

void LevelCards::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const QMargins margins = grid_->contentsMargins();
    const int each = cards_[0]->minimumSizeHint().width() + grid_->horizontalSpacing();
    const int fit = (width() - margins.left() - margins.right() + grid_->horizontalSpacing()) / std::max(1, each);
    arrange(fit >= 4 ? 4 : fit >= 2 ? 2 : 1);
}

void LevelCards::refresh(const app::VariantStore& store, const app::Recipe& recipe) {
    const QScopedValueRollback guard(refreshing_, true);
    for (LevelCard* card : cards_) {
        app::Recipe own = recipe;
        own.level = card->level();
        if (own.level == Level::disabled) own = {};
        if (card->level() == recipe.level) card->setChecked(true);
        const app::VariantPtr variant = store.find(own);
        const QString failure = store.failureOf(own);
        if (variant) card->showVariant(*variant, store.original().get());
        else if (!failure.isEmpty()) card->showState(LevelCard::State::Failed, failure);
        else if (store.isPending(own) && store.job())
            card->showState(LevelCard::State::Working, store.job()->stage().isEmpty()
                                                           ? QString()
                                                           : tr("Optimizing: %1 …").arg(store.job()->stage()));
        else card->showState(LevelCard::State::Waiting);
    }
}

}  // namespace lapidary::views
