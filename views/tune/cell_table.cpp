// SPDX-License-Identifier: GPL-3.0-or-later
#include "tune/cell_table.h"

#include <QHeaderView>
#include <QScopedValueRollback>
#include <QScrollBar>

#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

bool isDone(const CellRow& row) { return row.figures.state == CellState::done; }
const SampleSummary& wall(const CellRow& row) { return row.figures.measurement.wall; }

template <TuneAxis axis>
QVariant placeValue(const CellRow& row) {
    return placeOn(axis, row.figures.configuration);
}
template <TuneAxis axis>
QString placeWords(const CellRow& row) {
    return placeText(axis, placeOn(axis, row.figures.configuration));
}

template <typename Value>
QVariant doneValue(const CellRow& row, Value value) {
    return isDone(row) ? QVariant(double(value(row))) : QVariant();
}
template <typename Value>
QString doneMs(const CellRow& row, Value value) {
    return isDone(row) ? formatMilliseconds(value(row)) : QString();
}

QString stateOf(const CellRow& row) {
    switch (row.figures.state) {
    case CellState::waiting:
        return row.queued
                   ? CellTable::tr("queued, %1").arg(aboutSeconds(row.figures.estimate_seconds))
                   : CellTable::tr("not measured, %1")
                         .arg(aboutSeconds(row.figures.estimate_seconds));
    case CellState::running: return CellTable::tr("measuring …");
    case CellState::failed: return CellTable::tr("failed: %1").arg(cellText(row.figures.reason));
    case CellState::skipped: return CellTable::tr("left out: %1").arg(cellText(row.figures.reason));
    case CellState::done: break;
    }
    QStringList parts;
    if (row.best) parts << CellTable::tr("recommended");
    if (row.equal) parts << CellTable::tr("as fast as the recommended");
    if (row.undecided) parts << CellTable::tr("cannot be told apart from the recommended");
    if (!wall(row).note.empty()) parts << cellText(wall(row).note);
    return parts.join(QStringLiteral("; "));
}

const Column<CellRow> cell_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Threads"), placeValue<TuneAxis::threads>,
     placeWords<TuneAxis::threads>},
    {QT_TRANSLATE_NOOP("Columns", "Batch"), placeValue<TuneAxis::batch>,
     placeWords<TuneAxis::batch>},
    {QT_TRANSLATE_NOOP("Columns", "Inter-op"), placeValue<TuneAxis::inter>,
     placeWords<TuneAxis::inter>},
    {QT_TRANSLATE_NOOP("Columns", "Execution"),
     placeValue<TuneAxis::mode>,
     placeWords<TuneAxis::mode>,
     {},
     {},
     Qt::AlignLeft | Qt::AlignVCenter},
    {QT_TRANSLATE_NOOP("Columns", "Spinning"),
     placeValue<TuneAxis::spinning>,
     placeWords<TuneAxis::spinning>,
     {},
     {},
     Qt::AlignLeft | Qt::AlignVCenter},
    {QT_TRANSLATE_NOOP("Columns", "Level"),
     placeValue<TuneAxis::level>,
     placeWords<TuneAxis::level>,
     {},
     {},
     Qt::AlignLeft | Qt::AlignVCenter},
    {QT_TRANSLATE_NOOP("Columns", "Median"),
     [](const CellRow& r) {
         return doneValue(r, [](const CellRow& x) { return wall(x).median.median; });
     },
     [](const CellRow& r) {
         return doneMs(r, [](const CellRow& x) { return wall(x).median.median; });
     }},
    {QT_TRANSLATE_NOOP("Columns", "95 % interval"),
     [](const CellRow& r) {
         return doneValue(
             r, [](const CellRow& x) { return wall(x).median.high - wall(x).median.low; });
     },
     [](const CellRow& r) {
         return isDone(r) ? intervalText(TuneFigure::median,
                                         {true, 0, wall(r).median.low, wall(r).median.high})
                          : QString();
     }},
    {QT_TRANSLATE_NOOP("Columns", "p99"),
     [](const CellRow& r) { return doneValue(r, [](const CellRow& x) { return wall(x).p99; }); },
     [](const CellRow& r) { return doneMs(r, [](const CellRow& x) { return wall(x).p99; }); }},
    {QT_TRANSLATE_NOOP("Columns", "CPU time"),
     [](const CellRow& r) {
         return doneValue(r, [](const CellRow& x) { return x.figures.measurement.cpu_ms.median; });
     },
     [](const CellRow& r) {
         return doneMs(r, [](const CellRow& x) { return x.figures.measurement.cpu_ms.median; });
     }},
    {QT_TRANSLATE_NOOP("Columns", "Inferences/s"),
     [](const CellRow& r) {
         return doneValue(r, [](const CellRow& x) { return x.figures.measurement.per_second; });
     },
     [](const CellRow& r) {
         return isDone(r) ? figureText(TuneFigure::throughput, r.figures.measurement.per_second)
                          : QString();
     }},
    {QT_TRANSLATE_NOOP("Columns", "Speed-up"),
     [](const CellRow& r) -> QVariant {
         return r.speedUp.known ? QVariant(r.speedUp.value) : QVariant();
     },
     [](const CellRow& r) {
         return r.speedUp.known ? figureText(TuneFigure::speedUp, r.speedUp.value) : QString();
     }},
    {QT_TRANSLATE_NOOP("Columns", "Remarks"),
     [](const CellRow& r) -> QVariant { return stateOf(r); }},
};

}  // namespace

CellTable::CellTable(QWidget* parent) : TableView(tr("All settings"), parent), rows_(cell_columns) {
    setObjectName(QStringLiteral("cellTable"));
    setModel(&rows_);
    setSortingEnabled(true);
    sortByColumn(-1, Qt::AscendingOrder);
    connect(selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& now) {
                if (!filling_ && now.isValid())
                    emit cellPicked(std::ptrdiff_t(rows_.row(now.row()).cell));
            });
}

void CellTable::setRows(std::vector<CellRow> rows) {
    const QScopedValueRollback guard(filling_, true);
    const bool first = rows_.rowCount() == 0;
    const std::ptrdiff_t current =
        currentIndex().isValid() ? std::ptrdiff_t(rows_.row(currentIndex().row()).cell) : -1;
    const int scrolled = verticalScrollBar()->value();
    rows_.setRows(std::move(rows));
    if (first)
        for (int column = 0; column < rows_.columnCount(); ++column) resizeColumnToContents(column);
    if (current >= 0) selectCell(current);
    verticalScrollBar()->setValue(scrolled);
}

void CellTable::selectCell(std::ptrdiff_t cell) {
    const QScopedValueRollback guard(filling_, true);
    for (int line = 0; line < rows_.rowCount(); ++line)
        if (std::ptrdiff_t(rows_.row(line).cell) == cell) {
            setCurrentIndex(rows_.index(line, 0));
            return;
        }
    clearSelection();
}

}  // namespace lapidary::views
