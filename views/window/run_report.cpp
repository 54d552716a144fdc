// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/run_report.h"

#include <QCoreApplication>

#include "workbench/jobs/checklist.h"
#include "workbench/project/project.h"
#include "workbench/tuning/tuning.h"

namespace lapidary::views {

ReportContent runReport(app::Workbench& workbench) {
    const app::DocumentPtr opened = workbench.opened();
    const app::VariantPtr running = workbench.runningVariant();
    ReportSide side;
    side.model = running ? running->model : workbench.document()->model;
    side.name = app::runNameOf(workbench.recipeInForce()).toStdString();
    if (running) side.passes = std::shared_ptr<const PipelineReport>(running, &running->report);

    ReportContent content;
    content.title = opened->title.toStdString();
    content.notes = workbench.project().notes().toStdString();
    content.original = opened->model;
    content.machine = machine_info();
    content.conditions.level = workbench.recipeInForce().running().level;
    content.conditions.threads = workbench.conditions().threads;
    content.conditions.sizes.all = workbench.conditions().sizes;
    // a trace is of no model here
    if (const app::RunRecordPtr run = workbench.run(); run && run->model == side.model) {
        side.profile = run->profile;
        side.executed = run->executed;
        side.steps = run->plan.steps;
        if (run->profile) content.conditions.threads = run->profile->threads;
        content.conditions.sizes.all = app::sizesOf(*opened->model, run->inputs);
        if (!run->machine.empty()) content.machine.cpu = run->machine;
    }
    content.sweep = workbench.tuning().result();
    if (running && workbench.checklist().judged() == running)
        content.advice = workbench.checklist().advice({});
    content.written_by = QStringLiteral("Lapidary %1")
                             .arg(QCoreApplication::applicationVersion())
                             .trimmed()
                             .toStdString();
    content.sides.push_back(std::move(side));
    return content;
}

}  // namespace lapidary::views
