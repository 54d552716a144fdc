// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/forms/order_fields.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace lapidary::views {

OrderFields::OrderFields(const FormModel& model, const EditTarget& target)
    : model_(model), kind_(new QComboBox), list_(new QListWidget) {
    kind_->setObjectName(QStringLiteral("choice_inputs_outputs"));
    kind_->setAccessibleName(tr("Kind"));
    kind_->addItems({QStringLiteral("inputs"), QStringLiteral("outputs")});
    if (target.keywords.contains(QStringLiteral("outputs"))) kind_->setCurrentIndex(1);
    list_->setObjectName(QStringLiteral("orderList"));
    list_->setAccessibleName(tr("Names in their order"));
    list_->setDragDropMode(QAbstractItemView::InternalMove);
    list_->setMinimumHeight(fontMetrics().lineSpacing() * 6);
    auto* up = new QPushButton(tr("Up"));
    auto* down = new QPushButton(tr("Down"));
    up->setAccessibleName(tr("Move the name up"));
    down->setAccessibleName(tr("Move the name down"));
    auto* buttons = new QHBoxLayout;
    for (QPushButton* button : {up, down}) {
        button->setAutoDefault(false);
        buttons->addWidget(button);
    }
    buttons->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->addWidget(kind_);
    column->addWidget(list_, 1);
    column->addLayout(buttons);
    setFocusProxy(list_);
    connect(kind_, &QComboBox::currentIndexChanged, this, &OrderFields::showNames);
    connect(list_->model(), &QAbstractItemModel::rowsMoved, this, &EditFields::changed);
    connect(up, &QPushButton::clicked, this, [this] { move(-1); });
    connect(down, &QPushButton::clicked, this, [this] { move(1); });
    showNames();
}

void OrderFields::showNames() {
    list_->clear();
    for (const NamedWord& name : model_.names(
             kind_->currentIndex() == 0 ? FormModel::Names::inputs : FormModel::Names::outputs)) {
        auto* item = new QListWidgetItem(name.shown, list_);
        item->setData(Qt::UserRole, name.word);
    }
    list_->setCurrentRow(0);
    before_ = names();
    emit changed();
}

void OrderFields::move(int places) {
    const int row = list_->currentRow(), to = row + places;
    if (row < 0 || to < 0 || to >= list_->count()) return;
    list_->insertItem(to, list_->takeItem(row));
    list_->setCurrentRow(to);
    emit changed();
}

QStringList OrderFields::names() const {
    QStringList names;
    for (int row = 0; row < list_->count(); ++row)
        names << list_->item(row)->data(Qt::UserRole).toString();
    return names;
}

bool OrderFields::changesNothing() const { return names() == before_; }

QString OrderFields::lines() const {
    if (changesNothing()) return {};
    return QStringLiteral("order ") + kind_->currentText() + u' ' +
           names().join(QStringLiteral(", "));
}

}  // namespace lapidary::views
