// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rows_view.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>

#include <algorithm>

#include "widgets/heat_bar_delegate.h"

namespace lapidary::views {

RowsView::RowsView(QWidget* parent) : QTreeView(parent) {
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setItemsExpandable(false);
    setAlternatingRowColors(true);
    setSelectionMode(ExtendedSelection);
    setAllColumnsShowFocus(true);
    setItemDelegate(new HeatBarDelegate(this));
    setHorizontalScrollMode(ScrollPerPixel);
    setSortingEnabled(true);
    header()->setSortIndicatorClearable(true);
    header()->setStretchLastSection(false);
    header()->setResizeContentsPrecision(0);
    header()->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header(), &QHeaderView::customContextMenuRequested, this, &RowsView::pickColumns);
    sortByColumn(-1, Qt::AscendingOrder);
}

QString RowsView::selectedText() const {
    if (!model()) return {};
    QList<int> columns;
    for (int visual = 0; visual < header()->count(); ++visual) {
        const int column = header()->logicalIndex(visual);
        if (!header()->isSectionHidden(column)) columns << column;
    }
    QList<int> rows;
    for (const QModelIndex& index : selectionModel()->selectedRows()) rows << index.row();
    std::sort(rows.begin(), rows.end());
    if (rows.isEmpty()) {
        for (int row = 0; row < model()->rowCount(); ++row) rows << row;
    }
    auto line = [&](auto&& cell) {
        QStringList cells;
        for (int column : columns) cells << QString(cell(column)).replace(u'\t', u' ').replace(u'\n', u' ');
        return cells.join(u'\t') + u'\n';
    };
    QString text = line([&](int column) { return model()->headerData(column, Qt::Horizontal).toString(); });
    for (int row : rows) text += line([&](int column) { return model()->index(row, column).data().toString(); });
    return text;
}

void RowsView::copy() { QApplication::clipboard()->setText(selectedText()); }

void RowsView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) return copy();
    QTreeView::keyPressEvent(event);
}

void RowsView::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    menu.addAction(tr("Copy rows"), QKeySequence::Copy, this, &RowsView::copy);
    menu.exec(event->globalPos());
}

void RowsView::pickColumns(const QPoint& at) {
    QMenu menu(this);
    for (int column = 0; column < header()->count(); ++column) {
        QAction* action = menu.addAction(model()->headerData(column, Qt::Horizontal).toString());
        action->setCheckable(true);
        action->setChecked(!header()->isSectionHidden(column));
        action->setEnabled(header()->isSectionHidden(column) || header()->hiddenSectionCount() + 1 < header()->count());
        connect(action, &QAction::toggled, this, [this, column](bool shown) { setColumnHidden(column, !shown); });
    }
    menu.exec(header()->mapToGlobal(at));
}

}  // namespace lapidary::views
