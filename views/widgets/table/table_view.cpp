// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/table/table_view.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>

#include <algorithm>

#include "theme/theme.h"
#include "widgets/table/column_choice.h"
#include "widgets/table/heat_bar_delegate.h"
#include "widgets/table/table_export.h"

namespace lapidary::views {

TableView::TableView(const QString& name, QWidget* parent) : QTreeView(parent) {
    setAccessibleName(name);
    setFrameShape(QFrame::NoFrame);
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setAllColumnsShowFocus(true);
    setAlternatingRowColors(true);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setTextElideMode(Qt::ElideMiddle);
    setItemDelegate(new HeatBarDelegate(this));
    header()->setContextMenuPolicy(Qt::CustomContextMenu);
    header()->setHighlightSections(false);
    connect(header(), &QWidget::customContextMenuRequested, this, &TableView::chooseColumns);
    installTableMenu(*this);
}

void TableView::setEmptyText(const QString& text) {
    emptyText_ = text;
    viewport()->update();
}

QString TableView::selectedText() const {
    if (!model()) return {};
    QList<int> columns;
    for (int visual = 0; visual < header()->count(); ++visual)
        if (const int column = header()->logicalIndex(visual); !isColumnHidden(column))
            columns.append(column);
    QStringList lines, cells;
    for (const int column : columns)
        cells.append(model()->headerData(column, Qt::Horizontal).toString());
    lines.append(cells.join(QLatin1Char('\t')));
    QModelIndexList rows = selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end(),
              [](const QModelIndex& a, const QModelIndex& b) { return a.row() < b.row(); });
    for (const QModelIndex& row : rows) {
        cells.clear();
        for (const int column : columns)
            cells.append(row.siblingAtColumn(column).data().toString());
        lines.append(cells.join(QLatin1Char('\t')));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void TableView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        QApplication::clipboard()->setText(selectedText());
        return;
    }
    QTreeView::keyPressEvent(event);
}

void TableView::paintEvent(QPaintEvent* event) {
    QTreeView::paintEvent(event);
    if (emptyText_.isEmpty() || (model() && model()->rowCount() > 0)) return;
    QPainter painter(viewport());
    painter.setPen(themeColors(palette()).mutedText);
    painter.drawText(viewport()->rect().adjusted(16, 16, -16, -16),
                     Qt::AlignCenter | Qt::TextWordWrap, emptyText_);
}

void TableView::chooseColumns(const QPoint& at) {
    QMenu menu(this);
    addColumns(menu, *this);
    if (menu.isEmpty()) return;
    menu.exec(header()->mapToGlobal(at));
}

}  // namespace lapidary::views
