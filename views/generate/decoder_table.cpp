// SPDX-License-Identifier: GPL-3.0-or-later
#include "generate/decoder_table.h"

#include <QLocale>

#include <cmath>

#include "generate/decoder_words.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

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

const app::DecoderPoint* longest(const DecoderRow& row) {
    return row.side.points.empty() ? nullptr : &row.side.points.back();
}

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
double textDivergenceOf(const DecoderRow& row) {
    return row.side.quality ? row.side.quality->divergence : -1;
}
std::int64_t changedOf(const DecoderRow& row) {
    return row.side.quality ? row.side.quality->changed : -1;
}

QString numberCell(double value) {
    return value < 0 ? noFigure() : QLocale().toString(value, 'g', 4);
}

QString changedCell(const DecoderRow& row) {
    if (changedOf(row) < 0) return noFigure();
    return QStringLiteral("%1 / %2").arg(formatCount(changedOf(row)),
                                         formatCount(row.side.quality->tokens));
}

QString adviceCell(const DecoderRow& row) {
    return row.side.error.empty() ? decoderAdvice(row.side) : labelText(row.side.error);
}

const Column<DecoderRow> decoder_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Variant"),
     [](const DecoderRow& row) -> QVariant { return row.name; }},
    {QT_TRANSLATE_NOOP("Columns", "Tokens/s at 128"), rateValue<short_context>,
     rateCell<short_context>},
    {QT_TRANSLATE_NOOP("Columns", "Tokens/s at 1,024"), rateValue<long_context>,
     rateCell<long_context>},
    {QT_TRANSLATE_NOOP("Columns", "Of the roof"),
     [](const DecoderRow& row) -> QVariant { return shareOfRoof(row); },
     [](const DecoderRow& row) {
         return shareOfRoof(row) > 0 ? formatRoundPercent(shareOfRoof(row)) : noFigure();
     }},
    {QT_TRANSLATE_NOOP("Columns", "First token"),
     [](const DecoderRow& row) -> QVariant { return firstOf(row); },
     [](const DecoderRow& row) {
         return firstOf(row) > 0 ? formatMilliseconds(firstOf(row)) : noFigure();
     }},
    {QT_TRANSLATE_NOOP("Columns", "Perplexity"),
     [](const DecoderRow& row) -> QVariant { return perplexityOf(row); },
     [](const DecoderRow& row) { return numberCell(perplexityOf(row)); }},
    {QT_TRANSLATE_NOOP("Columns", "KL divergence"),
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
    {QT_TRANSLATE_NOOP("Columns", "Advice"),
     [](const DecoderRow& row) -> QVariant { return adviceCell(row); }},
};

}  // namespace

DecoderTable::DecoderTable(QWidget* parent)
    : TableView(tr("Decoders side by side"), parent), rows_(decoder_columns) {
    setObjectName(QStringLiteral("decoderTable"));
    setModel(&rows_);
    setEmptyText(
        tr("A line for each variant of the model: float, and those made on the Quantize page. "
           "Perplexity, divergence and changed tokens need a text: drop one here."));
}

void DecoderTable::setRecord(const app::DecodersRecord* record, const QStringList& names) {
    std::vector<DecoderRow> rows;
    for (std::size_t i = 0; record && i < record->sides.size(); ++i)
        rows.push_back({names.value(qsizetype(i)), record->sides[i]});
    rows_.setRows(std::move(rows));
}

}  // namespace lapidary::views
