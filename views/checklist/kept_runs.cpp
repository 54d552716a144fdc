// SPDX-License-Identifier: GPL-3.0-or-later
#include "checklist/kept_runs.h"

#include <QDateTime>
#include <QHeaderView>
#include <QLocale>

#include "widgets/text/quantity.h"
#include "workbench/project/project.h"
#include "workbench/workbench.h"

namespace lapidary::views {
namespace {

QString orDash(std::int64_t value) { return value > 0 ? formatCount(value) : QStringLiteral("–"); }

const Column<app::RunFigures> run_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Variant"),
     [](const app::RunFigures& r) -> QVariant { return app::nameOf(r.recipe); }},
    {QT_TRANSLATE_NOOP("Columns", "Median"),
     [](const app::RunFigures& r) -> QVariant { return r.median_ms; },
     [](const app::RunFigures& r) { return formatMilliseconds(r.median_ms); },
     [](const app::RunFigures& r) {
         return KeptRuns::tr("Median of %1 runs; with 95 % confidence between %2 and %3")
             .arg(r.repetitions)
             .arg(formatMilliseconds(r.low_ms), formatMilliseconds(r.high_ms));
     }},
    {QT_TRANSLATE_NOOP("Columns", "Interval"),
     [](const app::RunFigures& r) -> QVariant { return r.high_ms - r.low_ms; },
     [](const app::RunFigures& r) {
         return QStringLiteral("%1 – %2").arg(formatMilliseconds(r.low_ms),
                                              formatMilliseconds(r.high_ms));
     }},
    {QT_TRANSLATE_NOOP("Columns", "Runs"),
     [](const app::RunFigures& r) -> QVariant { return r.repetitions; }},
    {QT_TRANSLATE_NOOP("Columns", "Threads"),
     [](const app::RunFigures& r) -> QVariant { return r.threads; },
     [](const app::RunFigures& r) { return orDash(r.threads); }},
    {QT_TRANSLATE_NOOP("Columns", "Batch"),
     [](const app::RunFigures& r) -> QVariant { return qlonglong(r.batch); },
     [](const app::RunFigures& r) { return orDash(r.batch); }},
    {QT_TRANSLATE_NOOP("Columns", "Activations held"),
     [](const app::RunFigures& r) -> QVariant { return qlonglong(r.peak_bytes); },
     [](const app::RunFigures& r) {
         return r.peak_bytes > 0 ? formatBytes(std::uint64_t(r.peak_bytes)) : QStringLiteral("–");
     },
     [](const app::RunFigures&) {
         return KeptRuns::tr("Most bytes held for activations at once");
     }},
    {QT_TRANSLATE_NOOP("Columns", "Kind"),
     [](const app::RunFigures& r) -> QVariant { return int(r.kind); },
     [](const app::RunFigures& r) {
         return r.kind == app::RunKind::profile ? KeptRuns::tr("profile")
                                                : KeptRuns::tr("measurement");
     },
     {},
     {},
     Qt::AlignLeft | Qt::AlignVCenter},
    {QT_TRANSLATE_NOOP("Columns", "Date"),
     [](const app::RunFigures& r) -> QVariant { return r.date; },
     [](const app::RunFigures& r) {
         return QLocale().toString(QDateTime::fromString(r.date, Qt::ISODate).toLocalTime(),
                                   QLocale::ShortFormat);
     }},
    {QT_TRANSLATE_NOOP("Columns", "Machine"),
     [](const app::RunFigures& r) -> QVariant { return r.cpu; }},
    {QT_TRANSLATE_NOOP("Columns", "Verdict"),
     [](const app::RunFigures& r) -> QVariant { return r.verdict; }},
};

}  // namespace

KeptRuns::KeptRuns(app::Workbench& workbench, QWidget* parent)
    : TableView(tr("Runs kept by the project"), parent), workbench_(workbench),
      model_(run_columns) {
    setObjectName(QStringLiteral("keptRuns"));
    setModel(&model_);
    setSortingEnabled(true);
    header()->setSortIndicator(-1, Qt::AscendingOrder);  // newest first
    model_.sort(-1);
    setEmptyText(tr("Every run leaves a line here, saved with the project. Press F5."));
    connect(&workbench_.project(), &app::Project::figuresChanged, this, &KeptRuns::refresh);
    refresh();
}

void KeptRuns::refresh() {
    const auto& runs = workbench_.project().runs();
    model_.setRows(std::vector<app::RunFigures>(runs.rbegin(), runs.rend()));
    for (int column = 0; column < model_.columnCount(); ++column) {
        resizeColumnToContents(column);
        header()->resizeSection(column, qMin(header()->sectionSize(column), 300) + 8);
    }
}

}  // namespace lapidary::views
