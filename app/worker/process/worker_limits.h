// SPDX-License-Identifier: Apache-2.0
// Limits how much of the machine a worker process may use.
#pragma once

#include <cstdint>
#include <string>

#include <lapidary/base/limits.h>

namespace lapidary::app {

/// Bounds the memory of this process (0: no bound), makes the system end it before others when
/// memory runs out, and prevents a slow memory image after a crash. Throws invalid_input,
/// io_failure.
void limit_this_process(std::uint64_t memory_bytes);
/// The limits of runs in a process with that bound, so that what is too large is refused by name
/// before it is tried.
Limits limits_for(std::uint64_t memory_bytes);
/// "the memory limit of runs is 2048 MiB".
std::string memory_limit_text(std::uint64_t memory_bytes);

}  // namespace lapidary::app
