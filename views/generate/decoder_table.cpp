// SPDX-License-Identifier: GPL-3.0-or-later
#include "generate/decoder_table.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

#include "generate/decoder_words.h"
#include "widgets/text/quantity.h"

namespace lapidary::views {
namespace {

QString noFigure() { return QStringLiteral("–"); }

double rateAt(const DecoderRow& row, std::int64_t context) {
    const app::DecoderPoint* point = row.side.at(context);
    return point ? point->tokens_per_second() : 0;
}

template <std::int64_t context>
QVariant rateValue(const DecoderRow& row) {
    return rateAt(row, context);
}
template <std::int64_t context>
QString rateCell(const DecoderRow& row) {
    const double rate = rateAt(row, context);
    return rate > 0 ? QLocale().toString(rate, 'f', rate < 100 ? 1 : 0) : noFigure();
}

const app::DecoderPoint* longest(const DecoderRow& row) { return row.side.at(row.longest); }

double shareOfRoof(const DecoderRow& row) {
    const app::DecoderPoint* point = longest(row);
    if (!point || !(point->roof_tokens_per_second > 0)) return 0;
    return point->tokens_per_second() / point->roof_tokens_per_second;
}

double firstOf(const DecoderRow& row) {
    const app::DecoderPoint* point = longest(row);
    return point ? point->first_ms : 0;
}

std::uint64_t activationsOf(const DecoderRow& row) {
    const app::DecoderPoint* point = longest(row);
    return point ? point->activation_bytes : 0;
}

QString bytesCell(std::uint64_t bytes) { return bytes > 0 ? formatBytes(bytes) : noFigure(); }

double perplexityOf(const DecoderRow& row) {
    return row.side.quality ? row.side.quality->perplexity : -1;
}
double perplexityErrorOf(const DecoderRow& row) {
    return row.side.quality ? row.side.quality->perplexity_error : -1;
}
double textDivergenceOf(const DecoderRow& row) {
    return row.side.quality ? row.side.quality->divergence : -1;
}
std::int64_t changedOf(const DecoderRow& row) {
    return row.side.quality ? row.side.quality->changed : -1;
}

QString numberCell(double value) { return value < 0 ? noFigure() : plainNumber(value, 4); }

QString errorCell(double value) { return value < 0 ? noFigure() : plainNumber(value, 2); }

QString changedCell(const DecoderRow& row) {
    if (changedOf(row) < 0) return noFigure();
    return QStringLiteral("%1 / %2").arg(formatCount(changedOf(row)),
                                         formatCount(row.side.quality->tokens));
}

QString nameCell(const DecoderRow& row) {
    const QString failure = failureText(row.side);
    return failure.isEmpty() ? row.name : QStringLiteral("%1: %2").arg(row.name, failure);
}

const Column<DecoderRow> decoder_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Variant"),
     [](const DecoderRow& row) -> QVariant { return row.name; }, nameCell},
    {QT_TRANSLATE_NOOP("Columns", "Tokens/s at 128"), rateValue<short_context>,
     rateCell<short_context>},
    {QT_TRANSLATE_NOOP("Columns", "Tokens/s at 1,024"), rateValue<long_context>,
     rateCell<long_context>},
    {QT_TRANSLATE_NOOP("Columns", "Roof reached at %1"),
     [](const DecoderRow& row) -> QVariant { return shareOfRoof(row); },
     [](const DecoderRow& row) {
         return shareOfRoof(row) > 0 ? formatRoundPercent(shareOfRoof(row)) : noFigure();
     }},
    {QT_TRANSLATE_NOOP("Columns", "First token at %1"),
     [](const DecoderRow& row) -> QVariant { return firstOf(row); },
     [](const DecoderRow& row) {
         return firstOf(row) > 0 ? formatMilliseconds(firstOf(row)) : noFigure();
     }},
    {QT_TRANSLATE_NOOP("Columns", "Perplexity"),
     [](const DecoderRow& row) -> QVariant { return perplexityOf(row); },
     [](const DecoderRow& row) { return numberCell(perplexityOf(row)); }},
    {QT_TRANSLATE_NOOP("Columns", "Perplexity, +-"),
     [](const DecoderRow& row) -> QVariant { return perplexityErrorOf(row); },
     [](const DecoderRow& row) { return errorCell(perplexityErrorOf(row)); }},
    {QT_TRANSLATE_NOOP("Columns", "KL (nats)"),
     [](const DecoderRow& row) -> QVariant { return textDivergenceOf(row); },
     [](const DecoderRow& row) { return numberCell(textDivergenceOf(row)); }},
    {QT_TRANSLATE_NOOP("Columns", "Changed tokens"),
     [](const DecoderRow& row) -> QVariant { return qint64(changedOf(row)); }, changedCell},
    {QT_TRANSLATE_NOOP("Columns", "Weights"),
     [](const DecoderRow& row) -> QVariant { return quint64(row.side.weight_bytes); },
     [](const DecoderRow& row) { return bytesCell(row.side.weight_bytes); }},
    {QT_TRANSLATE_NOOP("Columns", "Caches"),
     [](const DecoderRow& row) -> QVariant { return quint64(row.side.cache_bytes); },
     [](const DecoderRow& row) { return bytesCell(row.side.cache_bytes); }},
    {QT_TRANSLATE_NOOP("Columns", "Activations"),
     [](const DecoderRow& row) -> QVariant { return quint64(activationsOf(row)); },
     [](const DecoderRow& row) { return bytesCell(activationsOf(row)); }},
};

}  // namespace

QVariant DecoderRows::headerData(int section, Qt::Orientation orientation, int role) const {
    const QVariant header = RowsModel::headerData(section, orientation, role);
    const QString title = header.toString();
    return title.contains(QStringLiteral("%1")) ? title.arg(formatCount(longest_)) : header;
}

DecoderTable::DecoderTable(QWidget* parent)
    : TableView(tr("Decoders side by side"), parent), rows_(decoder_columns) {
    setObjectName(QStringLiteral("decoderTable"));
    setModel(&rows_);
    setEmptyText(
        tr("A line for each variant of the model: float, and those made on the Quantize page. "
           "Perplexity, divergence and changed tokens need a text: drop one here."));
    fitColumns();
}

void DecoderTable::setRecord(const app::DecodersRecord* record, const QStringList& names) {
    const QModelIndex current = currentIndex();
    const int chosen = current.isValid() ? int(rows_.sourceRow(current.row())) : -1;
    const std::int64_t longest =
        record && !record->contexts.empty() ? std::ranges::max(record->contexts) : long_context;
    std::vector<DecoderRow> rows;
    for (std::size_t i = 0; record && i < record->sides.size(); ++i)
        rows.push_back({names.value(qsizetype(i)), record->sides[i], longest});
    rows_.setLongest(longest);
    rows_.setRows(std::move(rows));
    if (chosen >= 0 && chosen < rows_.rowCount())
        setCurrentIndex(rows_.index(rows_.lineOf(std::size_t(chosen)), 0));
    if (!isFitted_) fitColumns();
    isFitted_ = record && record->complete;
}

/// To headers and cells; a long name is cut, and whole in its tool tip.
void DecoderTable::fitColumns() {
    for (int column = 0; column < rows_.columnCount(); ++column) resizeColumnToContents(column);
    setColumnWidth(0, std::min(columnWidth(0), fontMetrics().averageCharWidth() * 60));
}

const DecoderRow* DecoderTable::chosen() const {
    if (rows_.rowCount() == 0) return nullptr;
    return &rows_.row(currentIndex().isValid() ? currentIndex().row() : 0);
}

}  // namespace lapidary::views
