// SPDX-License-Identifier: Apache-2.0
// What a worker process may take of the machine.
#pragma once

#include <cstdint>
#include <string>

#include <lapidary/base/limits.h>

namespace lapidary::app {

/// Bounds the memory of this process (0: no bound), lets the system end it before others when
/// memory runs out, and keeps it from spending seconds on a memory image when it crashes. Throws
/// invalid_input, io_failure.
void limit_this_process(std::uint64_t memory_bytes);
/// The limits of runs in a process with that bound: what is known to be too large is reported by
/// name before it is tried.
Limits limits_for(std::uint64_t memory_bytes);
/// "the memory limit of runs is 2048 MiB".
std::string memory_limit_text(std::uint64_t memory_bytes);

}  // namespace lapidary::app
