// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/outputs/output_table.h"

#include <QHeaderView>
#include <QLocale>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

QString figure(const OutputRow& row, double value) {
    return row.numeric ? QLocale().toString(value, 'g', 6) : QStringLiteral("–");
}

QString count(const OutputRow& row, std::int64_t value) {
    return row.numeric ? formatCount(value) : QStringLiteral("–");
}

QString checkText(const OutputRow& row) {
    if (!row.checked) return QStringLiteral("–");
    const QString off = QLocale().toString(row.maxAbs, 'g', 3);
    return row.matches ? OutputTable::tr("✓ within %1").arg(off)
                       : OutputTable::tr("✗ off by %1").arg(off);
}

constexpr int recorded_column = 10;  // shown where outputs were compared

const Column<OutputRow> output_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Output"),
     [](const OutputRow& r) -> QVariant { return cellText(r.name); }},
    {QT_TRANSLATE_NOOP("Columns", "Type"),
     [](const OutputRow& r) -> QVariant { return cellText(r.type); }},
    {QT_TRANSLATE_NOOP("Columns", "Elements"),
     [](const OutputRow& r) -> QVariant { return qlonglong(r.elements); }},
    {QT_TRANSLATE_NOOP("Columns", "Minimum"),
     [](const OutputRow& r) -> QVariant { return r.minimum; },
     [](const OutputRow& r) { return figure(r, r.minimum); }},
    {QT_TRANSLATE_NOOP("Columns", "Mean"), [](const OutputRow& r) -> QVariant { return r.mean; },
     [](const OutputRow& r) { return figure(r, r.mean); }},
    {QT_TRANSLATE_NOOP("Columns", "Maximum"),
     [](const OutputRow& r) -> QVariant { return r.maximum; },
     [](const OutputRow& r) { return figure(r, r.maximum); }},
    {QT_TRANSLATE_NOOP("Columns", "Std. dev."),
     [](const OutputRow& r) -> QVariant { return r.stddev; },
     [](const OutputRow& r) { return figure(r, r.stddev); }},
    {QT_TRANSLATE_NOOP("Columns", "Zeros"),
     [](const OutputRow& r) -> QVariant { return qlonglong(r.zeros); },
     [](const OutputRow& r) { return count(r, r.zeros); }},
    {QT_TRANSLATE_NOOP("Columns", "NaN"),
     [](const OutputRow& r) -> QVariant { return qlonglong(r.nans); },
     [](const OutputRow& r) { return count(r, r.nans); }},
    {QT_TRANSLATE_NOOP("Columns", "Infinite"),
     [](const OutputRow& r) -> QVariant { return qlonglong(r.infinities); },
     [](const OutputRow& r) { return count(r, r.infinities); }},
    {QT_TRANSLATE_NOOP("Columns", "Recorded"),
     [](const OutputRow& r) -> QVariant { return r.checked ? (r.matches ? 1 : 2) : 0; },
     [](const OutputRow& r) { return checkText(r); },
     [](const OutputRow& r) {
         return r.checked && !r.matches ? tipText(r.checkReason) : checkText(r);
     },
     {},
     Qt::AlignLeft | Qt::AlignVCenter},
    {QT_TRANSLATE_NOOP("Columns", "First values"),
     [](const OutputRow& r) -> QVariant { return cellText(r.first); }},
};

/// Parts of the initialization of a session, as recordings call them.
const char* const sessionParts[] = {
    QT_TRANSLATE_NOOP("lapidary::views::PhaseTable", "round weights to int8"),
    QT_TRANSLATE_NOOP("lapidary::views::PhaseTable", "round weights to fp16"),
    QT_TRANSLATE_NOOP("lapidary::views::PhaseTable", "round weights to bf16"),
    QT_TRANSLATE_NOOP("lapidary::views::PhaseTable", "expand functions"),
    QT_TRANSLATE_NOOP("lapidary::views::PhaseTable", "infer shapes"),
    QT_TRANSLATE_NOOP("lapidary::views::PhaseTable", "start threads"),
    QT_TRANSLATE_NOOP("lapidary::views::PhaseTable", "place nodes"),
    QT_TRANSLATE_NOOP("lapidary::views::PhaseTable", "choose kernels"),
    QT_TRANSLATE_NOOP("lapidary::views::PhaseTable", "pack weights")};

QString partName(const std::string& name) {
    const auto known = std::ranges::find(sessionParts, std::string_view(name));
    return known == std::end(sessionParts) ? cellText(name) : PhaseTable::tr(*known);
}

/// The phases of a session in the user's language; those of other programs as the recording calls
/// them.
QString phaseName(const PhaseRow& row) {
    if (row.isSum) return PhaseTable::tr("session overhead, once");
    if (row.depth > 0) return QStringLiteral("    ") + partName(row.name);
    if (row.name == load_phase) return PhaseTable::tr("model load");
    if (row.name == optimization_phase) return PhaseTable::tr("graph optimization");
    if (row.name == initialization_phase) return PhaseTable::tr("session initialization");
    if (row.name == cleanup_phase) return PhaseTable::tr("session cleanup");
    return cellText(row.name);
}

const Column<PhaseRow> phase_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Phase"),
     [](const PhaseRow& r) -> QVariant { return phaseName(r); }},
    {QT_TRANSLATE_NOOP("Columns", "Began at"),
     [](const PhaseRow& r) -> QVariant { return qlonglong(r.begin_ns); },
     [](const PhaseRow& r) { return r.ms ? formatNanoseconds(r.begin_ns) : QStringLiteral("–"); }},
    {QT_TRANSLATE_NOOP("Columns", "Time"),
     [](const PhaseRow& r) -> QVariant { return r.ms.value_or(0); },
     [](const PhaseRow& r) { return r.ms ? formatMilliseconds(*r.ms) : QStringLiteral("–"); }},
};

}  // namespace

OutputTable::OutputTable(QWidget* parent)
    : TableView(tr("Outputs of the run"), parent), model_(output_columns) {
    setObjectName(QStringLiteral("outputTable"));
    setModel(&model_);
    setSortingEnabled(true);
    header()->setSortIndicator(-1, Qt::AscendingOrder);  // the model's order
    model_.sort(-1);
    setEmptyText(tr("A trace holds no outputs. Run the model to see them."));
}

void OutputTable::setOutputs(std::shared_ptr<const std::vector<OutputRow>> outputs) {
    const bool checked = outputs && std::ranges::any_of(*outputs, &OutputRow::checked);
    model_.setRows(std::move(outputs));
    setColumnHidden(recorded_column, !checked);
    for (int column = 0; column < model_.columnCount(); ++column) {
        resizeColumnToContents(column);
        header()->resizeSection(column, qMin(header()->sectionSize(column), 260) + 8);
    }
}

PhaseTable::PhaseTable(QWidget* parent)
    : TableView(tr("Phases of the session"), parent), model_(phase_columns) {
    setObjectName(QStringLiteral("phaseTable"));
    setModel(&model_);
    header()->setStretchLastSection(false);  // times stand beside each other
    setEmptyText(tr("No phases were recorded."));
}

void PhaseTable::setPhases(std::shared_ptr<const std::vector<PhaseRow>> phases) {
    phases_ = std::move(phases);
    setRange(0, 0);
}

void PhaseTable::setRange(std::int64_t begin, std::int64_t end) {
    if (!phases_ || end <= begin) {
        setEmptyText(tr("No phases were recorded."));
        model_.setRows(phases_);
    } else {
        setEmptyText(tr("No phase of the session lies in the selected range."));
        std::vector<PhaseRow> inside;
        for (const PhaseRow& phase : *phases_) {
            const auto last = phase.begin_ns + std::int64_t(phase.ms.value_or(0) * 1e6);
            const std::int64_t ns = std::min(end, last) - std::max(begin, phase.begin_ns);
            if (phase.isSum || !phase.ms || ns <= 0) continue;
            PhaseRow part = phase;
            part.begin_ns = std::max(begin, phase.begin_ns);
            part.ms = double(ns) / 1e6;
            inside.push_back(std::move(part));
        }
        model_.setRows(std::move(inside));
    }
    for (int column = 0; column < model_.columnCount(); ++column) resizeColumnToContents(column);
}

}  // namespace lapidary::views
