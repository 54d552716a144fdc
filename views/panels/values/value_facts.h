// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of a value inside of a model, in words.
#pragma once

#include <QString>

#include <utility>
#include <vector>

#include "worker/jobs/inspect_job.h"

namespace lapidary::views {

/// "Range" and "-1.2 … 3.4", and so on.
using ValueFact = std::pair<QString, QString>;
std::vector<ValueFact> factsOf(const app::InspectedItem& item);
/// The same as a table of rich text.
QString factsHtml(const app::InspectedItem& item);

}  // namespace lapidary::views
