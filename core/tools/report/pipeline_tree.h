// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <lapidary/passes/optimize.h>

namespace lapidary {

/// The object that pipeline_json() writes as text, to be part of a larger one.
nlohmann::ordered_json pipeline_tree(const PipelineReport& report, const Model* model = nullptr,
                                     const TimeShares& shares = {});

}  // namespace lapidary
