// SPDX-License-Identifier: Apache-2.0
// What a model file holds, as JSON: resources/schemas/info.schema.json describes it.
#pragma once

#include <string>

#include <lapidary/graph/model.h>
#include <lapidary/report/model_summary.h>

#include "cli/output/json_value.h"

namespace lapidary::cli {

/// `summary`: summarize() of the model.
Json info_json(const Model& model, const ModelSummary& summary);

/// How a domain of operators is shown: "ai.onnx" for the empty one.
std::string domain_name(const std::string& domain);

}  // namespace lapidary::cli
