// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cards/answer_card.h"

#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

#include "models/rows_model.h"
#include "theme/theme.h"
#include "widgets/flow_layout.h"

namespace lapidary::views {

void paintAnswerCard(QWidget& card, std::optional<QColor> bar) {
    QPainter painter(&card);
    painter.setRenderHint(QPainter::Antialiasing);
    const ThemeColors& colors = themeColors(card.palette());
    painter.setPen(colors.border);
    painter.setBrush(colors.card);
    painter.drawRoundedRect(QRectF(card.rect()).adjusted(8.5, 0.5, -8.5, -0.5), 8, 8);
    painter.setPen(Qt::NoPen);
    painter.setBrush(bar.value_or(colors.accent));
    painter.drawRoundedRect(QRectF(9, 8, 3, card.height() - 16), 1.5, 1.5);
}

FigureRow::FigureRow(int gap, QWidget* parent) : QWidget(parent) {
    new FlowLayout(this, gap, 4);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void FigureRow::clear() {
    while (QLayoutItem* item = layout()->takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

void FigureRow::add(const QString& value, const QString& label, const QString& tip,
                    std::optional<QColor> color) {
    auto* number = new QLabel(value);
    number->setFont(scaledFont(1.25, true));
    auto* name = new QLabel;
    name->setTextFormat(Qt::RichText);
    name->setText(color ? QStringLiteral("<span style='color:%1'>■</span> %2")
                              .arg(color->name(), label.toHtmlEscaped())
                        : label.toHtmlEscaped());
    name->setFont(scaledFont(0.9));
    name->setForegroundRole(QPalette::PlaceholderText);
    auto* figure = new QWidget;
    figure->setToolTip(plainToolTip(tip));
    figure->setAccessibleName(label + QStringLiteral(": ") + value);
    auto* column = new QVBoxLayout(figure);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(number);
    column->addWidget(name);
    layout()->addWidget(figure);
}

}  // namespace lapidary::views
