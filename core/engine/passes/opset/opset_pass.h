// SPDX-License-Identifier: Apache-2.0
// What conversions of the opset share, up and down.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "rewrite/pass_entry.h"

namespace lapidary {

/// Runs one pass over all graphs of the model.
PipelineReport run_opset_pass(Model& model, const PassEntry& entry, const Progress& progress);

/// The first five and how many more: "a; b; and 3 more".
std::string listed_refusals(const std::vector<std::string>& refusals);
/// The same of nodes that a pass could not convert: each with its place and the reason.
std::string listed_refusals(std::span<const NearMiss> misses);

}  // namespace lapidary
