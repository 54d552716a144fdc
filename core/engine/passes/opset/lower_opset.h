// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>

namespace lapidary {

/// Gives the nodes of a domain ("" or "ai.onnx.ml") the version of an older opset. Each must mean
/// the same there: the operator exists, its form and the meaning of its attributes did not change
/// in between, and its types are allowed. Newer attributes are removed if they have their default.
/// Model-local functions are expanded first. Throws not_supported naming nodes and reasons.
void lower_opset(Model& model, const std::string& domain, std::int64_t opset,
                 const Progress& progress = {});

}  // namespace lapidary
