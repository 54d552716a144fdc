// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include <lapidary/report/model_summary.h>

namespace lapidary::app {

/// Names of the symbolic dimensions that the model's inputs are declared with ("batch", "seq"),
/// each once, in input order. Compound expressions are left out: their names appear on their own.
std::vector<std::string> symbolicDimensions(const ModelSummary& summary);

}  // namespace lapidary::app
