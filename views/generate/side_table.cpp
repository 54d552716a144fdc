// SPDX-License-Identifier: GPL-3.0-or-later
#include "generate/side_table.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

#include "generate/generate_words.h"
#include "widgets/text/quantity.h"

namespace lapidary::views {
namespace {

template <double SideRow::*figure>
QVariant numberOf(const SideRow& row) {
    return row.*figure;
}
template <double SideRow::*figure>
QString millisecondsOf(const SideRow& row) {
    return row.*figure > 0 ? formatMilliseconds(row.*figure) : QStringLiteral("–");
}
template <std::uint64_t SideRow::*figure>
QVariant bytesValue(const SideRow& row) {
    return quint64(row.*figure);
}
template <std::uint64_t SideRow::*figure>
QString bytesOf(const SideRow& row) {
    return formatBytes(row.*figure);
}
template <double SideRow::*figure>
QString divergenceOf(const SideRow& row) {
    return row.*figure < 0 ? QStringLiteral("–") : QLocale().toString(row.*figure, 'g', 3);
}

const Column<SideRow> side_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Variant"),
     [](const SideRow& row) -> QVariant { return row.name; }},
    {QT_TRANSLATE_NOOP("Columns", "First token"), numberOf<&SideRow::first_ms>,
     millisecondsOf<&SideRow::first_ms>},
    {QT_TRANSLATE_NOOP("Columns", "Per token"), numberOf<&SideRow::each_ms>,
     millisecondsOf<&SideRow::each_ms>},
    {QT_TRANSLATE_NOOP("Columns", "Tokens/s"),
     [](const SideRow& row) -> QVariant { return row.each_ms > 0 ? 1000 / row.each_ms : 0; },
     [](const SideRow& row) { return rateText(row.each_ms); }},
    {QT_TRANSLATE_NOOP("Columns", "Changed tokens"),
     [](const SideRow& row) -> QVariant { return qint64(row.changed); },
     [](const SideRow& row) {
         if (row.changed < 0) return QStringLiteral("–");
         return QStringLiteral("%1 / %2").arg(formatCount(row.changed), formatCount(row.tokens));
     }},
    {QT_TRANSLATE_NOOP("Columns", "KL divergence"), numberOf<&SideRow::mean_divergence>,
     divergenceOf<&SideRow::mean_divergence>},
    {QT_TRANSLATE_NOOP("Columns", "Largest"), numberOf<&SideRow::most_divergence>,
     divergenceOf<&SideRow::most_divergence>},
    {QT_TRANSLATE_NOOP("Columns", "Weights"), bytesValue<&SideRow::weight_bytes>,
     bytesOf<&SideRow::weight_bytes>},
    {QT_TRANSLATE_NOOP("Columns", "Caches"), bytesValue<&SideRow::cache_bytes>,
     bytesOf<&SideRow::cache_bytes>},
    {QT_TRANSLATE_NOOP("Columns", "Activations"), bytesValue<&SideRow::activation_bytes>,
     bytesOf<&SideRow::activation_bytes>},
};

}  // namespace

SideTable::SideTable(QWidget* parent)
    : TableView(tr("Variants side by side"), parent), rows_(side_columns) {
    setObjectName(QStringLiteral("sideTable"));
    setModel(&rows_);
    setEmptyText(
        tr("A line for each variant. Changed tokens and the divergence of logits need A "
           "and B on the same tokens."));
}

void SideTable::setRecord(const app::GenerateRecord* record, const QStringList& names) {
    std::vector<SideRow> rows;
    for (std::size_t i = 0; record && i < record->sides.size(); ++i) {
        const app::GeneratedSide& side = record->sides[i];
        SideRow row;
        row.name = names.value(qsizetype(i));
        if (record->sides.size() > 1)
            row.name = QStringLiteral("%1 · %2").arg(i == 0 ? tr("A") : tr("B"), row.name);
        row.first_ms = side.first_ms;
        row.each_ms = app::median_of(side.token_ms);
        row.weight_bytes = side.weight_bytes;
        row.cache_bytes = side.cache_bytes;
        if (!side.samples.empty()) row.activation_bytes = side.samples.back().activation_bytes;
        row.tokens = std::int64_t(side.tokens.size());
        if (i > 0) {
            row.changed = record->changed_tokens();
            row.mean_divergence = meanDivergence(*record);
            row.most_divergence = 0;
            for (const double divergence : record->divergence)
                if (std::isfinite(divergence))
                    row.most_divergence = std::max(row.most_divergence, divergence);
        }
        rows.push_back(std::move(row));
    }
    rows_.setRows(std::move(rows));
}

}  // namespace lapidary::views
