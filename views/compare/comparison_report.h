// SPDX-License-Identifier: GPL-3.0-or-later
// A comparison as what core's reports are made of.
#pragma once

#include <QString>

#include <lapidary/report/html_report.h>

#include "workbench/jobs/comparison.h"
#include "workbench/workbench.h"

namespace lapidary::views {

ReportContent reportOf(const app::Document& opened, const app::ComparisonRecord& record,
                       const QString& notes);

}  // namespace lapidary::views
