// SPDX-License-Identifier: Apache-2.0
// Memory of the parts of a session that do not change in runs: graph and weights.
#pragma once

#include <lapidary/cost/memory_report.h>

#include "exec/plan/plan.h"

namespace lapidary {

/// ProcessMemory::program, graph and the weights. `given`: the model as the caller keeps it;
/// `prepared`: the session's own copy, planned as `plan`, of which `packed_bytes` are packed.
/// Throws cancelled.
ProcessMemory still_parts(const Model& given, const Model& prepared, const Plan& plan,
                          std::uint64_t packed_bytes, const CancelToken& cancel);

}  // namespace lapidary
