// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <lapidary/passes/optimize.h>

namespace lapidary {

/// What pipeline_json() writes as text, for a larger object.
nlohmann::ordered_json pipeline_tree(const PipelineReport& report, const Model* model = nullptr,
                                     const TimeShares& shares = {});

}  // namespace lapidary
