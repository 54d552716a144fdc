// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <lapidary/report/model_summary.h>

namespace lapidary::views {

/// What an export changed about a model, in sentences: nodes and operators, weights, inputs and
/// outputs. "Nodes: 12 before, 10 now (Relu −2). Weights: 4.0 MB before, 2.0 MB now." If nothing of
/// that differs, it says so.
QString differenceText(const ModelSummary& before, const ModelSummary& after);

}  // namespace lapidary::views
