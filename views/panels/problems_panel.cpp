// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/problems_panel.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QPainter>

#include <algorithm>

#include "theme/theme.h"
#include "widgets/table/column_width.h"
#include "widgets/table/table_export.h"
#include "workbench/jobs/checklist.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr std::size_t most_problems = 2000;  // lines; a broken file can warn about every tensor

QString translated(const char* text) { return QCoreApplication::translate("Problems", text); }

QString nameOf(Problem::Severity severity) {
    switch (severity) {
    case Problem::Severity::error: return translated(QT_TRANSLATE_NOOP("Problems", "✕ Error"));
    case Problem::Severity::warning: return translated(QT_TRANSLATE_NOOP("Problems", "▲ Warning"));
    case Problem::Severity::note: break;
    }
    return translated(QT_TRANSLATE_NOOP("Problems", "• Note"));
}

const Column<Problem> problem_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Severity"),
     [](const Problem& p) -> QVariant { return int(p.severity); },
     [](const Problem& p) { return nameOf(p.severity); },
     {},
     {},
     Qt::AlignLeft | Qt::AlignVCenter},
    {QT_TRANSLATE_NOOP("Columns", "Place"), [](const Problem& p) -> QVariant { return p.where; }},
    {QT_TRANSLATE_NOOP("Columns", "Message"),
     [](const Problem& p) -> QVariant { return p.message; }},
};

}  // namespace

std::vector<Problem> findProblems(const app::Document& document, const app::RunRecord* run) {
    using Severity = Problem::Severity;
    std::vector<Problem> problems;
    for (const ModelFault& fault : document.faults)
        problems.push_back({Severity::error,
                            cellText(document.model->graph.node(fault.node).describe()),
                            cellText(fault.message)});
    for (const UnsupportedNode& node : document.summary.unsupported)
        problems.push_back({Severity::error, cellText(node.node), cellText(node.reason)});
    for (const Warning& warning : document.summary.warnings)
        problems.push_back({Severity::warning, cellText(warning.where), cellText(warning.message)});
    for (const auto& [name, type] : document.summary.inputs)
        if (type.kind == Type::Kind::unknown)
            problems.push_back(
                {Severity::warning,
                 translated(QT_TRANSLATE_NOOP("Problems", "input \"%1\"")).arg(cellText(name)),
                 translated(QT_TRANSLATE_NOOP(
                     "Problems",
                     "The type is not declared, so no input can be generated for it."))});
    if (const Requirement requirement = requirement_of(*document.model);
        requirement.kind != Requirement::Kind::onnx)
        problems.push_back({Severity::note,
                            translated(QT_TRANSLATE_NOOP("Problems", "portability")),
                            sentenceText(portability_finding(requirement, app::adviceLanguage()))});
    if (run && run->profile) {
        if (run->profile->dropped_events > 0)
            problems.push_back(
                {Severity::warning, translated(QT_TRANSLATE_NOOP("Problems", "profile")),
                 translated(QT_TRANSLATE_NOOP(
                                "Problems",
                                "%1 events did not fit into the recording; totals are too low."))
                     .arg(run->profile->dropped_events)});
        if (run->profile->runs == 1)
            problems.push_back(
                {Severity::note, translated(QT_TRANSLATE_NOOP("Problems", "profile")),
                 translated(QT_TRANSLATE_NOOP(
                     "Problems", "One run only: its times say nothing about the spread."))});
    }
    std::stable_sort(problems.begin(), problems.end(),
                     [](const Problem& a, const Problem& b) { return a.severity < b.severity; });
    if (problems.size() > most_problems) {
        const std::size_t left_out = problems.size() - most_problems;
        problems.resize(most_problems);
        problems.push_back(
            {Severity::note,
             {},
             translated(QT_TRANSLATE_NOOP("Problems", "%1 more are not listed.")).arg(left_out)});
    }
    return problems;
}

ProblemsPanel::ProblemsPanel(app::Workbench& workbench, QWidget* parent)
    : QTreeView(parent), workbench_(workbench), problems_(problem_columns) {
    setObjectName(QStringLiteral("problemsPanel"));
    setAccessibleName(tr("Problems"));
    setModel(&problems_);
    installTableMenu(*this);
    setFrameShape(QFrame::NoFrame);
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setAllColumnsShowFocus(true);
    setSortingEnabled(true);
    sortByColumn(0, Qt::AscendingOrder);
    header()->resizeSection(0, 100);
    header()->resizeSection(1, 170);
    showWholeTitles(*this);
    connect(&workbench_, &app::Workbench::documentChanged, this, &ProblemsPanel::refresh);
    connect(&workbench_, &app::Workbench::runChanged, this, &ProblemsPanel::refresh);
    refresh();
}

int ProblemsPanel::problemCount() const { return problems_.rowCount(); }

void ProblemsPanel::refresh() {
    const auto document = workbench_.document();
    const app::RunRecordPtr run = workbench_.run();
    const bool isOfModel = run && run->isOfModel();
    std::vector<Problem> found = document ? findProblems(*document, isOfModel ? run.get() : nullptr)
                                          : std::vector<Problem>{};
    worst_ = found.empty() ? Problem::Severity::note : found.front().severity;
    problems_.setRows(std::move(found));
    setHeaderHidden(problems_.rowCount() == 0);
    emit countChanged(problems_.rowCount());
    viewport()->update();
}

void ProblemsPanel::paintEvent(QPaintEvent* event) {
    QTreeView::paintEvent(event);
    if (problems_.rowCount() > 0) return;
    QPainter painter(viewport());
    painter.setPen(themeColors(palette()).mutedText);
    painter.drawText(viewport()->rect().adjusted(12, 12, -12, -12),
                     Qt::AlignTop | Qt::AlignHCenter | Qt::TextWordWrap,
                     workbench_.document() ? tr("Nothing odd was found in this model.")
                                           : tr("No model is open."));
}

}  // namespace lapidary::views
