// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimize/review/rewrite_cards.h"

#include <QPainter>

#include "optimize/rewrite_text.h"
#include "optimize/rewrite_words.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int card_margin = 8, stripe_width = 4, arrow_width = 20;
constexpr int least_card_width = 200;

QString titleOf(const AppliedRewrite& applied, int row) {
    return QStringLiteral("#%1 %2").arg(row + 1).arg(labelText(applied.rewrite.pass));
}

/// Height of the pictures: the most layers, close to each other.
int pictureHeight(const QFontMetrics& metrics) {
    return most_picture_layers * (metrics.height() + 6);
}

}  // namespace

void RewriteCardModel::setVariant(app::VariantPtr variant) {
    beginResetModel();
    variant_ = std::move(variant);
    pictures_.clear();
    endResetModel();
}

void RewriteCardModel::setPicture(std::size_t step, RewritePicture picture) {
    if (step == 0 || step > std::size_t(rowCount())) return;
    pictures_.insert_or_assign(step, std::move(picture));
    const QModelIndex at = index(int(step) - 1);
    emit dataChanged(at, at);
}

const RewritePicture* RewriteCardModel::picture(std::size_t step) const {
    const auto at = pictures_.find(step);
    return at == pictures_.end() ? nullptr : &at->second;
}

int RewriteCardModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !variant_ ? 0 : int(variant_->report.rewrites.size());
}

QVariant RewriteCardModel::data(const QModelIndex& at, int role) const {
    if (!checkIndex(at, CheckIndexOption::IndexIsValid)) return {};
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != Qt::AccessibleTextRole)
        return {};
    const AppliedRewrite& applied = rewrite(at.row());
    const QString what =
        titleOf(applied, at.row()) + u' ' + labelText(rewriteLine(*variant_, applied));
    if (role == Qt::DisplayRole) return labelText(what);
    const RewritePicture* const shown = picture(std::size_t(at.row()) + 1);
    if (!shown) return tipText(what);
    if (!shown->problem.isEmpty()) return tipText(what + u'\n' + shown->problem);
    return tipText(what + u'\n' + tr("before: %1").arg(operatorsOf(shown->before)) + u'\n' +
                   tr("after: %1").arg(operatorsOf(shown->after)));
}

QSize RewriteCardDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
    const QFontMetrics small(scaledFont(0.9));
    return {least_card_width,
            2 * option.fontMetrics.height() + pictureHeight(small) + 4 * card_margin};
}

/// The pass at the left, how many nodes went and came at the right.
void RewriteCardDelegate::paintTitle(QPainter& painter, const QRect& line, const QFont& font,
                                     const AppliedRewrite& applied, int row,
                                     const QPalette& palette) const {
    const ThemeColors& colors = themeColors(palette);
    painter.setFont(font);
    const QFontMetrics metrics(font);
    const QString came = QStringLiteral("+%1").arg(applied.rewrite.added.size());
    const QString went =
        QStringLiteral("%1%2  ").arg(QChar(0x2212)).arg(applied.rewrite.removed.size());
    const int wide = metrics.horizontalAdvance(went + came);
    painter.setPen(colors.error);
    painter.drawText(line.adjusted(line.width() - wide, 0, 0, 0), Qt::AlignLeft, went);
    painter.setPen(colors.good);
    painter.drawText(line, Qt::AlignRight, came);
    QFont bold = font;
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(palette.color(QPalette::Text));
    const int room = line.width() - wide - card_margin;
    painter.drawText(line, Qt::AlignLeft,
                     QFontMetrics(bold).elidedText(titleOf(applied, row), Qt::ElideRight, room));
}

void RewriteCardDelegate::paintPictures(QPainter& painter, const QRect& area, std::size_t step,
                                        const QPalette& palette) const {
    const RewritePicture* const picture = model_.picture(step);
    painter.setPen(themeColors(palette).mutedText);
    if (!picture || !picture->problem.isEmpty()) {
        painter.drawText(area, int(Qt::AlignCenter) | int(Qt::TextWordWrap),
                         picture ? sentenceText(picture->problem) : QStringLiteral("…"));
        return;
    }
    const double half = (area.width() - arrow_width) / 2.0;
    const QRectF before(area.left(), area.top(), half, area.height());
    const QRectF after = before.translated(half + arrow_width, 0);
    painter.drawText(QRectF(before.right(), area.top(), arrow_width, area.height()),
                     Qt::AlignCenter, QString(QChar(0x2192)));
    paintPicture(painter, picture->before, before, palette);
    paintPicture(painter, picture->after, after, palette);
}

void RewriteCardDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                                const QModelIndex& index) const {
    const AppliedRewrite& applied = model_.rewrite(index.row());
    const ThemeColors& colors = themeColors(option.palette);
    painter->save();
    painter->setClipRect(option.rect);
    painter->setRenderHint(QPainter::Antialiasing);
    const QRect card =
        option.rect.adjusted(card_margin / 2, card_margin / 4, -card_margin / 2, -card_margin / 4);
    const bool chosen = option.state.testFlag(QStyle::State_Selected);
    painter->setPen(QPen(chosen ? colors.accent : colors.border, chosen ? 2 : 1));
    painter->setBrush(colors.card);
    painter->drawRoundedRect(card, 5, 5);
    painter->fillRect(QRect(card.left() + 2, card.top() + 5, stripe_width, card.height() - 10),
                      colorOf(kindOf(applied.rewrite.pass), option.palette));
    const QRect inner =
        card.adjusted(card_margin + stripe_width, card_margin / 2, -card_margin, -card_margin / 2);
    const int line = option.fontMetrics.height();
    paintTitle(*painter, QRect(inner.left(), inner.top(), inner.width(), line), option.font,
               applied, index.row(), option.palette);
    const QFont small = scaledFont(0.9);
    painter->setFont(small);
    painter->setPen(colors.mutedText);
    painter->drawText(QRect(inner.left(), inner.top() + line, inner.width(), line), Qt::AlignLeft,
                      QFontMetrics(small).elidedText(rewriteLine(*model_.variant(), applied),
                                                     Qt::ElideMiddle, inner.width()));
    paintPictures(*painter, inner.adjusted(0, 2 * line + card_margin / 2, 0, 0),
                  std::size_t(index.row()) + 1, option.palette);
    painter->restore();
}

}  // namespace lapidary::views
