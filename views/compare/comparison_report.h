// SPDX-License-Identifier: GPL-3.0-or-later
// Converts a comparison into the content of a report.
#pragma once

#include <QString>

#include <lapidary/report/html_report.h>

#include "workbench/jobs/comparison.h"
#include "workbench/workbench.h"

namespace lapidary::views {

ReportContent reportOf(const app::Document& opened, const app::ComparisonRecord& record,
                       const QString& notes);

}  // namespace lapidary::views
