// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/table/column_choice.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QMenu>
#include <QTableView>
#include <QTreeView>

#include "theme/theme.h"
#include "widgets/text/mnemonics.h"

namespace lapidary::views {
namespace {

constexpr int most_columns = 40;  // a longer menu is not read

}  // namespace

QHeaderView* columnsOf(const QAbstractItemView& view) {
    if (const auto* tree = qobject_cast<const QTreeView*>(&view)) return tree->header();
    if (const auto* table = qobject_cast<const QTableView*>(&view))
        return table->horizontalHeader();
    return nullptr;
}

void addColumns(QMenu& menu, QAbstractItemView& view) {
    QHeaderView* header = columnsOf(view);
    if (!header || !view.model() || header->count() > most_columns) return;
    for (int column = 0; column < header->count(); ++column) {
        QString title = view.model()->headerData(column, Qt::Horizontal).toString();
        if (title.isEmpty()) continue;
        QAction* action = menu.addAction(title.replace(u'&', QStringLiteral("&&")));
        action->setCheckable(true);
        action->setChecked(!header->isSectionHidden(column));
        action->setEnabled(column != 0);  // one must stay
        QObject::connect(action, &QAction::toggled, header, [header, column](bool shown) {
            header->setSectionHidden(column, !shown);
        });
    }
    giveMnemonics(menu);
}

void addColumnMenu(QMenu& menu, QAbstractItemView& view) {
    const QHeaderView* header = columnsOf(view);
    if (!header || header->isHidden() || !view.model()) return;
    auto* columns = new QMenu(QCoreApplication::translate("TableExport", "Columns"), &menu);
    addColumns(*columns, view);
    if (columns->actions().size() < 2) {
        delete columns;
        return;
    }
    columns->setObjectName(QStringLiteral("tableColumns"));
    columns->setIcon(themedIcon(QStringLiteral("columns")));
    menu.addMenu(columns);
}

}  // namespace lapidary::views
