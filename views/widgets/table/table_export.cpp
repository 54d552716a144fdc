// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/table/table_export.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLocale>
#include <QMenu>
#include <QTableView>
#include <QTreeView>

#include <algorithm>
#include <functional>
#include <set>

#include <lapidary/internal/shown_text.h>

#include "workbench/text/bounded_text.h"

#include "models/rows_model.h"
#include "theme/theme.h"
#include "widgets/text/proposed_name.h"
#include "widgets/saved_bytes.h"
#include "widgets/text/status_text.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr const char* offers_table = "offersTable";

QString table_words(const char* text) { return QCoreApplication::translate("TableExport", text); }

const QHeaderView* columnsOf(const QAbstractItemView& view) {
    if (const auto* tree = qobject_cast<const QTreeView*>(&view)) return tree->header();
    if (const auto* table = qobject_cast<const QTableView*>(&view))
        return table->horizontalHeader();
    return nullptr;
}

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

bool isSaveKey(const QKeyEvent& key) {
    return key.key() == Qt::Key_E && key.modifiers() == (Qt::ControlModifier | Qt::ShiftModifier);
}

class TableMenu : public QObject {
public:
    explicit TableMenu(QAbstractItemView& view) : QObject(&view), view_(view) {}
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::ContextMenu && watched == view_.viewport()) {
            QMenu menu(&view_);
            addTableActions(menu, view_);
            menu.exec(static_cast<QContextMenuEvent*>(event)->globalPos());
            return true;
        }
        if (watched != &view_ ||
            (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress))
            return false;
        auto* key = static_cast<QKeyEvent*>(event);
        const bool save = isSaveKey(*key);
        if (!save && !key->matches(QKeySequence::Copy)) return false;
        if (event->type() == QEvent::KeyPress) {
            if (save) saveTable(view_);
            else QApplication::clipboard()->setText(shownText(view_));
        }
        event->accept();
        return true;
    }

private:
    QAbstractItemView& view_;
};

}  // namespace

QString csvOf(const QAbstractItemView& view) {
    if (!view.model()) return {};
    const QList<int> columns = shownColumns(view);
    QStringList lines;
    const auto add = [&](QStringList cells) {
        for (QString& cell : cells) cell = exactText(csv_field(cell.toStdString()));
        lines << cells.join(u',');
    };
    add(titles(view, columns));
    eachRow(view, view.rootIndex(), 0, [&](const QModelIndex& row, int) {
        QStringList cells;
        if (hasRowTitles(view))
            cells << view.model()->headerData(row.row(), Qt::Vertical).toString();
        for (const int column : columns) cells << plainText(row.siblingAtColumn(column));
        add(std::move(cells));
    });
    return lines.join(QStringLiteral("\r\n")) + QStringLiteral("\r\n");
}

QString shownText(const QAbstractItemView& view) {
    if (!view.model()) return {};
    const QList<int> columns = shownColumns(view);
    QStringList lines{titles(view, columns).join(u'\t')};
    std::set<QModelIndex> chosen;  // by their first cell
    if (view.selectionModel())
        for (const QModelIndex& index : view.selectionModel()->selectedIndexes())
            chosen.insert(index.siblingAtColumn(0));
    eachRow(view, view.rootIndex(), 0, [&](const QModelIndex& row, int depth) {
        if (!chosen.empty() && !chosen.contains(row)) return;
        QStringList cells;
        if (hasRowTitles(view))
            cells << view.model()->headerData(row.row(), Qt::Vertical).toString();
        for (const int column : columns)
            cells << wholeText(row.siblingAtColumn(column)).simplified();
        lines << QString(depth * 2, u' ') + cells.join(u'\t');
    });
    return lines.join(u'\n') + u'\n';
}

QString saveTableTo(const QAbstractItemView& view, const QString& path) {
    return whyNotSaved(path, csvOf(view).toUtf8());
}

void saveTable(QAbstractItemView& view) {
    auto* dialog = new QFileDialog(view.window(),
                                   table_words(QT_TRANSLATE_NOOP("TableExport", "Export as CSV")));
    dialog->setObjectName(QStringLiteral("saveTableDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("csv"));
    dialog->setNameFilters(
        {table_words(QT_TRANSLATE_NOOP("TableExport", "Comma-separated values (*.csv)"))});
    QString name = view.objectName().isEmpty() ? QStringLiteral("table") : view.objectName();
    dialog->selectFile(proposedName(view, name) + QStringLiteral(".csv"));
    QObject::connect(dialog, &QFileDialog::fileSelected, &view, [&view](const QString& path) {
        const QString problem = saveTableTo(view, path);
        reportStatus(
            view,
            problem.isEmpty()
                ? table_words(QT_TRANSLATE_NOOP("TableExport", "Saved %1")).arg(path)
                : table_words(QT_TRANSLATE_NOOP("TableExport", "Not saved: %1")).arg(problem));
    });
    dialog->open();
}

void addTableActions(QMenu& menu, QAbstractItemView& view) {
    const auto shortcut = [](const char* text, const QKeySequence& keys) {
        return table_words(text) + u'\t' + keys.toString(QKeySequence::NativeText);
    };
    QAction* copy = menu.addAction(
        themedIcon(QStringLiteral("copy")),
        shortcut(QT_TRANSLATE_NOOP("TableExport", "Copy"), QKeySequence(QKeySequence::Copy)), &menu,
        [&view] { QApplication::clipboard()->setText(shownText(view)); });
    QAction* save = menu.addAction(themedIcon(QStringLiteral("export")),
                                   shortcut(QT_TRANSLATE_NOOP("TableExport", "Export as CSV …"),
                                            QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E)),
                                   &menu, [&view] { saveTable(view); });
    copy->setObjectName(QStringLiteral("copyTable"));
    save->setObjectName(QStringLiteral("saveTable"));
}

void installTableKeys(QAbstractItemView& view) {
    view.installEventFilter(new TableMenu(view));
    view.setProperty(offers_table, true);
}

void installTableMenu(QAbstractItemView& view) {
    auto* menu = new TableMenu(view);
    view.installEventFilter(menu);
    view.viewport()->installEventFilter(menu);
    view.setProperty(offers_table, true);
}

void setOffersTable(QAbstractItemView& view) { view.setProperty(offers_table, true); }
bool offersTable(const QAbstractItemView& view) { return view.property(offers_table).toBool(); }

}  // namespace lapidary::views
