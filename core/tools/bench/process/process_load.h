// SPDX-License-Identifier: Apache-2.0
// Waits for idle threads, and reports the memory of this process.
#pragma once

#include <chrono>

#include "base/process/process_times.h"

namespace lapidary {

/// Returns once threads other than the caller take no more CPU time, or after `longest`. Engines
/// let their workers spin for a while after a run, which would slow the next one.
void wait_for_rest(std::chrono::milliseconds longest = std::chrono::milliseconds(200));

/// The most memory that this process ever had in MB (1e6 bytes). NaN if the system does not
/// say.
double peak_memory_mb();

}  // namespace lapidary
