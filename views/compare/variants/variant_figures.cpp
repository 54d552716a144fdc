// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/variants/variant_figures.h"

#include <QCoreApplication>
#include <QFont>
#include <QLocale>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include <lapidary/bench/compared_samples.h>
#include <lapidary/proof/choose_compute.h>

#include "compare/signed_text.h"
#include "models/rows_model.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(VariantFigures)
};

constexpr double least_share = 0.01;  // of a type that is named

VariantCell unknown() { return {QStringLiteral("–"), {}, {}, false}; }

template <typename Cell>
VariantRow rowOf(const QString& name, const QString& tip, const std::vector<VariantColumn>& columns,
                 Cell cell) {
    VariantRow row{name, tip, {}};
    for (const VariantColumn& column : columns) row.cells.push_back(cell(column));
    return row;
}

/// Marks the least of the known values, where they are not all the same.
void markLeast(VariantRow& row) {
    std::optional<double> least, most;
    for (const VariantCell& cell : row.cells) {
        if (!cell.value.isValid()) continue;
        const double value = cell.value.toDouble();
        least = std::min(least.value_or(value), value);
        most = std::max(most.value_or(value), value);
    }
    if (!least || *least == *most) return;
    for (VariantCell& cell : row.cells)
        cell.isBest = cell.value.isValid() && cell.value.toDouble() == *least;
}

VariantCell bytesCell(std::uint64_t bytes) {
    return {formatBytes(bytes), {}, QVariant(qulonglong(bytes)), false};
}

const Measurement* measuredOf(const VariantColumn& column) {
    const bool has = column.figures && column.figures->measured &&
                     column.figures->measured->wall.median.samples > 0;
    return has ? &*column.figures->measured : nullptr;
}

/// The one that is most times as fast as the first, beyond noise; null: none is faster.
const VariantColumn* fastestOf(const std::vector<VariantColumn>& columns) {
    const VariantColumn* fastest = nullptr;
    for (const VariantColumn& column : columns) {
        if (!column.figures || !column.figures->difference || !measuredOf(column)) continue;
        const Difference& difference = *column.figures->difference;
        if (!difference.significant || difference.ratio.median >= 1) continue;
        if (!fastest || difference.ratio.median < fastest->figures->difference->ratio.median)
            fastest = &column;
    }
    return fastest;
}

VariantCell timeCell(const VariantColumn& column) {
    if (column.figures && !column.figures->failure.isEmpty() && !measuredOf(column))
        return {Text::tr("failed"), column.figures->failure, {}, false};
    const Measurement* measured = measuredOf(column);
    if (!measured) return unknown();
    const MedianEstimate& median = measured->wall.median;
    return {formatMedian(median.median, median.low, median.high),
            Text::tr("Median of %1 runs with its 95 % interval")
                .arg(formatCount(qint64(median.samples))),
            median.median, false};
}

bool hasEnoughRuns(const Difference& difference) {
    return difference.ratio.samples >= least_compared_samples;
}

VariantCell differenceCell(const VariantColumn& column) {
    if (!column.figures || !column.figures->difference) return unknown();
    const Difference& difference = *column.figures->difference;
    if (!hasEnoughRuns(difference))
        return {Text::tr("too few runs"),
                Text::tr("A difference is told from noise by at least %1 runs of each")
                    .arg(least_compared_samples),
                {},
                false};
    const QString interval = percentInterval(difference.ratio.low - 1, difference.ratio.high - 1);
    return {difference.significant ? signedPercent(difference.ratio.median - 1)
                                   : Text::tr("within noise"),
            Text::tr("95 % interval: %1").arg(interval), difference.ratio.median - 1, false};
}

VariantCell memoryCell(const VariantColumn& column) {
    if (!column.planned) return unknown();
    if (!column.planned->failure.isEmpty())
        return {Text::tr("not known"), column.planned->failure, {}, false};
    VariantCell cell = bytesCell(column.planned->process_bytes);
    cell.tip = Text::tr("Activations planned: %1").arg(formatBytes(column.planned->needed_bytes));
    return cell;
}

bool hasOutputs(const VariantColumn& column) {
    return column.figures && column.figures->outputsCompared && !column.figures->outputs.empty();
}

VariantCell sqnrCell(const VariantColumn& column) {
    if (!hasOutputs(column)) return unknown();
    const ComputePrice price = price_of({}, column.figures->outputs);
    if (price.equal) return {Text::tr("equal"), Text::tr("No output differs at all"), {}, false};
    if (!price.sqnr_db) return unknown();
    return {formatDecibels(*price.sqnr_db), Text::tr("Of the output that is furthest off"),
            *price.sqnr_db, false};
}

VariantCell answersCell(const VariantColumn& column) {
    if (!hasOutputs(column)) return unknown();
    const ComputePrice price = price_of({}, column.figures->outputs);
    if (price.answers == 0) return unknown();
    return {
        Text::tr("%1 of %2").arg(formatCount(price.changed_answers), formatCount(price.answers)),
        {},
        qlonglong(price.changed_answers),
        false};
}

VariantCell outputsCell(const VariantColumn& column) {
    if (!hasOutputs(column)) return unknown();
    const auto& outputs = column.figures->outputs;
    const auto wrong = std::ranges::count_if(
        outputs, [](const OutputComparison& output) { return !output.comparison.matches; });
    return {wrong == 0 ? Text::tr("✓ the same")
                       : Text::tr("✗ %1 of %2 differ").arg(wrong).arg(outputs.size()),
            {},
            {},
            false};
}

/// What one run took and held, what the file holds.
void addCosts(std::vector<VariantRow>& rows, const std::vector<VariantColumn>& columns) {
    VariantRow time = rowOf(Text::tr("Time of a run"),
                            Text::tr("All variants run in turn, so that a busy machine slows all"),
                            columns, timeCell);
    VariantRow process =
        rowOf(Text::tr("Memory of a process"),
              Text::tr("Memory of a process that runs it, as the Memory page shows it"), columns,
              memoryCell);
    VariantRow weights =
        rowOf(Text::tr("Weights as stored"), Text::tr("Bytes of all constants in the file"),
              columns, [](const VariantColumn& column) {
                  return bytesCell(column.variant->summary.weight_bytes);
              });
    for (VariantRow* row : {&process, &weights}) markLeast(*row);
    if (const VariantColumn* fastest = fastestOf(columns))
        time.cells[std::size_t(fastest - columns.data())].isBest = true;
    rows.push_back(std::move(time));
    rows.push_back(rowOf(Text::tr("Against the first"),
                         Text::tr("Change of the time of a run against that of the first column"),
                         columns, differenceCell));
    rows.push_back(std::move(process));
    rows.push_back(std::move(weights));
}

void addAccuracy(std::vector<VariantRow>& rows, const std::vector<VariantColumn>& columns) {
    rows.push_back(rowOf(Text::tr("Outputs"),
                         Text::tr("Outputs against those of the first column, by the tolerance of "
                                  "the guard"),
                         columns, outputsCell));
    rows.push_back(rowOf(Text::tr("SQNR"),
                         Text::tr("Signal to noise of the outputs against those of the first "
                                  "column: 20 dB is visible, 30 good, 40 very good"),
                         columns, sqnrCell));
    rows.push_back(rowOf(Text::tr("Answers changed"),
                         Text::tr("Rows of outputs whose largest element is another one than in "
                                  "the first column"),
                         columns, answersCell));
}

}  // namespace

QString precisionOf(const app::Variant& variant) {
    std::vector<std::pair<std::int64_t, std::string>> types;
    for (const auto& [type, count] : variant.summary.parameters_by_dtype)
        types.emplace_back(count, type);
    std::ranges::stable_sort(types, std::ranges::greater(), [](const auto& t) { return t.first; });
    QStringList parts;
    for (const auto& [count, type] : types) {
        const double share =
            double(count) / double(std::max<std::int64_t>(variant.summary.parameters, 1));
        if (share < least_share) continue;
        const QString name = labelText(type);
        parts << (share > 1 - least_share
                      ? name
                      : QStringLiteral("%1 %2").arg(name, formatRoundPercent(share)));
    }
    QString text = parts.isEmpty() ? QStringLiteral("–") : parts.join(QStringLiteral(", "));
    const auto& on = variant.recipe.runs_on;
    if (on && on->compute != Compute::exact)
        text = Text::tr("%1, held in %2").arg(text, labelText(name_of(on->compute)));
    return text;
}

std::vector<VariantRow> variantRows(const std::vector<VariantColumn>& columns) {
    std::vector<VariantRow> rows;
    addCosts(rows, columns);
    addAccuracy(rows, columns);
    rows.push_back(rowOf(Text::tr("Nodes"),
                         Text::tr("Nodes of the graph, those of subgraphs counted"), columns,
                         [](const VariantColumn& column) {
                             const auto nodes = qlonglong(column.variant->nodes());
                             return VariantCell{formatCount(nodes), {}, nodes, false};
                         }));
    rows.push_back(rowOf(Text::tr("Precision"),
                         Text::tr("Types of the constants by their share of the elements"), columns,
                         [](const VariantColumn& column) {
                             return VariantCell{precisionOf(*column.variant), {}, {}, false};
                         }));
    return rows;
}

QString fastestSentence(const std::vector<VariantColumn>& columns) {
    if (columns.empty() || !measuredOf(columns.front())) return {};
    bool isAnyCompared = false;
    for (const VariantColumn& column : columns) {
        if (!column.figures || !column.figures->difference || !measuredOf(column)) continue;
        if (!hasEnoughRuns(*column.figures->difference)) return {};
        isAnyCompared = true;
    }
    if (!isAnyCompared) return {};
    const VariantColumn* fastest = fastestOf(columns);
    const QString first = labelText(columns.front().variant->name);
    if (!fastest) return Text::tr("No variant is faster than %1 beyond noise.").arg(first);
    const double times = 1 / fastest->figures->difference->ratio.median;
    return Text::tr("%1 is the fastest: %2 × as fast as %3.")
        .arg(labelText(fastest->variant->name), QLocale().toString(times, 'f', 2), first);
}

void VariantTable::setRows(std::vector<QString> names, std::vector<VariantRow> rows) {
    const bool isSameShape = names.size() == names_.size() && rows.size() == rows_.size();
    if (!isSameShape) beginResetModel();
    names_ = std::move(names);
    rows_ = std::move(rows);
    if (!isSameShape) return endResetModel();
    emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    if (!rows_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int VariantTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(rows_.size());
}

int VariantTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(names_.size()) + 1;
}

QVariant VariantTable::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const VariantRow& row = rows_[std::size_t(index.row())];
    if (index.column() > 0) return dataOf(row.cells[std::size_t(index.column()) - 1], role);
    if (role == Qt::DisplayRole) return row.name;
    if (role == Qt::ToolTipRole) return plainToolTip(row.tip);
    return {};
}

QVariant VariantTable::dataOf(const VariantCell& cell, int role) const {
    switch (role) {
    case Qt::DisplayRole: return cell.text;
    case Qt::ToolTipRole: return plainToolTip(cell.tip.isEmpty() ? cell.text : cell.tip);
    case Qt::TextAlignmentRole: return int(Qt::AlignRight | Qt::AlignVCenter);
    case views::SortRole: return cell.value;
    case Qt::FontRole: {
        if (!cell.isBest) return {};
        QFont font;
        font.setBold(true);
        return font;
    }
    case Qt::AccessibleTextRole:
        return cell.isBest ? Text::tr("%1, the least").arg(cell.text) : cell.text;
    default: return {};
    }
}

QVariant VariantTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section > int(names_.size())) return {};
    if (role == Qt::TextAlignmentRole && section > 0) return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::DisplayRole)
        return section == 0 ? Text::tr("Figure") : names_[std::size_t(section) - 1];
    if (role == Qt::ToolTipRole && section > 0)
        return plainToolTip(names_[std::size_t(section) - 1]);
    return {};
}

}  // namespace lapidary::views
