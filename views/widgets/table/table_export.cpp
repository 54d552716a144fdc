// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/table/table_export.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QKeyEvent>
#include <QMenu>

#include "theme/theme.h"
#include "widgets/saved_bytes.h"
#include "widgets/table/column_choice.h"
#include "widgets/text/proposed_name.h"
#include "widgets/text/status_text.h"

namespace lapidary::views {
namespace {

constexpr const char* offers_table = "offersTable";

QString table_words(const char* text) { return QCoreApplication::translate("TableExport", text); }

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
    QAction* markdown =
        menu.addAction(table_words(QT_TRANSLATE_NOOP("TableExport", "Copy as Markdown")), &menu,
                       [&view] { QApplication::clipboard()->setText(markdownOf(view)); });
    QAction* csv = menu.addAction(
        table_words(QT_TRANSLATE_NOOP("TableExport", "Copy as CSV")), &menu,
        [&view] { QApplication::clipboard()->setText(csvOf(view, TableRows::selected)); });
    QAction* save = menu.addAction(themedIcon(QStringLiteral("export")),
                                   shortcut(QT_TRANSLATE_NOOP("TableExport", "Export as CSV …"),
                                            QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E)),
                                   &menu, [&view] { saveTable(view); });
    copy->setObjectName(QStringLiteral("copyTable"));
    markdown->setObjectName(QStringLiteral("copyMarkdown"));
    csv->setObjectName(QStringLiteral("copyCsv"));
    save->setObjectName(QStringLiteral("saveTable"));
    addColumnMenu(menu, view);
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
