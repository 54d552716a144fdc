// SPDX-License-Identifier: Apache-2.0
// Input of the adviser for a model that was profiled, measured and compared. Used by checklist and
// report.
#pragma once

#include <lapidary/advice/advice.h>
#include <lapidary/report/html_report.h>
#include <lapidary/base/progress.h>

#include "cli/compare/side_by_side.h"

namespace lapidary::cli {

struct AdviceRequest {
    std::map<std::string, std::int64_t> dimensions;  // sizes of the inputs of a run
    std::int64_t target_opset = 0;                   // see AdviceInput
};

/// Gives both times the interval that holds those of both. For times whose difference is noise, or
/// that were measured too few times to tell: intervals of a few samples may lie apart by chance,
/// and advice takes such times for different.
void make_overlap(AdvisedTime& first, AdvisedTime& second);

/// Input for advice about the last side of the content. If that was optimized from the side before
/// it, the latter counts as the original. Profile or measurement that the content lacks are left
/// out. Plans memory. Throws cancelled.
AdviceInput advice_input(const ReportContent& content, const std::vector<SideRequest>& sides,
                         const SideOptions& options, const AdviceRequest& request,
                         const Progress& progress);

}  // namespace lapidary::cli
