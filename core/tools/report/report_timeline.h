// SPDX-License-Identifier: Apache-2.0
// The recording of one side, reduced to events that are large enough to see.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <lapidary/report/html_report.h>

#include "report/string_table.h"

namespace lapidary {

/// {unit_ns, end, detail: [from, to], lanes: [{title, begin: [...], length: [...], name: [...], op:
/// [...], merged:
/// [...]}], memory: [[time, bytes], ...]}. Times are in units of unit_ns from the start of the
/// recording; begins are differences to the begin before. Outside of `detail`, the run whose time
/// is the median, neighbours too short to distinguish are merged: `merged` says how many, `op` the
/// one that took most of it. Null without spans.
nlohmann::ordered_json timeline_data(const Profile& profile, StringTable& strings);

}  // namespace lapidary
