// SPDX-License-Identifier: Apache-2.0
// The graph of one side as drawings of boxes and lines: one of the main graph, and one for each
// folded group and each body of control flow, which opens from the box for it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <lapidary/report/html_report.h>

#include "report/string_table.h"

namespace lapidary {

/// {drawings: [{title, parent, w, h, boxes: [[x, y, w, h, kind, what]], lines: [[from, to, tensor,
/// x, y, ...]]}],
///  nodes: [[name, op, family, ms, share, drawing, box, inputs, outputs, attributes, origins,
///  kernel, body]], left_out}.
/// Texts are indices into the string table. Kinds: 0 a node, 1 a folded group (what: its drawing,
/// or -1 with the label in a 7th field when it is not drawn), 2 an input, 3 an output of the graph,
/// 4 and 5 where a line comes from or goes to outside. Null where the side has no model.
nlohmann::ordered_json graph_data(const ReportContent& content, const ReportSide& side,
                                  StringTable& strings);

}  // namespace lapidary
