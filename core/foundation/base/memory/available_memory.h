// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

namespace lapidary {

/// Bytes that this process can still take: the least of what the machine has without swapping, what
/// every control group around the process leaves (version 1 and 2; caches of files count as free)
/// and what RLIMIT_AS and RLIMIT_DATA leave. Asks the system at every call, which takes some ten
/// microseconds. `root` is where /proc and /sys lie.
std::uint64_t available_memory(const std::filesystem::path& root = "/");

/// Bytes that this process could take if no other process used any: the whole that
/// available_memory() is a part of.
std::uint64_t machine_memory(const std::filesystem::path& root = "/");

}  // namespace lapidary
