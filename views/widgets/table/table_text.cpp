// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/table/table_text.h"

#include <QHeaderView>
#include <QTableView>
#include <QTreeView>

#include <algorithm>
#include <functional>
#include <set>

#include <lapidary/internal/shown_text.h>

#include "models/rows_model.h"
#include "widgets/table/column_choice.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

QList<int> shownColumns(const QAbstractItemView& view) {
    QList<int> columns;
    const QHeaderView* header = columnsOf(view);
    for (int visual = 0; visual < view.model()->columnCount(view.rootIndex()); ++visual) {
        const int column = header ? header->logicalIndex(visual) : visual;
        if (!header || !header->isSectionHidden(column)) columns.append(column);
    }
    return columns;
}

bool hasRowTitles(const QAbstractItemView& view) {
    const auto* table = qobject_cast<const QTableView*>(&view);
    return table && !table->verticalHeader()->isHidden();
}

/// Calls the function for each row, depth first, as the view shows them.
void eachRow(const QAbstractItemView& view, const QModelIndex& parent, int depth,
             const std::function<void(const QModelIndex&, int)>& take) {
    const QAbstractItemModel& model = *view.model();
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        if (const auto* table = qobject_cast<const QTableView*>(&view);
            table && table->isRowHidden(row))
            continue;
        if (const auto* tree = qobject_cast<const QTreeView*>(&view);
            tree && tree->isRowHidden(row, parent))
            continue;
        take(index, depth);
        if (model.hasChildren(index)) eachRow(view, index, depth + 1, take);
    }
}

/// The text for exports; for models without one, the shown text.
QString wholeText(const QModelIndex& index) {
    const QVariant whole = index.data(ExportRole);
    return (whole.isValid() ? whole : index.data()).toString();
}

/// A number as other programs read it; anything else as exported.
QString plainText(const QModelIndex& index) {
    const QString text = wholeText(index);
    // "–" sorts as a number but is none
    if (std::ranges::none_of(text, [](QChar c) { return c.isDigit(); })) return text;
    const QVariant value = index.data(SortRole);
    switch (value.typeId()) {
    case QMetaType::Double:
    case QMetaType::Float: return QString::number(value.toDouble(), 'g', 9);
    case QMetaType::Int:
    case QMetaType::UInt:
    case QMetaType::LongLong:
    case QMetaType::ULongLong:
    case QMetaType::Long:
    case QMetaType::ULong: return value.toString();
    default: return text;
    }
}

QStringList titles(const QAbstractItemView& view, const QList<int>& columns) {
    QStringList cells;
    if (hasRowTitles(view)) cells << QString();
    for (const int column : columns)
        cells << view.model()->headerData(column, Qt::Horizontal).toString();
    return cells;
}

/// The first cells of the selected rows; empty: nothing is selected.
std::set<QModelIndex> selectedRows(const QAbstractItemView& view) {
    std::set<QModelIndex> rows;
    if (view.selectionModel())
        for (const QModelIndex& index : view.selectionModel()->selectedIndexes())
            rows.insert(index.siblingAtColumn(0));
    return rows;
}

/// Calls the function for each selected row, or for all if none is selected.
void eachSelectedRow(const QAbstractItemView& view,
                     const std::function<void(const QModelIndex&, int)>& take) {
    const std::set<QModelIndex> chosen = selectedRows(view);
    eachRow(view, view.rootIndex(), 0, [&](const QModelIndex& row, int depth) {
        if (chosen.empty() || chosen.contains(row)) take(row, depth);
    });
}

/// The cells of a row as shown, each in one line.
QStringList shownCells(const QAbstractItemView& view, const QModelIndex& row,
                       const QList<int>& columns) {
    QStringList cells;
    if (hasRowTitles(view)) cells << view.model()->headerData(row.row(), Qt::Vertical).toString();
    for (const int column : columns) cells << wholeText(row.siblingAtColumn(column)).simplified();
    return cells;
}

/// Whether the cells of a column are aligned right, judged by the first row.
bool isAlignedRight(const QAbstractItemView& view, int column) {
    const QModelIndex first = view.model()->index(0, column, view.rootIndex());
    const QVariant alignment = first.data(Qt::TextAlignmentRole);
    return alignment.metaType() == QMetaType::fromType<Qt::Alignment>()
               ? alignment.value<Qt::Alignment>().testFlag(Qt::AlignRight)
               : (alignment.toInt() & Qt::AlignRight) != 0;
}

/// A row of a Markdown table: marks that would end a cell or begin markup are escaped.
QString markdownRow(QStringList cells) {
    for (QString& cell : cells) {
        QString escaped;
        for (const QChar c : cell) {
            if (QStringLiteral("\\|`*_<[").contains(c)) escaped += u'\\';
            escaped += c;
        }
        cell = escaped;
    }
    return QStringLiteral("| %1 |\n").arg(cells.join(QStringLiteral(" | ")));
}

}  // namespace

QString csvOf(const QAbstractItemView& view, TableRows rows) {
    if (!view.model()) return {};
    const QList<int> columns = shownColumns(view);
    QStringList lines;
    const auto add = [&](QStringList cells) {
        for (QString& cell : cells) cell = exactText(csv_field(cell.toStdString()));
        lines << cells.join(u',');
    };
    const auto addRow = [&](const QModelIndex& row, int) {
        QStringList cells;
        if (hasRowTitles(view))
            cells << view.model()->headerData(row.row(), Qt::Vertical).toString();
        for (const int column : columns) cells << plainText(row.siblingAtColumn(column));
        add(std::move(cells));
    };
    add(titles(view, columns));
    if (rows == TableRows::selected) eachSelectedRow(view, addRow);
    else eachRow(view, view.rootIndex(), 0, addRow);
    return lines.join(QStringLiteral("\r\n")) + QStringLiteral("\r\n");
}

QString shownText(const QAbstractItemView& view) {
    if (!view.model()) return {};
    const QList<int> columns = shownColumns(view);
    QStringList lines{titles(view, columns).join(u'\t')};
    eachSelectedRow(view, [&](const QModelIndex& row, int depth) {
        lines << QString(depth * 2, u' ') + shownCells(view, row, columns).join(u'\t');
    });
    return lines.join(u'\n') + u'\n';
}

QString markdownOf(const QAbstractItemView& view) {
    if (!view.model()) return {};
    const QList<int> columns = shownColumns(view);
    QStringList rule;
    if (hasRowTitles(view)) rule << QStringLiteral("---");
    for (const int column : columns)
        rule << (isAlignedRight(view, column) ? QStringLiteral("--:") : QStringLiteral("---"));
    QString text = markdownRow(titles(view, columns)) +
                   QStringLiteral("| %1 |\n").arg(rule.join(QStringLiteral(" | ")));
    eachSelectedRow(view, [&](const QModelIndex& row, int depth) {
        QStringList cells = shownCells(view, row, columns);
        // Markdown drops plain spaces at the beginning of a cell
        if (depth > 0 && !cells.isEmpty()) cells.front().prepend(QString(depth * 2, u'\u00a0'));
        text += markdownRow(std::move(cells));
    });
    return text;
}

}  // namespace lapidary::views
