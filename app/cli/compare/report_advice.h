// SPDX-License-Identifier: Apache-2.0
// The adviser's input for a model that was profiled, measured and compared: for checklist and
// report.
#pragma once

#include <lapidary/advice/advice.h>
#include <lapidary/report/html_report.h>
#include <lapidary/base/progress.h>

#include "cli/compare/side_by_side.h"

namespace lapidary::cli {

struct AdviceRequest {
    std::map<std::string, std::int64_t> dimensions;  // of the inputs, as they ran or would run
    std::int64_t target_opset = 0;                   // see AdviceInput
};

/// About the last side of the content; the one before it counts as the original where the last one
/// was optimized from it. What the content lacks (profile, measurement) is unknown to the adviser.
/// Plans memory. Throws cancelled.
AdviceInput advice_input(const ReportContent& content, const std::vector<SideRequest>& sides,
                         const SideOptions& options, const AdviceRequest& request,
                         const Progress& progress);

}  // namespace lapidary::cli
