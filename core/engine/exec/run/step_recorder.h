// SPDX-License-Identifier: Apache-2.0
// Writes down what a profiled run did.
#pragma once

#include <cstdint>

#include "exec/run/run_state.h"
#include "exec/run/step_context.h"

namespace lapidary {

/// Adds the step, which has just run between those times of steady_now_ns(), to the recorder of the
/// run and notes the types of its values. A step on a device is waited for and gets the times that
/// it ran there. Its values are still in the table.
void record_step(const StepContext& step, const RunState& state, std::int64_t begin_ns,
                 std::int64_t end_ns);

}  // namespace lapidary
