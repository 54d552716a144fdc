// SPDX-License-Identifier: GPL-3.0-or-later
#include "quantize/recipe_table.h"

#include <QHeaderView>

#include <algorithm>
#include <cmath>

#include "quantize/quantize_texts.h"
#include "widgets/text/quantity.h"
#include "workbench/text/quantize_text.h"

namespace lapidary::views {
namespace {

constexpr double whole_bar = 60;  // dB

bool isFine(const RecipeRow& row) { return row.figures.failure.empty(); }

template <typename Value>
QVariant fineValue(const RecipeRow& row, Value value) {
    return isFine(row) ? QVariant(double(value(row))) : QVariant();
}

QString remarks(const RecipeRow& row) {
    if (!isFine(row)) return cellText(row.figures.failure);
    QStringList parts;
    const bool isPoor = !usual_floor(row.figures.options).is_reached(row.figures.sqnr_db);
    if (row.best) parts << (isPoor ? RecipeTable::tr("the least poor") : RecipeTable::tr("best"));
    else if (isPoor) parts << RecipeTable::tr("poor");
    if (row.figures.is_slower()) parts << RecipeTable::tr("slower than float");
    return parts.join(QStringLiteral("; "));
}

QString sqnrTip(const app::QuantizeTrial& trial) {
    const QString what =
        trial.splits > 1
            ? RecipeTable::tr("Signal to noise of the outputs, mean over %1 splits of the samples")
                  .arg(trial.splits)
            : RecipeTable::tr("Signal to noise of the outputs");
    return what + QStringLiteral(": ") + decibelText(trial);
}

const Column<RecipeRow> recipeColumns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Recipe"),
     [](const RecipeRow& r) -> QVariant { return app::nameOf(r.figures.options); },
     [](const RecipeRow& r) {
         return (r.best ? QStringLiteral("★ ") : QString()) + app::nameOf(r.figures.options);
     }},
    {QT_TRANSLATE_NOOP("Columns", "SQNR"),
     [](const RecipeRow& r) {
         return fineValue(r, [](const RecipeRow& x) { return x.figures.sqnr_db; });
     },
     [](const RecipeRow& r) { return isFine(r) ? formatDecibels(r.figures.sqnr_db) : QString(); },
     [](const RecipeRow& r) { return isFine(r) ? sqnrTip(r.figures) : QString(); },
     [](const RecipeRow& r) { return r.heat; }},
    {QT_TRANSLATE_NOOP("Columns", "Flips"),
     [](const RecipeRow& r) {
         return fineValue(r, [](const RecipeRow& x) {
             return x.figures.rows > 0 ? double(x.figures.flips) / double(x.figures.rows) : 0;
         });
     },
     [](const RecipeRow& r) {
         return isFine(r) && r.figures.rows > 0
                    ? QStringLiteral("%1 / %2").arg(r.figures.flips).arg(r.figures.rows)
                    : QStringLiteral("–");
     },
     [](const RecipeRow&) {
         return RecipeTable::tr(
             "Answers that changed: positions of the largest element along the classes");
     }},
    {QT_TRANSLATE_NOOP("Columns", "Size in the file"),
     [](const RecipeRow& r) {
         return fineValue(r, [](const RecipeRow& x) { return x.figures.bytes; });
     },
     [](const RecipeRow& r) { return isFine(r) ? formatBytes(r.figures.bytes) : QString(); },
     [](const RecipeRow& r) {
         return isFine(r) && r.figures.bytes > 0
                    ? RecipeTable::tr(
                          "Constants as saved, %1 of %2; a variant's level may fold some of them")
                          .arg(formatPercent(double(r.figures.bytes) / double(r.originalBytes)),
                               formatBytes(r.originalBytes))
                    : QString();
     }},
    {QT_TRANSLATE_NOOP("Columns", "Time"),
     [](const RecipeRow& r) {
         return isFine(r) && r.figures.ms ? QVariant(r.figures.ms->median) : QVariant();
     },
     [](const RecipeRow& r) {
         return isFine(r) && r.figures.ms ? timeText(*r.figures.ms) : QString();
     },
     [](const RecipeRow& r) {
         return isFine(r) && r.figures.ms
                    ? RecipeTable::tr(
                          "Median with its 95 % interval, measured in turn with the float model")
                    : QString();
     }},
    {QT_TRANSLATE_NOOP("Columns", "Against float"),
     [](const RecipeRow& r) {
         return isFine(r) && r.figures.ratio && r.figures.ratio->median > 0
                    ? QVariant(1 / r.figures.ratio->median)
                    : QVariant();
     },
     [](const RecipeRow& r) {
         return isFine(r) && r.figures.ratio && r.figures.ratio->median > 0
                    ? timesText(1 / r.figures.ratio->median)
                    : QString();
     },
     [](const RecipeRow& r) { return isFine(r) ? speedText(r.figures) : QString(); }},
    {QT_TRANSLATE_NOOP("Columns", "Nodes"),
     [](const RecipeRow& r) {
         return fineValue(r, [](const RecipeRow& x) { return x.figures.nodes; });
     },
     [](const RecipeRow& r) { return isFine(r) ? QString::number(r.figures.nodes) : QString(); },
     [](const RecipeRow&) { return RecipeTable::tr("Nodes that were quantized"); }},
    {QT_TRANSLATE_NOOP("Columns", "Remarks"),
     [](const RecipeRow& r) -> QVariant { return remarks(r); }},
};

}  // namespace

RecipeTable::RecipeTable(QWidget* parent) : TableView(tr("Recipes"), parent), rows_(recipeColumns) {
    setObjectName(QStringLiteral("recipeTable"));
    setModel(&rows_);
    setSortingEnabled(true);
    sortByColumn(-1, Qt::AscendingOrder);
    setEmptyText(tr("Recipes appear here one by one, with what each costs and gains."));
    for (int column = 1; column < rows_.columnCount(); ++column) resizeColumnToContents(column);
    connect(selectionModel(), &QItemSelectionModel::currentChanged, this,
            &RecipeTable::currentTrialChanged);
    connect(this, &QAbstractItemView::activated, this, [this](const QModelIndex& index) {
        emit trialActivated(rows_.row(index.row()).trial);
    });
}

void RecipeTable::setRecord(const app::QuantizeRecord* record) {
    const std::ptrdiff_t current = currentTrial();
    std::vector<RecipeRow> rows;
    for (std::size_t i = 0; record && i < record->trials.size(); ++i) {
        const app::QuantizeTrial& trial = record->trials[i];
        const double heat =
            trial.failure.empty() ? std::clamp(trial.sqnr_db / whole_bar, 0.0, 1.0) : 0;
        rows.push_back({i, trial, record->original_bytes, record->best == std::ptrdiff_t(i), heat});
    }
    const auto rank = [](const RecipeRow& row) {
        return std::tuple(!row.best, !isFine(row), isFine(row) ? -row.figures.sqnr_db : 0.0);
    };
    std::ranges::stable_sort(rows, {}, rank);
    const bool first = rows_.rowCount() == 0;
    rows_.setRows(std::move(rows));
    if (first && rows_.rowCount() > 0)
        for (int column = 1; column < rows_.columnCount(); ++column) resizeColumnToContents(column);
    if (rows_.rowCount() > 0)
        setColumnWidth(0, std::clamp(sizeHintForColumn(0) + fontMetrics().averageCharWidth() * 2, 0,
                                     fontMetrics().averageCharWidth() * 44));
    if (current >= 0) setCurrentTrial(std::size_t(current));
    emit currentTrialChanged();
}

void RecipeTable::setCurrentTrial(std::size_t trial) {
    for (int line = 0; line < rows_.rowCount(); ++line)
        if (rows_.row(line).trial == trial) setCurrentIndex(rows_.index(line, 0));
}

std::ptrdiff_t RecipeTable::currentTrial() const {
    const QModelIndex index = currentIndex();
    return index.isValid() ? std::ptrdiff_t(rows_.row(index.row()).trial) : -1;
}

}  // namespace lapidary::views
