// SPDX-License-Identifier: Apache-2.0
// The tables of a report, each for one question.
#pragma once

#include <lapidary/advice/near_miss_groups.h>
#include <lapidary/proof/side_matching.h>

#include "report/report_table.h"

namespace lapidary {

/// All have a first column "side", which the page leaves out for a table of one side.
Table node_table(const ReportContent& content, const ReportSide& side);
Table operator_table(
    // The last row is the session overhead of a run, so that the times add up to the wall time.
    const ReportSide& side);
Table phase_table(const ReportSide& side);
// measurements of the sides, then cells of the sweep
Table measurement_table(const ReportContent& content);
Table pass_table(const ReportSide& side);
Table rewrite_table(const ReportSide& side);
Table difference_table(const ReportContent& content, const Matching& matching);
Table operator_difference_table(const Matching& matching);
Table output_table(const ReportContent& content);
Table advice_table(const ReportContent& content);
Table near_miss_table(const ReportSide& side);  // grouped, see group_near_misses()

/// Shares of time from the side's profile; empty if it has none.
TimeShares shares_of(const ReportSide& side);

/// Names of the original nodes that a node replaces: "conv1, bn1, relu1", with a count beyond the
/// first few.
std::string origin_names(const Node& node, const Model* original);

}  // namespace lapidary
