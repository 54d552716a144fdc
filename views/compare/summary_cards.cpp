// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/summary_cards.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

#include "compare/signed_text.h"
#include "models/rows_model.h"
#include "theme/theme.h"

namespace lapidary::views {
namespace {

constexpr int padding = 12, gap = 8;
constexpr int narrowest_card = 21;      // in average characters
constexpr double smallest_font = 0.72;  // of the font: smaller text is not legible

/// The font, made smaller down to a limit if the text does not fit the width.
QFont fittedFont(const QFont& font, const QString& text, int width) {
    QFont smaller = font;
    // advances are rounded: no proportion
    for (double factor = 1; factor >= smallest_font; factor -= 0.04) {
        smaller.setPointSizeF(font.pointSizeF() * factor);
        if (QFontMetrics(smaller).horizontalAdvance(text) <= width) break;
    }
    return smaller;
}

}  // namespace

SummaryCards::SummaryCards(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("summaryCards"));
    setAccessibleName(tr("Key figures of A and B"));
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void SummaryCards::setFigures(std::vector<SummaryFigure> figures) {
    figures_ = std::move(figures);
    QStringList said;
    for (const SummaryFigure& figure : figures_)
        said << (figure.a.isEmpty()
                     ? tr("%1: %2").arg(figure.name, figure.worth)
                     : tr("%1: A %2, B %3, %4 %5")
                           .arg(figure.name, figure.a, figure.b, figure.change, figure.worth)
                           .trimmed());
    setAccessibleDescription(said.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

int SummaryCards::columnsIn(int width) const {
    const int narrowest = narrowest_card * fontMetrics().averageCharWidth() + 2 * padding;
    const int fit =
        std::clamp((width - gap) / (narrowest + gap), 1, std::max(1, int(figures_.size())));
    const int rows = (int(figures_.size()) + fit - 1) / std::max(1, fit);
    // rows of about equal length
    return rows == 0 ? fit : (int(figures_.size()) + rows - 1) / rows;
}

int SummaryCards::cardHeight() const {
    return 2 * padding - 4 + fontMetrics().height() * 3 +
           QFontMetrics(scaledFont(1.2, true)).height() + 6;
}

QRect SummaryCards::cardRect(int index) const {
    const int columns = columnsIn(width());
    const int side = (width() - 2 * gap - (columns - 1) * gap) / columns;
    return {gap + (index % columns) * (side + gap),
            gap / 2 + (index / columns) * (cardHeight() + gap), side, cardHeight()};
}

int SummaryCards::heightForWidth(int width) const {
    const int columns = columnsIn(width);
    const int rows = (int(figures_.size()) + columns - 1) / columns;
    return std::max(1, rows) * (cardHeight() + gap);
}

QSize SummaryCards::sizeHint() const { return {900, heightForWidth(900)}; }
QSize SummaryCards::minimumSizeHint() const { return {200, cardHeight() + gap}; }

bool SummaryCards::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        for (int i = 0; i < int(figures_.size()); ++i)
            if (cardRect(i).contains(help->pos())) {
                QToolTip::showText(help->globalPos(), plainToolTip(figures_[std::size_t(i)].tip),
                                   this, cardRect(i));
                return true;
            }
        QToolTip::hideText();
        return true;
    }
    if (event->type() == QEvent::PaletteChange) update();
    return QWidget::event(event);
}

void SummaryCards::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const ThemeColors& colors = themeColors(palette());
    const QFont large = scaledFont(1.2, true), bold = scaledFont(1.0, true);
    for (int i = 0; i < int(figures_.size()); ++i) {
        const SummaryFigure& figure = figures_[std::size_t(i)];
        const QRect card = cardRect(i),
                    inner = card.adjusted(padding, padding - 4, -padding, -padding + 4);
        painter.setPen(colors.border);
        painter.setBrush(colors.card);
        painter.drawRoundedRect(QRectF(card).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
        const int line = fontMetrics().height(), largeLine = QFontMetrics(large).height();
        const auto write = [&](int top, int height, const QFont& font, const QColor& color,
                               const QString& text) {
            const QFont fitting = fittedFont(font, text, inner.width());
            painter.setFont(fitting);
            painter.setPen(color);
            painter.drawText(QRect(inner.left(), inner.top() + top, inner.width(), height),
                             Qt::AlignLeft | Qt::AlignVCenter,
                             QFontMetrics(fitting).elidedText(text, Qt::ElideRight, inner.width()));
        };
        write(0, line, font(), colors.mutedText, figure.name);
        const QColor text = palette().color(QPalette::WindowText);
        const QString values = figure.a.isEmpty() || figure.b.isEmpty() ? QStringLiteral("–")
                               : figure.a == figure.b                   ? figure.b
                                                      : figure.a + QStringLiteral(" → ") + figure.b;
        write(line + 2, largeLine, large, text, values);
        write(line + largeLine + 4, line, bold,
              figure.sign == 0 ? colors.mutedText : differenceColor(figure.sign, palette()),
              figure.change);
        write(2 * line + largeLine + 5, line, font(), colors.mutedText, figure.worth);
    }
}

}  // namespace lapidary::views
