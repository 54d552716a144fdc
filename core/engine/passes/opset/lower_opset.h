// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>

namespace lapidary {

/// Gives the nodes of a domain ("" or "ai.onnx.ml") the version of an older opset where each of
/// them says the same there: the operator was known, its form and the meaning of its attributes did
/// not change in between, and its types were allowed. Attributes that came later go away where they
/// hold the default. Model-local functions are expanded first. Throws not_supported naming nodes
/// and reasons.
void lower_opset(Model& model, const std::string& domain, std::int64_t opset,
                 const Progress& progress = {});

}  // namespace lapidary
