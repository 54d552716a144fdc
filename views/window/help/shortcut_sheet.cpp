// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/help/shortcut_sheet.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>

#include "theme/theme.h"
#include "widgets/text/mnemonics.h"
#include "window/help/key_editor.h"

namespace lapidary::views {
namespace {

constexpr QSize sheet_size{720, 560};

const Column<ShortcutRow> shortcut_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Keys"), [](const ShortcutRow& r) -> QVariant { return r.keys; }},
    {QT_TRANSLATE_NOOP("Columns", "Command"),
     [](const ShortcutRow& r) -> QVariant { return r.command; },
     {},
     [](const ShortcutRow& r) { return r.tip; }},
    {QT_TRANSLATE_NOOP("Columns", "Where"),
     [](const ShortcutRow& r) -> QVariant { return r.group; }},
};

QString keysOf(const QAction& action) {
    QStringList keys;
    for (const QKeySequence& sequence : action.shortcuts())
        keys << sequence.toString(QKeySequence::NativeText);
    return keys.join(QStringLiteral(", "));
}

}  // namespace

ShortcutSheet::ShortcutSheet(const QList<QAction*>& actions, QWidget* parent, KeyMap* keys)
    : QDialog(parent), actions_(actions), keys_(keys), model_(shortcut_columns),
      filter_(new QLineEdit), table_(new TableView(tr("Keys of commands"))) {
    setObjectName(QStringLiteral("shortcutSheet"));
    setWindowTitle(tr("Keyboard shortcuts"));
    filter_->setObjectName(QStringLiteral("shortcutFilter"));
    filter_->setPlaceholderText(tr("Filter"));
    filter_->setAccessibleName(tr("Show only commands with these words"));
    filter_->setClearButtonEnabled(true);
    table_->setObjectName(QStringLiteral("shortcutTable"));
    table_->setModel(&model_);
    table_->setSortingEnabled(true);
    table_->header()->setSortIndicator(2, Qt::AscendingOrder);
    model_.sort(2);
    fill();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(filter_, &QLineEdit::textChanged, this,
            [this](const QString& text) { model_.setFilter(text); });
    auto* column = new QVBoxLayout(this);
    column->addWidget(filter_);
    column->addWidget(table_, 1);
    if (keys_) addEditor(*keys_, *column);
    column->addWidget(buttons);
    const QSize room = parent ? parent->size() - QSize(40, 80) : sheet_size;
    resize(sheet_size.boundedTo(room));
    for (int i = 0; i < model_.columnCount(); ++i) table_->resizeColumnToContents(i);
    filter_->setFocus();
}

void ShortcutSheet::fill() {
    std::vector<ShortcutRow> rows;
    for (QAction* action : actions_) {
        const QString keys = keysOf(*action);
        if (keys.isEmpty() && !(keys_ && keys_->has(action))) continue;
        QString group = action->property("commandGroup").toString();
        if (group.isEmpty()) group = tr("Everywhere");
        rows.push_back({group, withoutMnemonic(action->text()), keys, action->statusTip(), action});
    }
    // What a canvas or table does with keys of its own.
    rows.push_back({tr("Graph"), tr("Move to the neighbouring node"), tr("Arrow keys"), {}});
    rows.push_back({tr("Tables"),
                    tr("Copy the selected rows"),
                    QKeySequence(QKeySequence::Copy).toString(QKeySequence::NativeText),
                    {}});
    rows.push_back({tr("Variants"), tr("Compare as A, as B"), QStringLiteral("A, B"), {}});
    rows.push_back({tr("Memory"), tr("Go to the peak"), QStringLiteral("P"), {}});
    model_.setRows(std::move(rows));
}

void ShortcutSheet::addEditor(KeyMap& keys, QLayout& column) {
    auto* editor = new KeyEditor(keys);
    column.addWidget(editor);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, editor,
            [this, editor](const QModelIndex& row) {
                editor->edit(row.isValid() ? model_.row(row.row()).action : nullptr);
            });
    connect(editor, &KeyEditor::changed, this, [this] {
        const QModelIndex current = table_->currentIndex();
        const QAction* edited = current.isValid() ? model_.row(current.row()).action : nullptr;
        fill();
        for (int line = 0; edited && line < model_.rowCount(); ++line)
            if (model_.row(line).action == edited) table_->setCurrentIndex(model_.index(line, 0));
    });
}

}  // namespace lapidary::views
