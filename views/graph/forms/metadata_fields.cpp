// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/forms/metadata_fields.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QVBoxLayout>

#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr qsizetype longestEntry = 10'000;  // letters; longer ones are shown and not changed here

}  // namespace

MetadataFields::MetadataFields(const FormModel& model) : table_(new QTableWidget(0, 2)) {
    table_->setObjectName(QStringLiteral("metadataTable"));
    table_->setAccessibleName(tr("Metadata"));
    table_->setHorizontalHeaderLabels({tr("Key"), tr("Text")});
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->verticalHeader()->hide();
    table_->setTabKeyNavigation(false);
    table_->setMinimumHeight(fontMetrics().lineSpacing() * 8);
    for (const auto& [key, text] : model.model().metadata) {
        before_.append({exactText(key), exactText(text)});
        addRow(labelText(key), tipText(text), true);
    }
    auto* add = new QPushButton(tr("Add an entry"));
    auto* remove = new QPushButton(tr("Remove the entry"));
    add->setObjectName(QStringLiteral("metadataAdd"));
    remove->setObjectName(QStringLiteral("metadataRemove"));
    auto* buttons = new QHBoxLayout;
    for (QPushButton* button : {add, remove}) {
        button->setAutoDefault(false);
        buttons->addWidget(button);
    }
    buttons->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->addWidget(table_, 1);
    column->addLayout(buttons);
    setFocusProxy(table_);
    connect(add, &QPushButton::clicked, this, [this] {
        addRow({}, {}, false);
        table_->setCurrentCell(table_->rowCount() - 1, 0);
        table_->editItem(table_->currentItem());
    });
    connect(remove, &QPushButton::clicked, this, &MetadataFields::removeRow);
    connect(table_, &QTableWidget::itemChanged, this, &EditFields::changed);
}

void MetadataFields::addRow(const QString& key, const QString& text, bool isKnown) {
    const QSignalBlocker quiet(table_);
    const int row = table_->rowCount();
    table_->insertRow(row);
    auto* keyItem = new QTableWidgetItem(key);
    auto* textItem = new QTableWidgetItem(text);
    if (isKnown) {
        keyItem->setFlags(keyItem->flags() & ~Qt::ItemIsEditable);
        keyItem->setData(Qt::UserRole, before_.last().first);
        textItem->setData(Qt::UserRole, text);
        if (before_.last().second.size() > longestEntry || before_.last().second != text)
            textItem->setFlags(textItem->flags() & ~Qt::ItemIsEditable);
    }
    table_->setItem(row, 0, keyItem);
    table_->setItem(row, 1, textItem);
}

void MetadataFields::removeRow() {
    const int row = table_->currentRow();
    if (row < 0) return;
    table_->removeRow(row);
    emit changed();
}

QStringList MetadataFields::missing() const {
    for (int row = 0; row < table_->rowCount(); ++row)
        if (table_->item(row, 0)->text().trimmed().isEmpty()) return {tr("Key")};
    return {};
}

QString MetadataFields::lines() const {
    return missing().isEmpty() ? changes().join(u'\n') : QString();
}

QStringList MetadataFields::changes() const {
    QStringList lines, kept;
    for (int row = 0; row < table_->rowCount(); ++row) {
        const QTableWidgetItem *key = table_->item(row, 0), *text = table_->item(row, 1);
        const QVariant known = key->data(Qt::UserRole);
        kept << (known.isValid() ? known.toString() : key->text().trimmed());
        if (known.isValid() && text->text() == text->data(Qt::UserRole).toString()) continue;
        lines << QStringLiteral("metadata %1 = %2")
                     .arg(styledWord(known.isValid() ? known.toString() : key->text().trimmed(),
                                     WordStyle::text),
                          text->text().isEmpty() ? QStringLiteral("\"\"")
                                                 : styledWord(text->text(), WordStyle::text));
    }
    for (const auto& [key, text] : before_)
        if (!kept.contains(key))
            lines << QStringLiteral("metadata %1 removed").arg(styledWord(key, WordStyle::text));
    return lines;
}

}  // namespace lapidary::views
