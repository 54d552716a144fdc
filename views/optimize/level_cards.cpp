// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimize/level_cards.h"

#include <QEvent>
#include <QPainter>
#include <QScopedValueRollback>

#include <algorithm>

#include "canvas/graph_outline.h"
#include "models/rows_model.h"
#include "theme/theme.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int padding = 12;

/// "−40 %".
QString differenceText(std::int64_t before, std::int64_t after) {
    if (before == after) return LevelCard::tr("no change");
    const double share = before > 0 ? double(std::abs(after - before)) / double(before) : 0;
    return QStringLiteral("%1%2 %")
        .arg(after < before ? QChar(0x2212) : QChar(u'+'))
        .arg(qRound(share * 100));
}

}  // namespace

LevelCard::LevelCard(std::optional<Level> level, QWidget* parent)
    : QAbstractButton(parent), level_(level) {
    setObjectName(QStringLiteral("levelCard_%1")
                      .arg(level ? exactText(name_of(*level)) : QStringLiteral("original")));
    setText(level ? app::nameOf(*level) : app::nameOf(app::Recipe()));
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    showState(State::Waiting);
}

void LevelCard::showVariant(const app::Variant& variant, const app::Variant* original,
                            const LevelFacts& facts) {
    state_ = State::Ready;
    inForce_ = facts.inForce;
    letters_ = facts.letters;
    const PipelineReport& report = variant.report;
    headline_ = nodeCountText(report.nodes_after);
    const bool isBase = variant.isOriginal() || variant.recipe.isBase();
    difference_ =
        variant.isOriginal() ? tr("as opened")
        : isBase
            ? tr("as edited")
            : differenceText(qint64(original ? original->report.nodes_after : report.nodes_before),
                             qint64(report.nodes_after));
    facts_[0] = isBase ? tr("runs at level %1").arg(app::nameOf(variant.recipe.runLevel()))
                : facts.time
                    ? formatMedian(facts.time->median_ms, facts.time->low_ms, facts.time->high_ms)
                : facts.measuring ? tr("measuring …")
                                  : tr("press Measure");
    if (facts.time && facts.time->kind == app::RunKind::profile) facts_[0] += u' ' + tr("profiled");
    times_ = {facts_[0]};
    if (facts.guard) {
        const QString guard =
            QStringLiteral(" · ") + (facts.guard->matches ? tr("guard ✓") : tr("guard ✗"));
        facts_[0] += guard;
        times_ = {facts_[0]};
        if (facts.time) times_ << formatMilliseconds(facts.time->median_ms) + guard;
    }
    if (facts.time) times_ << formatMilliseconds(facts.time->median_ms);
    const QString weights = formatBytes(variant.summary.weight_bytes);
    const QString memory = !facts.memory ? tr("planning …")
                           : !facts.memory->failure.isEmpty()
                               ? QStringLiteral("–")
                               : formatBytes(facts.memory->process_bytes);
    facts_[1] = tr("%1 weights · process %2").arg(weights, memory);
    shortMemory_ = tr("process %1").arg(memory);
    if (isBase) facts_[1] = shortMemory_ = tr("%1 weights").arg(weights);
    note_.clear();
    setToolTip(plainToolTip(tipOf(variant, facts)));
    setAccessibleName(text());
    QStringList said{headline_, difference_};
    for (const QString& fact : facts_) said << fact;
    if (const QString mark = markText(); !mark.isEmpty()) said << mark;
    if (!letters_.isEmpty()) said << letters_;
    setAccessibleDescription(said.join(QStringLiteral(", ")));
    update();
}

QString LevelCard::tipOf(const app::Variant& variant, const LevelFacts& facts) const {
    const PipelineReport& report = variant.report;
    const auto applied =
        std::ranges::count_if(report.passes, [](const PassRun& p) { return p.applied > 0; });
    const auto ran =
        std::ranges::count_if(report.passes, [](const PassRun& p) { return p.skipped.empty(); });
    QStringList lines{variant.isOriginal()
                          ? tr("%1: %2, no pass applied.").arg(variant.name, headline_)
                      : variant.recipe.isBase()
                          ? tr("%1: %2. The levels apply to it; the model as opened is among the "
                               "variants.")
                                .arg(variant.name, headline_)
                          : tr("%1: %2, %n rewrite(s) by %3 of %4 passes in %5.", nullptr,
                               int(variant.rewrites()))
                                .arg(variant.name, headline_)
                                .arg(applied)
                                .arg(ran)
                                .arg(formatNanoseconds(report.nanoseconds))};
    if (variant.sessionNodes > 0)
        lines << tr("A session runs %1, after passes of its own that no file holds.")
                     .arg(nodeCountText(variant.sessionNodes));
    if (facts.time)
        lines << (facts.time->kind == app::RunKind::profile
                      ? tr("Median of %1 profiled runs (threads: %2); 95 % interval %3 to %4.")
                      : tr("Median of %1 runs (threads: %2); 95 % interval %3 to %4."))
                     .arg(formatCount(facts.time->repetitions), formatCount(facts.time->threads),
                          formatMilliseconds(facts.time->low_ms),
                          formatMilliseconds(facts.time->high_ms));
    if (facts.memory && facts.memory->failure.isEmpty())
        lines << tr("Process while it runs, as the Memory page shows it: %1; activations planned: "
                    "%2.")
                     .arg(formatBytes(facts.memory->process_bytes),
                          formatBytes(facts.memory->needed_bytes));
    else if (facts.memory)
        lines << tr("The memory could not be planned: %1").arg(labelText(facts.memory->failure));
    if (facts.memory && facts.memory->failure.isEmpty() && !facts.memory->complete)
        lines << tr("Sizes that only a run shows count as nothing.");
    if (!facts.sizes.isEmpty()) lines << tr("With %1.").arg(facts.sizes);
    if (facts.guard)
        lines << (facts.guard->matches
                      ? tr("The guard found its results the same as the original's.")
                      : tr("The guard found other results than the original's."));
    if (variant.isOriginal())
        lines << tr("The graph as its file has it. Runs, plans and sweeps of it are at level %1, "
                    "as in every session "
                    "of ONNX Runtime.")
                     .arg(app::nameOf(variant.recipe.runLevel()));
    lines << (facts.inForce ? tr("In force: all pages are of it.")
                            : tr("Press it to put it in force: Graph, Run, Memory, Tune and "
                                 "exports are of it then."));
    return lines.join(u'\n');
}

void LevelCard::showState(State state, const QString& text) {
    state_ = state;
    inForce_ = false;
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

QSize LevelCard::minimumSizeHint() const {
    return {fontMetrics().averageCharWidth() * 26, sizeHint().height()};
}

bool LevelCard::event(QEvent* event) {
    if (event->type() == QEvent::Enter || event->type() == QEvent::Leave ||
        event->type() == QEvent::PaletteChange)
        update();
    return QAbstractButton::event(event);
}

QString LevelCard::markText() const {
    return inForce_ ? tr("in force") : isChecked() ? tr("preview") : QString();
}

QString LevelCard::timeWithin(int width) const {
    for (const QString& time : times_)
        if (fontMetrics().horizontalAdvance(time) <= width) return time;
    return times_.isEmpty() ? QString()
                            : fontMetrics().elidedText(times_.back(), Qt::ElideRight, width);
}

/// A font that leaves room for the text beside the number of nodes.
QFont LevelCard::headlineFont(int width) const {
    for (const double scale : {1.35, 1.2, 1.05}) {
        const QFont font = scaledFont(scale, true);
        const int both = QFontMetrics(font).horizontalAdvance(headline_) +
                         fontMetrics().horizontalAdvance(difference_);
        if (both + 10 <= width) return font;
    }
    return scaledFont(level_ ? 1.05 : 1.35, true);  // "as opened" says nothing new
}

QString LevelCard::differenceWithin(int width) const {
    const int rest = width - QFontMetrics(headlineFont(width)).horizontalAdvance(headline_) - 10;
    if (!level_ && fontMetrics().horizontalAdvance(difference_) > rest) return {};
    return fontMetrics().elidedText(difference_, Qt::ElideRight, rest);
}

/// Paints the name, the letters of its slots, and a tick and bold text if it is in force.
void LevelCard::paintTitle(QPainter& painter, const QRect& line) {
    const ThemeColors& colors = themeColors(palette());
    QRect rest = line;
    const int side = line.height() - 2;
    if (inForce_) {
        themedIcon(QStringLiteral("check"))
            .paint(&painter, QRect(line.left(), line.top() + 1, side, side));
        rest.setLeft(rest.left() + side + 6);
    }
    const QFont title = scaledFont(1.05, inForce_);
    painter.setFont(title);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter, text());
    rest.setLeft(rest.left() + QFontMetrics(title).horizontalAdvance(text()) + 8);
    painter.setFont(scaledFont(0.85, true));
    for (const QString& letter : letters_.split(u' ', Qt::SkipEmptyParts)) {
        const QRect box(rest.left(), line.top() + 1, side, side);
        painter.setPen(QPen(colors.mutedText, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
        painter.drawText(box, Qt::AlignCenter, letter);
        rest.setLeft(box.right() + 4);
    }
    painter.setFont(scaledFont(0.85));
    painter.setPen(colors.mutedText);
    painter.drawText(rest, Qt::AlignRight | Qt::AlignVCenter, markText());
}

void LevelCard::paintFacts(QPainter& painter, QRect area) {
    const ThemeColors& colors = themeColors(palette());
    const QFont large = headlineFont(area.width());
    const int largeHeight = QFontMetrics(scaledFont(1.35, true)).height(),
              line = fontMetrics().height() + 2;
    painter.setFont(large);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(QRect(area.left(), area.top(), area.width(), largeHeight),
                     Qt::AlignLeft | Qt::AlignVCenter, headline_);
    const int taken = QFontMetrics(large).horizontalAdvance(headline_) + 10;
    painter.setFont(font());
    const bool isMuted =
        !level_ || level_ == Level::disabled || difference_ == differenceText(0, 0);
    painter.setPen(isMuted ? colors.mutedText : colors.good);
    painter.drawText(QRect(area.left() + taken, area.top() + 2, area.width() - taken, largeHeight),
                     Qt::AlignLeft | Qt::AlignVCenter, differenceWithin(area.width()));
    area.setTop(area.top() + largeHeight + 4);
    painter.setPen(colors.mutedText);
    const bool fits = fontMetrics().horizontalAdvance(facts_[1]) <= area.width();
    const QString memory =
        fontMetrics().elidedText(fits ? facts_[1] : shortMemory_, Qt::ElideRight, area.width());
    for (const QString& fact : {timeWithin(area.width()), memory}) {
        painter.drawText(QRect(area.left(), area.top(), area.width(), line),
                         Qt::AlignLeft | Qt::AlignVCenter, fact);
        area.setTop(area.top() + line);
    }
}

void LevelCard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const ThemeColors& colors = themeColors(palette());
    const bool lit = isChecked() || inForce_ || hasFocus() || underMouse();
    painter.setBrush(inForce_ ? colors.infoFill : colors.card);
    painter.setPen(QPen(lit ? colors.accent : colors.border, isChecked() ? 2 : 1));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 8, 8);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colors.accent, 1, Qt::DotLine));
        painter.drawRoundedRect(QRectF(rect()).adjusted(4, 4, -4, -4), 6, 6);
    }
    const QRect inner = rect().adjusted(padding, padding - 2, -padding, -padding + 2);
    const int titleHeight = QFontMetrics(scaledFont(1.05, true)).height();
    paintTitle(painter, QRect(inner.left(), inner.top(), inner.width(), titleHeight));
    const QRect below = inner.adjusted(0, titleHeight + 2, 0, 0);
    if (state_ == State::Ready) return paintFacts(painter, below);
    painter.setFont(font());
    painter.setPen(state_ == State::Failed ? colors.error : colors.mutedText);
    painter.drawText(below, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, note_);
}

LevelCards::LevelCards(QWidget* parent)
    : QWidget(parent), group_(new QButtonGroup(this)), grid_(new QGridLayout(this)) {
    setObjectName(QStringLiteral("levelCards"));
    setAccessibleName(tr("Optimization levels"));
    grid_->setContentsMargins(spacing + 2, spacing, spacing + 2, 4);
    grid_->setSpacing(spacing);
    for (std::size_t i = 0; i < cards_.size(); ++i) {
        cards_[i] = new LevelCard(i == 0 ? std::nullopt : std::optional(static_cast<Level>(i - 1)));
        group_->addButton(cards_[i], int(i));
    }
    arrange(int(cards_.size()));
    // not idClicked: screen readers toggle
    connect(group_, &QButtonGroup::idToggled, this, [this](int id, bool on) {
        if (on && !refreshing_) emit chosen(cards_[std::size_t(id)]->level());
    });
    connect(group_, &QButtonGroup::idClicked, this,
            [this](int id) { emit chosen(cards_[std::size_t(id)]->level()); });
}

void LevelCards::arrange(int columns) {
    if (columns == columns_) return;
    columns_ = columns;
    for (std::size_t i = 0; i < cards_.size(); ++i) {
        grid_->removeWidget(cards_[i]);
        grid_->addWidget(cards_[i], int(i) / columns, int(i) % columns);
    }
    for (int column = 0; column < int(cards_.size()); ++column)
        grid_->setColumnStretch(column, column < columns);
    updateGeometry();
}

QSize LevelCards::minimumSizeHint() const {
    const QMargins margins = grid_->contentsMargins();
    return {cards_[0]->minimumSizeHint().width() + margins.left() + margins.right(),
            grid_->minimumSize().height()};
}

void LevelCards::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const QMargins margins = grid_->contentsMargins();
    const int each = cards_[0]->minimumSizeHint().width() + grid_->horizontalSpacing();
    const int fit = (width() - margins.left() - margins.right() + grid_->horizontalSpacing()) /
                    std::max(1, each);
    arrange(fit >= 5 ? 5 : fit >= 3 ? 3 : fit >= 2 ? 2 : 1);
}

app::Recipe LevelCards::recipeOf(std::optional<Level> level, const app::Recipe& recipe) {
    if (!level) return recipe.base();
    app::Recipe own = recipe;
    if (level != recipe.level) own.edits_after.clear();
    own.level = level;
    return own;
}

void LevelCards::refresh(const app::VariantStore& store, const app::Recipe& recipe,
                         const FactsOf& factsOf) {
    const QScopedValueRollback guard(refreshing_, true);
    for (LevelCard* card : cards_) {
        const app::Recipe own = recipeOf(card->level(), recipe);
        if (!card->level())
            card->setText(own.isEditedAlone() ? tr("Edited") : app::nameOf(app::Recipe()));
        if (card->level() == recipe.level) card->setChecked(true);
        const app::VariantPtr variant = store.find(own);
        const QString failure = store.failureOf(own);
        if (variant) card->showVariant(*variant, store.baseOf(own).get(), factsOf(variant));
        else if (!failure.isEmpty()) card->showState(LevelCard::State::Failed, failure);
        else if (store.isPending(own) && store.job())
            card->showState(LevelCard::State::Working,
                            tr("Optimizing: %1 …").arg(store.job()->stage()));
        else card->showState(LevelCard::State::Waiting);
    }
}

}  // namespace lapidary::views
