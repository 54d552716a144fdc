// SPDX-License-Identifier: GPL-3.0-or-later
#include "generate/token_time_bars.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

#include "generate/generate_words.h"
#include "models/rows_model.h"
#include "theme/theme.h"
#include "widgets/plot/picture_export.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int margin = 12;
constexpr double narrowest_labelled = 34;  // pixels of a segment that says its share

/// Black or white, whatever is easier to read on the colour.
QColor textOn(const QColor& fill) {
    return fill.lightnessF() > 0.55 ? QColor(Qt::black) : QColor(Qt::white);
}

}  // namespace

TokenTimeBars::TokenTimeBars(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("tokenTimeBars"));
    setAccessibleName(tr("Where a token's time goes"));
    setMouseTracking(true);
    installPictureMenu(*this, QStringLiteral("token-time"));
}

void TokenTimeBars::setRecord(const app::GenerateRecord* record) {
    bars_.clear();
    if (record)
        for (std::size_t i = 0; i < record->sides.size(); ++i)
            for (const app::TokenSample& sample : record->sides[i].samples) {
                const QString context = tr("%1 tokens").arg(formatCount(sample.context));
                const QString title =
                    record->sides.size() < 2
                        ? context
                        : QStringLiteral("%1 · %2").arg(i == 0 ? tr("A") : tr("B"), context);
                bars_.push_back({title, sample.time});
            }
    setAccessibleDescription(description());
    updateGeometry();
    update();
}

double TokenTimeBars::longest() const {
    double most = 0;
    for (const Bar& bar : bars_) most = std::max(most, bar.time.wall_ms);
    return most;
}

QString TokenTimeBars::describe(const Bar& bar) const {
    QStringList parts;
    for (const TokenPart& part : tokenParts())
        parts << QStringLiteral("%1 %2 (%3)")
                     .arg(nameOf(part), formatMilliseconds(bar.time.*part.ms),
                          formatPercent(bar.time.wall_ms > 0 ? bar.time.*part.ms / bar.time.wall_ms
                                                             : 0));
    return tr("%1: %2. %3")
        .arg(bar.title, formatMilliseconds(bar.time.wall_ms), parts.join(QStringLiteral(", ")));
}

QString TokenTimeBars::description() const {
    QStringList sentences;
    for (const Bar& bar : bars_) sentences << describe(bar);
    return sentences.join(QStringLiteral(". "));
}

int TokenTimeBars::rowHeight() const { return fontMetrics().height() + 12; }

int TokenTimeBars::legendHeight() const {
    const int entry = fontMetrics().height() + 4;
    return 2 * entry + margin;
}

QSize TokenTimeBars::sizeHint() const {
    return {fontMetrics().averageCharWidth() * 60,
            legendHeight() + int(std::max<std::size_t>(bars_.size(), 3)) * rowHeight() + margin};
}

QSize TokenTimeBars::minimumSizeHint() const {
    return {fontMetrics().averageCharWidth() * 34, sizeHint().height()};
}

QRectF TokenTimeBars::barArea(std::size_t row) const {
    int title = 0, time = 0;
    for (const Bar& bar : bars_) {
        title = std::max(title, fontMetrics().horizontalAdvance(bar.title));
        time =
            std::max(time, fontMetrics().horizontalAdvance(formatMilliseconds(bar.time.wall_ms)));
    }
    const double left = margin + title + 10, right = width() - margin - time - 10;
    return {left, double(legendHeight() + int(row) * rowHeight()), std::max(10.0, right - left),
            double(rowHeight() - 6)};
}

void TokenTimeBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (bars_.empty()) {
        painter.setPen(themeColors(palette()).mutedText);
        painter.drawText(rect().adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap,
                         tr("Some tokens are recorded while others come: their bars appear here."));
        return;
    }
    paintLegend(painter);
    for (std::size_t row = 0; row < bars_.size(); ++row) paintBar(painter, row);
}

void TokenTimeBars::paintLegend(QPainter& painter) const {
    const QFontMetrics metrics = fontMetrics();
    const int square = metrics.height() - 6, entry = metrics.height() + 4;
    int x = margin, y = margin / 2;
    for (const TokenPart& part : tokenParts()) {
        const QString name = nameOf(part);
        const int wide = square + 6 + metrics.horizontalAdvance(name) + 16;
        if (x > margin && x + wide > width() - margin) {
            x = margin;
            y += entry;
        }
        painter.fillRect(QRect(x, y + 3, square, square), colorOf(part, palette()));
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(QRect(x + square + 6, y, wide, metrics.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, name);
        x += wide;
    }
}

void TokenTimeBars::paintBar(QPainter& painter, std::size_t row) const {
    const Bar& bar = bars_[row];
    const QRectF area = barArea(row);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(QRectF(margin, area.top(), area.left() - margin - 10, area.height()),
                     Qt::AlignRight | Qt::AlignVCenter, bar.title);
    const double scale = longest() > 0 ? area.width() / longest() : 0;
    double x = area.left();
    for (const TokenPart& part : tokenParts()) {
        const double wide = bar.time.*part.ms * scale;
        const QColor fill = colorOf(part, palette());
        const QRectF segment(x, area.top(), wide, area.height());
        painter.fillRect(segment, fill);
        if (wide >= narrowest_labelled) {
            painter.setPen(textOn(fill));
            painter.drawText(segment, Qt::AlignCenter,
                             formatRoundPercent(bar.time.*part.ms / bar.time.wall_ms));
        }
        x += wide;
    }
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(QRectF(x + 8, area.top(), width() - x, area.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, formatMilliseconds(bar.time.wall_ms));
}

bool TokenTimeBars::event(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) update();
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (std::size_t row = 0; row < bars_.size(); ++row)
        if (QRectF area = barArea(row);
            help->pos().y() >= area.top() && help->pos().y() < area.bottom()) {
            QToolTip::showText(help->globalPos(), plainToolTip(describe(bars_[row])), this);
            return true;
        }
    QToolTip::hideText();
    return true;
}

}  // namespace lapidary::views
