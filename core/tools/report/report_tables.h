// SPDX-License-Identifier: Apache-2.0
// The tables of a report, each for one question.
#pragma once

#include <lapidary/advice/near_miss_groups.h>
#include <lapidary/proof/side_matching.h>

#include "report/report_table.h"

namespace lapidary {

/// Column "side" first, left out on the page where a table belongs to one side.
Table node_table(const ReportContent& content, const ReportSide& side);
Table operator_table(
    // the session overhead of a run last: with it the times are the wall time
    const ReportSide& side);
Table phase_table(const ReportSide& side);
// of the sides, then the cells of the sweep
Table measurement_table(const ReportContent& content);
Table pass_table(const ReportSide& side);
Table rewrite_table(const ReportSide& side);
Table difference_table(const ReportContent& content, const Matching& matching);
Table operator_difference_table(const Matching& matching);
Table output_table(const ReportContent& content);
Table advice_table(const ReportContent& content);
Table near_miss_table(const ReportSide& side);  // grouped, see group_near_misses()

/// Of the side's profile; none where it has none.
TimeShares shares_of(const ReportSide& side);

/// Names of the original nodes that a node stands for: "conv1, bn1, relu1", with a count beyond the
/// first few.
std::string origin_names(const Node& node, const Model* original);

}  // namespace lapidary
