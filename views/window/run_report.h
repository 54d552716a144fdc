// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <lapidary/report/html_report.h>

#include "workbench/workbench.h"

namespace lapidary::views {

/// The content of a report about what the window shows: the open model, the variant that runs, its
/// passes, its newest run, the sweep of the Tune page, the checklist and the notes. What is not
/// known yet is left out. A model must be open. In English, as all reports.
ReportContent runReport(app::Workbench& workbench);

}  // namespace lapidary::views
